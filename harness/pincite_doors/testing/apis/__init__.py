"""How each model API words a scripted answer, whole and streamed."""
