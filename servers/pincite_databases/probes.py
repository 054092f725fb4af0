"""Probes: what each source of the databases server is asked to see whether it works."""

from pincite_core.http.client import Web
from pincite_core.http.probe import Probe
from pincite_core.settings import Settings


async def _pubchem(web: Web, settings: Settings) -> object:
    from pincite_databases.pubchem.api import ask

    del settings
    return await ask(web, "pug/compound/cid/2244/property/MolecularFormula/JSON")


async def _uniprot(web: Web, settings: Settings) -> object:
    from pincite_databases.uniprot.api import fetch_entry

    del settings
    return await fetch_entry(web, "P69905")


async def _trials(web: Web, settings: Settings) -> object:
    from pincite_databases.fields import text
    from pincite_databases.trials.api import TRIALS

    del settings
    return text((await web.get(TRIALS, "version")).json(), "apiVersion")


async def _europe_pmc_patents(web: Web, settings: Settings) -> object:
    from pincite_databases.patents.europe_pmc import EuropePmcPatents

    del settings
    found = await EuropePmcPatents(web).search("battery", applicant="", inventor="", years=None, limit=1, page=None)
    return found.patents


async def _google_patents(web: Web, settings: Settings) -> object:
    from pincite_databases.patents.google import GooglePatents
    from pincite_databases.patents.numbers import PatentNumber

    del settings
    return await GooglePatents(web).patent(PatentNumber("US", "7654321", "B2"))


async def _epo(web: Web, settings: Settings) -> object:
    from pincite_databases.patents.epo import Epo
    from pincite_databases.patents.numbers import PatentNumber

    key = settings.epo_key
    return key is not None and await Epo(web, key).patent(PatentNumber("EP", "1000000", "A1"))


async def _cod(web: Web, settings: Settings) -> object:
    from pincite_databases.materials.optimade import COD, Optimade

    del settings
    return await Optimade(web, COD).structure("1000041")


async def _materials_project_open(web: Web, settings: Settings) -> object:
    from pincite_databases.materials.optimade import MATERIALS_PROJECT_OPEN, Optimade

    del settings
    return await Optimade(web, MATERIALS_PROJECT_OPEN).structure("mp-149")


async def _materials_project(web: Web, settings: Settings) -> object:
    from pincite_databases.materials.materials_project import MaterialsProject

    key = settings.materials_project_api_key
    return key is not None and await MaterialsProject(web, key).release()


PROBES = (
    Probe("pubchem", "PubChem", _pubchem),
    Probe("uniprot", "UniProt", _uniprot),
    Probe("clinicaltrials", "ClinicalTrials.gov", _trials),
    Probe("europe_pmc_patents", "Europe PMC (patents)", _europe_pmc_patents),
    Probe("google_patents", "Google Patents", _google_patents),
    Probe("epo", "EPO Open Patent Services", _epo, needs="epo_key"),
    Probe("cod", "COD", _cod),
    Probe("materials_project_optimade", "Materials Project (OPTIMADE)", _materials_project_open),
    Probe("materials_project", "Materials Project", _materials_project, needs="materials_project_api_key"),
)
"""One probe a source, named like its policy."""
