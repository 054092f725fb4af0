"""UniProtKB: proteins by the REST API of rest.uniprot.org (https://www.uniprot.org/help/api, as of 2025)."""
