"""Scoring of table_construction: a table (CSV) made of several documents, against a gold table.

Source of the definitions: the AOE benchmark (Arranged and Organized Extraction, arXiv:2507.16271) and its public code
(github.com/tianyumyum/AOE, ``src/eval/eval_parallel.py`` and ``config/prompt_templates_eval.yaml``). ``strict`` (the
default) holds to the published words; ``reference`` repeats that code. "Stated here" marks our own choices.

=============  ========================================================  ===============================================
part           strict                                                    reference (published)
=============  ========================================================  ===============================================
pass           ``pandas.read_csv`` reads it, no row longer than the      ``pandas.read_csv`` reads the last block fenced
               header; commas, or throughout tabs, semicolons or         as csv, with at least one row. Our answers are
               Markdown's strokes, in a fence or not. At least a row     files: one without a fence is read whole, as
               and a column that the query asks for, so that prose,      strict does (stated here; there it fails)
               ``null`` and ``{}`` fail (stated here)
failed         0 of everything, ``cell_f1_given_pass`` undefined         the same; no answer: 0 too, where the code
                                                                         leaves it out of its means
cells as read  texts, nothing inferred                                   pandas' types: 007 is 7, NA is empty
columns        same name; same after normalisation (case, punctuation,   a language model rewrites the table under the
               unit in the header); then the judge, without a model by   gold header; here the same alignment as strict
               what the names stand for (``concepts``: a lexicon;
               growth, ratios and shares of what it knows), else by
               likeness >= 90, both in the same unit; ``result`` takes
               the only column left; else, after the rows, the one
               column that has all of its numbers and no name of
               another quantity (``via: values``; stated here)
column recall  aligned gold columns / gold columns, keys included;       always 1: the code compares the gold with its
               precision over the answer's columns                       own configuration
rows           one to one by keys: equal after normalisation (case,      in the answer's order: equal; token_sort_ratio
               folders and endings of files, Chinese numerals), equal    >= 90 against any gold key; then a model
               without subtitles, equal without remarks in brackets
               (ours, a size, a citation, a case's number: as the
               documents print it), blanks and hyphens, "(without
               cache)" beside a row "+ cache" (stated here), then the judge; without a model every part >= 90
               alike, with the same numbers and single letters (stated
               here). No key column or an empty key matches nothing
absent column  0 for its cells, empty ones too (stated here)             filled with empty texts: an empty gold cell is
                                                                         worth 1
empty cells    both empty 1, one 0; n/a, -, null, 无 … are empty          the same, by pandas' NA values alone
numbers        one amount in the whole cell: thousands separators,       commas go, % divides by 100 (so 7.65% is not
               (1,234), %, 万, 亿, million, currency, the column's name;   7.65), all else is empty, and empty equals
               scale and unit of header or cell. Equal: the gold, or     empty; equal within 1e-6 + 1e-5 x answer
               the gold rounded to the places that the answer prints
               within 1e-6 + 1e-5 x answer (stated here: the published
               tolerance alone takes 10,254,780,000 for …770,000).
               A year also as the period that it covers
computed       also right within half of the gold's last printed place   as numbers
               of the value recomputed from the gold inputs
lists          1 for the same items, else 0.8 x correct / gold; a bare   judged, by the same rule without a model
               article (第七十二条) is of the code named before it (stated
               here)
texts          1 for the same words (dates, numerals, column name and    1 for the same text, else judged in hundredths
               fillers aside) or amount, or the same Chinese clauses
               (verb before or behind its object, the row's key named
               or not); else judged in tenths
=============  ========================================================  ===============================================

Texts without a model (stated here): 0 where numbers differ or less than half of the words are shared (Dice), else nine
tenths of the share, rounded down to a tenth. Cell precision is the sum of cell scores over answer rows x value columns,
recall over gold rows x value columns (both as published, so that absent columns and extra rows cost); F1 their harmonic
mean. ``cell_score`` is the mean over matched rows, ``derived_recall`` the share of computed gold cells that are right.
The quality rating (intent, schema, content, format) is a model's alone and else not computed; in steps of 10 of 100,
``reference`` in steps of 1. ``cell_f1_given_pass`` is cell F1 of tables that pass (AOE, table 9): its mean
leaves out the others.
"""
