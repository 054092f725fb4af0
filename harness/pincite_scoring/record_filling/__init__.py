"""Scoring of record_filling: what counts as right.

The task and its measures (entity precision, recall and micro F1; row accuracy and row F1 after matching objects; their
mean) are those of SudokuFill (Findings of ACL 2026), document-level extraction of vaccine adjuvants. Its scoring code
was not at hand: what is said here beyond those names is stated here. ``reference`` is the loose reading of them, and,
for a schema that counts words, the public code of NERRE (Dagdelen et al., Nat. Commun. 2024, doping/step3_score.py).

==============  =======================================================  ==============================================
part            strict                                                   reference
==============  =======================================================  ==============================================
entity          a value in a field of an object; a set counts each       a distinct (field, value) of the whole paper;
                                                                         NERRE: a word of a field's distinct values
right entity    the same value in the same field of the matched object   the same pair anywhere in the paper; NERRE: a
                                                                         gold word among the answer's words
same value      by the field's kind: text and label in one spelling,     equal in lower case, white space collapsed;
                with the schema's synonyms; number in SI to the          NERRE: equal to the letter
                field's tolerance; formula by composition (pymatgen).
                Stated here: a code or acronym with plain words that
                the paper prints beside it (``saponin QV-7``), "beads
                of X" for "X beads"; a number with the names of what
                is counted (``2e19 Mg atoms per cm^3`` of an object
                with Mg, ``at% Al``), or of what a paper prints
                behind it (``5 µg of GLK-12``); a short name and
                the long form that a paper prints beside it
matching        one to one, the best total: right rows, then right       none: a row is right if the other side has an
                values, then fewest wrong ones, then order; only         equal one, shared freely
                objects that agree in a field of the identity
right row       all values of both objects are one, nothing is missing   all fields equal as text
row accuracy    right rows / (matched + left over on either side)        right gold rows / gold rows
row F1          right rows over answered and over gold rows              the same, with shared rows
empty           null, "", [] and the schema's placeholders               the same
overall         (entity F1 + row F1) / 2                                 the same
F1 of a field   ``f1_<field>`` of its values, right in matched objects;  the same of distinct values (NERRE: words);
                None where neither side fills it; ``macro_f1``: the      NERRE prints basemats and dopants, no mean
                mean of them
nothing to      precision and recall 1: an empty answer to an empty      0
find, nothing   gold is perfect
answered
judge           may join single texts of a judged field after matching   not asked
==============  =======================================================  ==============================================

``strict`` also gives ``pooled_*`` (entities without matching, in the comparable forms) and ``reference_*``. NERRE's
links are ``link_*`` under ``reference``; its code counts sentence by sentence, here a paper (an abstract) is one.

Values in fields that the schema does not have, and entries that are not objects, count as wrong. ``consistency`` is the
share of objects that break no label set and no dependency. Evidence is optional: ``evidence_verified`` is the share of
pieces that stand in their paper (on their page), ``evidence_given`` that of values with a piece for their field;
``span_*`` compares distinct passages by field with the gold's, to the character, ``span_overlap_*`` one to one by any
overlap. They are undefined where there is nothing to count.
"""
