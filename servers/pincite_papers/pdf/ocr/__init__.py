"""OCR: pages that are pictures of text become words with boxes and confidences, read by the tesseract program."""
