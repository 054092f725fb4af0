"""Scoring of figure_analysis: how near a written analysis of tables and figures is to the reference analysis.

Source of the definitions: Guo, Lu, Hope and Wang, "Anagent for enhancing scientific table & figure analysis" (AnaBench,
arXiv:2602.10081). No code has been published with it, so ``reference`` is the plainest reading of its formulas, and
what it leaves open is said here ("stated here").

==============  ===========================================================  ==========================================
part            strict                                                       reference
==============  ===========================================================  ==========================================
words           stated here: numbers with sign and decimals, and words with  stated here: the lower-cased text cut at
                inner hyphens and apostrophes; lower case, no punctuation    white space, punctuation kept
rouge_l         longest common subsequence of words / the longer text        the same
bleu            sentence BLEU of sacrebleu with its defaults, of 0 to 1      the same
jaccard         shared words / all words, each counted once                  the same
cosine          of both texts' embeddings (MiniLM, by PINCITE_EMBEDDER)      the same
scibert         F1 of greedily matched token vectors (BERTScore), SciBERT    the same
meteor          NLTK's with WordNet, which it asks for synonyms of stems     the same
s_lex           mean of rouge_l, bleu and jaccard                            the same
s_sem           mean of cosine, scibert and meteor                           the same
s_avg           mean of all six (where all are computed, also that of both)  the same
differences     of two runs' means: absolute, and relative to the first      the same
judge           five dimensions of 0 to 2 points each, as a share of 10      the same
no answer       0 in everything that can be computed here                    the same
==============  ===========================================================  ==========================================

A metric whose model or dictionary is absent is *not computed*: it is None, its record says why, and the averages are
taken over the metrics that were computed, which their records name; an average over none is None. Which of the six
belong to which mean is stated here, and so is S_AVG as the mean of what was computed: compare runs only where the same
metrics were (``n_computed``). METEOR of a text with itself is a hair below 1, as published. The judge's dimensions
(accuracy, completeness, format, clarity, faithfulness) need a model that sees: it is shown the query, the texts of the
tables, the pictures of the figures and both analyses, and told of files that cannot be shown. Where a picture cannot be
shown its dimensions are not computed.
"""
