"""Scoring of figure_analysis: which claims of the reference analysis a written analysis of tables and figures carries.

The headline ``claims`` is pincite's own. The published scores beside it are those of Guo, Lu, Hope and Wang, "Anagent
for enhancing scientific table & figure analysis" (AnaBench, arXiv:2602.10081). No code has been published with it, so
``reference`` is the plainest reading of its formulas; what it leaves open is said here ("stated here"). These compare
words and meanings, not truth: the gold with two materials swapped has nearly full marks there.

==============  =========================================================================================================
state         by rule
============  =========================================================================================================
carried       a number: the value, in any unit and as rounded, said of the claim's subject, its difference in the
              claim's direction. A relation: a word for it, of the lexicon, in a clause about its subject and object
contradicted  the number is said of something else, in the other direction, compared with something else, or another
              number that the gold and the task's data do not give stands in its place; a word for the opposite, or the
              negated word. So is each claim about two things that the answer has mistaken for each other: with their
              names exchanged it would carry three claims more, less those that it contradicts
missing       the answer has no such number, or says nothing of the subject
undecided     the clause does not tell whose number it is; no known word, or words for and against; sentences that only
              a judge can look for
unsupported   no claim: a number of the answer that neither the gold, the task's tables and papers, nor a difference,
              ratio or change in percent of two numbers of one column, or of one row under like headings, gives
============  =========================================================================================================

``claims`` = max(0, carried - wrong) / (carried + contradicted + missing) * max(0, 1 - (wrong - 1) / (5 % of that
divisor)), where wrong is contradicted + unsupported: a second wrong statement leaves nothing of an analysis of up to
20 claims. It is 0 where a quarter or more of what is carried or wrong is wrong. Undecided claims count neither way: read
``n_undecided`` beside the headline. Of numbers without a direction (values of a table, places on an axis) a share
counts that is at most three times that of the findings (all other claims) carried after the first, so that a table
copied out, or one finding by chance, has next to 0. None where every claim is undecided, or where gold without claims
gives none to the rules.

Gold without claims, as most imported sets are, has them derived from its text: its numbers, of the rows of the task's
tables, and clauses with one direction. Records say so (``claim_from``). A judge (``--judge``) is asked about each
undecided claim, with the rubric ``figure_analysis/claims``; its state replaces *undecided*.
"""
