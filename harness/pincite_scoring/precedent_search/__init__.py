"""Scoring of precedent_search: has a property of a material been reported, with what values, and by whom.

Source of the definitions: the public scoring code of the reliability-gap study of evidence verification by agents
(open-world precedent search on SuperCon). Where ``strict`` (the default) departs from it, ``reference`` repeats the
published behaviour.

==============  ======================================================  ===============================================
part            strict                                                  reference (published)
==============  ======================================================  ===============================================
score           2: right class and right value; 1: right class;         the same
                0: wrong class, Unknown, no or no valid answer
no values       2 for the right class, where the gold has no values     full marks for the right class
                (a property such as growth from a flux)
diagnosis       Correct 2, Partial 1, Not attempted (Unknown),          the same
                Incorrect (wrong class), Failed (no answer)
class           Yes, No or Unknown, in any case                         one contains the other, in any case
value, Yes      one number of one measurement, SI, 0.1 %, against any   any number in any measurement's text against
                measurement of the gold                                 the first of the gold, as bare numbers
value, No       the lowest answered is the lowest of the gold           the same as for Yes
unit            converted; ``C`` and ``F`` are degrees where a          **not the published code**: both sides brought
                temperature is asked for                                to the task's unit first (its lists have one)
measurement     counts unless it names another composition than the     counts whatever material it names
                task's (strictly: ``pincite_materials.identity``)
zero            zero alone                                              zero alone
bound           positive: must agree; negative: not read                not read
DOI match       equal when bare and in lower case; a URL's DOI is all   one contains the other
                that follows ``/10.``, without query and fragment
title match     SequenceMatcher >= 0.9 (the study's text), of 10        > 0.8 (its code), of 10 characters or more
                characters or more, shorter titles equal
sources         all that the answer cites                               three for the class, three for its values and
                                                                        three for the negative ones
failed trials   unscored; a mean says how many it leaves out            the mean as published is the column "Failed as
                                                                        0" of a report (``failed_as_zero``)
==============  ======================================================  ===============================================

The headline beside the published score is ``values_all``, which one value of six does not fill: F1 of whole
measurements, 2 x whole / (gold + stated). An answered measurement is whole where value, material and conditions are
those of one gold measurement, and a source of its own, one of the gold's for it, that is not retracted, has a quoted
span that stands and prints the value (in any unit). Set points that are not zero and quantities such as a strain must
be stated; what the gold says besides may be left out. A measurement said again (by another method that its quote names)
counts neither way; a related material's value or a phase's temperature that the gold does not have and its quote does
not carry, and a value of the class that is denied, count as stated. Undefined without a corpus or a recorded trial to
look in, and for gold without quotes (a list of highest values does not have all). Where the property has no values,
F1 of works: those of the gold that are cited with a quote that carries the claim, over the gold's and the cited ones.

A quote stands if it stands in the work's own text or in what a tool showed of the work in the trial
(``scoring.shown``); rows of tables are compared cell by cell.

A mean over trials of the metrics below is the published figure: each is None in a trial that its condition leaves out.
``coverage``: attempted, of the trials that did not fail; ``precision_S``: score S, of the answered ones;
``citation_quality_S``: score S, given that a gold source is cited (by DOI or title); ``attribution_quality_S``: a gold
source is cited, given score S; ``doi_match_given_correct``: given score 2; ``score_given_retrieval``: the score (0 to
2), given that a gold source is cited. The published names do not say of which match the last four speak: any, where
they do not name the DOI, is stated here.

Beyond the study, stated here: ``values_found`` (gold measurements that the answer has, paired one to one by value) and
``values_right`` (answered measurements that are gold); ``conditions_agree`` (of those pairs); ``related_found`` and
``phases_found``; and, where the task has a corpus, ``values_carried`` (answered measurements with a source of their
own that is not retracted, whose quoted span stands in it and prints the value), ``sources_real`` (cited DOIs that
exist), ``sources_standing`` (of those, not retracted) and ``quotes_verified`` (cited sources whose quoted span stands
in the work).
"""
