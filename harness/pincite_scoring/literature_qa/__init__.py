"""Scoring of literature_qa: questions about figures, tables and texts of the literature.

Sources of the definitions: LAB-Bench (Laurent et al., arXiv:2407.10362, and its public code: options, "insufficient
information", accuracy, precision, coverage) and the public code of LABBench2 (open answers, judged correct, incorrect
or unsure). What neither says is marked "stated here".

================  ====================================================  ================================================
part              strict                                                reference (published)
================  ====================================================  ================================================
options           ideal, distractors and "Insufficient information to   the same, shuffled for each run
                  answer the question", in an order that follows from
                  the task's id alone (stated here)
choice            the letter, the letter with its option, the option's  the letter alone
                  words, a sentence that names one and no other by
                  what sets it apart, pairs of a name and a quantity
                  in any order, or the same quantities in other
                  words; undecided where it has only a part of the
                  right one's words (stated here)
declined          no answer, null, the option "Insufficient …", or      no answer, or the option "Insufficient …"; a
                  words that decline: "not reported", "I cannot tell"   model decides what other words decline. The rule
                  (stated here)                                         judge as strict
number            within the gold's tolerance (1e-6 where it has none)  absolute or relative difference below 1e-6,
                  after unit conversion; a bare number where the        units not looked at (the rule judge; published:
                  question names the unit                               a model is told so)
number of one     of several numbers of one kind only the clause        a model decides; the rule judge takes one number
clause            counts that alone has a name, a condition or a word   only
                  of the question (stated here)
number, unit      undecided: the number agrees, and the unit is named   a model decides; the rule judge does not look
open              by one side only and not by the question, or is one   at units
                  that nobody knows; a rounding where no tolerance is
                  stated; a number among others of its kind
                  (stated here)
text              says the gold or one of its other spellings, and      a model decides; the rule judge: equal after
                  else only words of the question and the gold's        normalisation
                  passage (simple species by name or formula,
                  sequences without ends and blanks); wrong without
                  a word of the gold, with others to choose from, as
                  a part of another compound's name, with another
                  amount or the opposite attribute; what stands behind
                  "not", "while", "unlike" and their like does not
                  count, nor does detail from the sentences around the
                  gold's quote; else undecided (stated here)
formula           the same composition, remarks as for a text           a model decides; the rule judge: the same
                                                                        composition of the whole answer
list              the gold's items and no others, in any order unless   a model decides; the rule judge: the items
                  order is asked for; items compare as texts; or one    equal after normalisation
                  clause that names all in words of the question,
                  where all others say the opposite (stated here)
free              right where what is marked as the answer, set in      a model decides; undecided without one
                  bold, or said first is the gold and nothing
                  competes; wrong where it is an identifier that
                  stands nowhere; else only a model (stated here)
works             of works listed in the question by DOI: wrong where   a model decides; undecided without one
                  one that is not the gold's is taken, or one of the
                  gold's is left out in so many words; right where
                  exactly the gold's are taken and all others left
                  out (stated here)
prose             of an answer in sentences its conclusion counts:      a model reads it; the rule judge takes the
                  behind "Answer:", the concluding sentence, the last   whole answer
                  paragraph; one that was broken off is undecided,
                  but for works (stated here)
when asked        a model is asked where the rule does not say          a model is asked for every open answer that is
                  "correct" and nothing was declined (stated here)      not empty
undecided         no model was asked, and no rule decides: accuracy     the same; published runs always have a model
                  and precision are undefined, ``undecided`` is 1
                  (stated here)
unsure            declined, or judged unsure: not answered              the same (LABBench2: scores 0, has no coverage)
accuracy          correct / all                                         the same
precision         correct / answered; undefined where none was          the same; 0 where none was
coverage          answered / all                                        the same
================  ====================================================  ================================================

One trial has one question: its accuracy and coverage are 0 or 1, its precision is undefined unless it was answered, so
that the means over trials are the published shares; the published code's precision of 0 where nothing was answered
would be one of a whole run, and is left undefined. Over several attempts: mean and population standard deviation of
each share, and how often two attempts have the same outcome (``pincite_scoring.statistics.rounds``).

A failure (an answer that is wrong or declined) has a class, told from the trial's tool calls against the gold source
(stated here): **routing**, no call went to a server that leads to the source; **retrieval**, such calls were made and
none brought the source; **reading**, the source was brought and the answer is wrong all the same.

Means of accuracy and precision are over the trials that were decided: reports say over how many, and count the
undecided apart (``undecided``). With ``--compat reference`` and no model the rule judge stands in, which is not a
published score: LABBench2's is a model's verdict (``--judge``, with the published words by ``--judge-prompt``).

``source_cited`` (of the answered questions) and ``evidence_verified`` (of the quotes given) go beyond both: whether the
answer names the gold's source (by paper, DOI or title), and whether its quotes stand where it says and one of them
carries the answer: it is of the gold's passage, or has the answer's number or half of its words. ``sources_standing``
is the share of the cited works of the task's corpus that are not retracted; rows name those that are.
"""
