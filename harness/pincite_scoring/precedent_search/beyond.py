"""Metrics that go beyond the study: how complete an answer is, and whether what it cites exists, stands and says so."""

from collections.abc import Iterable, Sequence

from pincite_materials.identity import same_material
from pincite_materials.text import plain
from pincite_scoring.precedent_search.answer import Answer, Measurement, Phase, Related, Source
from pincite_scoring.precedent_search.citations import doi_form
from pincite_scoring.precedent_search.literature import Evidence
from pincite_scoring.precedent_search.metrics import Metrics, found, share
from pincite_scoring.precedent_search.values import Frame, Pair, prints
from pincite_scoring.quotations import verified_share


def beyond_metrics(
    answer: Answer | None, gold: Answer, frame: Frame, pairs: Sequence[Pair], evidence: Evidence
) -> Metrics:
    """Of the gold measurements those found, of the answered those right; related materials and phases found; and, with
    a corpus, whether measurements are carried by quotes, and sources are real, stand and hold their quotes."""
    answered = answer.counted if answer is not None else []
    related = answer.related if answer is not None else []
    phases = answer.phases if answer is not None else []
    carried = found([_is_carried(each, frame, evidence) for each in answered])
    return {
        "values_found": share(len(pairs), len(gold.counted)),
        "values_right": share(len(pairs), len(answered)),
        "conditions_agree": found([pair.conflict is None for pair in pairs]),
        "related_found": found([any(_same_related(mine, true) for mine in related) for true in gold.related]),
        "phases_found": found([any(_same_phase(mine, true) for mine in phases) for true in gold.phases]),
        "values_carried": carried if evidence.at_hand else None,
        **_sources(list(all_sources(answer)) if answer is not None else [], evidence),
    }


def all_sources(answer: Answer) -> Iterable[Source]:
    """Everything that an answer cites, each once."""
    groups = [answer.claims(), *(each.sources for each in (*answer.related, *answer.phases))]
    return {source.key: source for group in groups for source in group}.values()


def _sources(sources: Sequence[Source], evidence: Evidence) -> Metrics:
    metrics: Metrics = dict.fromkeys(("sources_real", "sources_standing", "quotes_verified"))
    if evidence.at_hand:
        metrics["quotes_verified"] = verified_share(evidence.standing(source) for source in sources)
    if evidence.literature is not None:
        works = [evidence.find(source) for source in sources if doi_form(source.doi) or source.title]
        real = [work for work in works if work is not None]
        metrics["sources_real"] = share(len(real), len(works))
        metrics["sources_standing"] = found([not work.retracted for work in real])
    return metrics


def _is_carried(measurement: Measurement, frame: Frame, evidence: Evidence) -> bool:
    """Whether a source of its own that stands has a quoted span that stands in it and prints the value."""
    return any(evidence.stands(source) for source in measurement.sources if prints(source, measurement, frame))


def _same_related(mine: Related, true: Related) -> bool:
    return same_material(mine.material, true.material)


def _same_phase(mine: Phase, true: Phase) -> bool:
    """The same material, and one phase's words among the other's."""
    words, wanted = (frozenset(plain(each.phase).casefold().split()) for each in (mine, true))
    return same_material(mine.material, true.material) and (words <= wanted or wanted <= words)
