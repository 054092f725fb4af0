"""Scoring of property_extraction: what counts as right.

Source of the definitions: the public scoring code of the reliability-gap study of property extraction with language
models (SuperCon). Where ``strict`` (the default) departs from it, ``reference`` repeats the published behaviour; what
departs there too is marked *ours*.

=============  =======================================================  ================================================
part           strict                                                   reference (published)
=============  =======================================================  ================================================
candidates     all pairs for rules and evidence; for a judge the 3      3 nearest, from the side that is not scored
               nearest property names, from either side
likeness       words and letters; the cosine of an embedder where       the same (published: embeddings)
               ``PINCITE_EMBEDDER`` sets one
names          by meaning: synonyms, symbols, initials, other order,    the rules (*ours*) without a judge; a judge on
               "of X" and conditions aside; same, different or unknown  every candidate, as published, with one
evidence       of one material, value and unit right at 0.1 %, quotes   not used
               that overlap at one place, no conflict: a match though
               the names are unknown (``via: evidence``, counted
               apart); not where the answer's name is another gold
               record's, names another kind of the same thing, adds a
               word that makes another property (drift, uniform) and
               that the gold's record does not have, or stands in the
               paper for something else
matcher        lexicon/2, then evidence; a model (``--judge``) for      lexicon/2 (*ours*), or the judge alone
               what both leave undecided, else undecided is not a match
conditions     temperature, pressure, field, frequency or wavelength,   those of the matcher
               orientation, sample, treatment, gas, method: must not
               contradict, nor words exclude each other (n-type and
               p-type, pH 7 and pH 4, sample A and sample B:
               ``pincite_materials.opposites``); unstated pressure is
               ambient, an unstated treatment is none, silence else no
               contradiction
material       ``pincite_materials.identity``: exact compositions,      pymatgen almost_equals on the text as it is:
               isotopes and dopants; a deviation by its sign; short     10 %, absolute amounts; what pymatgen does not
               names as the papers and gold use them; two materials     read (``YBa2Cu3O7-d``, a name) equals its own
               joined are both, joined the same way                     spelling (*ours*; there nothing, not itself)
pairs          one to one, by the best total                            each record its best match, shared freely
number         one value against one, SI, 0.1 % (1 %, 10 % beside it); any number of the answer against the first gold
               not within 0.1 % where the answer's own quote prints     number, published factors, else bare numbers
               the gold's number, to no more decimals and in its unit,
               and not the answer's: a digit is misread
unit           not comparable unless known, or spelled the same; "per   ignored where no factor is published
               Ce" may go unsaid
zero           zero alone (1e-12 in SI base units)                      zero alone, in the units as written
bound          ``<`` and ``>`` must agree                               not read
rubric         the gold's ``rubric`` where it has one and its value     the same
               can be read so, else by property and value (*ours*)
category       equal with abbreviations (fcc) written out, words of     one text contains the other, in any case
               its kind (type, phase) and remarks in brackets aside
space group    all settings, numbers, bars, subscripts                  table of 600 symbols, no P21/c, no numbers
same text      –                                                        equal, whatever its rubric reads (*ours*; there
                                                                        unread gold equals nothing)
empty answer   precision = recall = F1 = 0, evidence undefined          the same (published: padded with zero)
no gold        an empty answer to an empty gold is perfect              0
=============  =======================================================  ================================================

Precision is right pairs over answer records (broken ones included), recall over gold records, F1 their harmonic mean;
the match metrics count pairs whatever their values. A mean over tasks with failed trials as zeros is the report's.

How much the rule for materials matters: of the 16,419 names in SuperCon's list of T_c, 6,863 are judged otherwise than
by pymatgen's ``almost_equals`` on the text as it is. It does not read 2,965 of them, joins 17,709 pairs that are parted
here (near compositions, 3,748 names), and parts 489 pairs that are joined here (one formula, 691 names):
``tests/benchmarks/published_formulas.py``.

``evidence_verified`` and ``value_in_quote`` go beyond the study. A quote of more than 600 characters (a page rather
than a clause, sentence or row) grounds nothing. One that our text does not have, on a page that was read poorly, is
*unverifiable*: it is left out of ``evidence_verified`` and counted in ``n_unverifiable`` (``scoring.quotations``). Gold
without places (published lists of values) scores values alone; its evidence is *not known*.
"""
