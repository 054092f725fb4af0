"""Claims of a ledger in forms that others read: Web Annotations, PROV, an RO-Crate, PDFs with the quotes marked."""
