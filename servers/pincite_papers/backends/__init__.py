"""Optional backends that read a PDF beside our own parser, chosen by PINCITE_BACKEND; none is needed."""
