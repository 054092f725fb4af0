"""Scoring of figure_analysis: which claims of the reference analysis a written analysis of tables and figures carries.

The headline ``claims`` is pincite's own. The published scores beside it are those of Guo, Lu, Hope and Wang, "Anagent
for enhancing scientific table & figure analysis" (AnaBench, arXiv:2602.10081). No code has been published with it, so
``reference`` is the plainest reading of its formulas; what it leaves open is said here ("stated here"). These compare
words and meanings, not truth: the gold with two materials swapped has nearly full marks there.

==============  ===========================================================  ==========================================
part            strict                                                       reference
==============  ===========================================================  ==========================================
claims          stated here, see below; not in the paper                     the same: the paper has no such score
words           stated here: numbers with sign and decimals, and words with  stated here: the lower-cased text cut at
                inner hyphens and apostrophes; lower case, no punctuation    white space, punctuation kept
rouge_l         longest common subsequence of words / the longer text        the same
bleu            sentence BLEU of sacrebleu with its defaults, of 0 to 1      the same
jaccard         shared words / all words, each counted once                  the same
cosine          of both texts' embeddings (MiniLM, by PINCITE_EMBEDDER)      the same
scibert         F1 of greedily matched token vectors (BERTScore), SciBERT    the same
meteor          NLTK's with WordNet, which it asks for synonyms of stems     the same
s_lex           mean of rouge_l, bleu and jaccard                            the same
s_sem           mean of cosine, scibert and meteor, of all three             the same
s_avg           mean of all six, the published one; of fewer there is none   the same
s_avg_of_4      mean of rouge_l, bleu, jaccard and meteor: stated here       the same
s_avg_of_3      mean of rouge_l, bleu and jaccard: stated here               the same
differences     of two runs' means: absolute, and relative to the first      the same
judge           five dimensions of 0 to 2 points each, as a share of 10      the same
no answer       0 in everything that can be computed here                    the same
==============  ===========================================================  ==========================================

An answer that shares more than 25 words in a row with the gold has a record ``copied`` with them (``n_copied`` is the
length of the longest run): the gold stands in a paper, and what is copied from it was not written.

A metric whose model or dictionary is absent is *not computed*: it is None, its record says why, and so is every mean
that it is part of, so that a mean has one sense on all machines. Which of the six belong to which mean is stated here.
METEOR of a text with itself is a hair below 1, as published. The judge's dimensions (accuracy, completeness, format,
clarity, faithfulness) need a model that sees: it is shown the query, the texts of the tables, the pictures of the
figures and both analyses, and told of files that cannot be shown. Where a picture cannot be shown its dimensions are
not computed.

Claims. The gold lists what its analysis says: numbers with their units and what they belong to, comparisons and
directions, and sentences. Rules read the answer's sentences and clauses ("the latter" is the last of two names before
it, "it" at the head of a sentence the only name of the sentence before, "which" the name right before it; an item of a
list is a sentence, and in "B is exceeded by A" A is above B) and give each claim a state:

============  =========================================================================================================
state         by rule
============  =========================================================================================================
carried       a number: the value, in any unit and as rounded, said of the claim's subject, its difference in the
              claim's direction (or with its sign). A relation: a word for it, of the lexicon, in a clause about its
              subject and object
contradicted  the number is said of something else, at another condition (``700 K`` for ``300 K``: that directly behind
              the number, else the last one before it in the sentence), in the other direction, compared with something
              else, or denied, or made an upper limit of a lower one; or another number stands in its place: of its unit
              and subject, and not printed in the gold or the task's data. A word for the opposite, or the negated word;
              a superlative said of another thing. So is each claim about two things that the answer has mistaken for
              each other: with their names exchanged it would carry three claims more, less those that it contradicts.
              So is a value said in another unit of its kind, or of an attribute of which the gold says another value in
              the same words (titanium for aluminium)
missing       the answer has no such number, or says nothing of the subject
undecided     the clause does not tell whose number it is; no known word, or words for and against; sentences that only
              a judge can look for
unsupported   no claim: a number of the answer that neither the gold, the task's tables and papers, nor a difference,
              ratio or change in percent of two numbers of one column, or of one row under like headings, gives; or one
              that the task's table has in another row than that of what it is said of; or the end of a change ("from
              181 to 245 HV") that the gold's text has with another second end, or the other way round
============  =========================================================================================================

``claims`` = max(0, carried - wrong) / (carried + contradicted + missing) * max(0, 1 - (wrong - 1) / (5 % of that
divisor)), where wrong is contradicted + unsupported: a second wrong statement leaves nothing of an analysis of up to
20 claims. It is 0 where a quarter or more of what is carried or wrong is wrong. Undecided claims count neither way:
read ``n_undecided`` beside the headline. Of numbers without a direction (values of a table, places on an axis) a share
counts that is at most three times that of the findings (all other claims) carried after the first, so that a table
copied out, or one finding by chance, has next to 0. None where every claim is undecided, where rules leave more of
those that they look for undecided than are decided, or where gold without claims gives none to the rules.

``credited`` says what a reader may take from the rules alone: 1 from 0.8 on where nothing in the answer was found
wrong, 0 below 0.1, None (a judge has to look) elsewhere: ``claims`` forgives one wrong statement, which may be the
rules' own misreading, and a reader should not. A claim that names no condition takes
the one that the gold's text gives its value.

Gold without claims, as most imported sets are, has them derived from its text: its numbers, of the rows of the task's
tables, and clauses with one direction. Records say so (``claim_from``). A judge (``--judge``) is asked about each
undecided claim, with the rubric ``figure_analysis/claims``; its state replaces *undecided*.
"""
