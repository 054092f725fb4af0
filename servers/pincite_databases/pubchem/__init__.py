"""PubChem: compounds by PUG REST and PUG View (https://pubchem.ncbi.nlm.nih.gov/docs/pug-rest, as of 2025)."""
