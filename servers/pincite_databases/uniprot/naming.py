"""What an entry of UniProt calls its protein, gene and organism."""

from pincite_databases.fields import Record, record, records, text


def protein_name(entry: Record) -> str:
    """The recommended name, else the first submitted one."""
    described = record(entry, "proteinDescription")
    submitted = [name for given in records(described, "submissionNames") if (name := text(given, "fullName", "value"))]
    return text(described, "recommendedName", "fullName", "value") or (submitted[0] if submitted else "")


def other_names(entry: Record) -> list[str]:
    """Short, alternative and further submitted names, with EC numbers and allergen names marked as such."""
    described = record(entry, "proteinDescription")
    found: list[str] = []
    first = [record(described, "recommendedName")]
    for given in [*first, *records(described, "alternativeNames"), *records(described, "submissionNames")]:
        full = text(given, "fullName", "value")
        found += [full, *(text(short, "value") for short in records(given, "shortNames"))]
        found += [f"EC {number}" for ec in records(given, "ecNumbers") if (number := text(ec, "value"))]
    own = protein_name(entry)
    return [name for name in dict.fromkeys(found) if name and name != own]


def genes(entry: Record) -> list[str]:
    """Names of the genes: of each the name, else its locus or open reading frame."""
    found: list[str] = []
    for gene in records(entry, "genes"):
        others = [*records(gene, "orderedLocusNames"), *records(gene, "orfNames")]
        name = text(gene, "geneName", "value") or next((text(other, "value") for other in others), "")
        if name:
            found.append(name)
    return found


def organism_name(entry: Record) -> str:
    """Scientific name and number of the taxon: "Homo sapiens (taxon 9606)"."""
    name, taxon = text(entry, "organism", "scientificName"), text(entry, "organism", "taxonId")
    return f"{name} (taxon {taxon})" if taxon else name


def status(entry: Record) -> str:
    """Whether curators reviewed it."""
    kind = text(entry, "entryType").lower()
    if "unreviewed" in kind:
        return "unreviewed (TrEMBL)"
    return "reviewed (Swiss-Prot)" if "reviewed" in kind else kind
