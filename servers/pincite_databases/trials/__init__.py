"""ClinicalTrials.gov: registered studies and their results by the API 2.0 (https://clinicaltrials.gov/data-api/api)."""
