"""Which trigrams of a text to look up: the rarest, since a frequent one costs much and leaves nearly all."""

from collections.abc import Iterable

from pincite_library.store.store import Clauses

_FREQUENT = (
    " ththehe  in an ofed of ionandnd in on tioingating es ent real  core  toer to ate prresor  a ters a"
    "is fortedn t font e ae t deerepros oe sat th d tonsas  wiconly gense f tan  stithncecti wen oe c di"
    "ecte os ile n ats ce nale ptrapree i mas t ex mowiticans ic  bethaive aless is, ad aen her se cae m"
    "men. t mete allenehat asve s, d i noverne ell geant paratacts wlate dencure si tr sull ranrome enti"
    "tininearetictivcomintevecal on arstrn is. este f fre r fich t aaset tperstaeri ced b mieraainr tby "
    "redityiti bylin wamat haideexpers whssi , reasiols thiwerst d spar liese ( stecelsed acntety istula"
    "mics som sti ch potesrs ind, w, torme, tatg tnottorhist os cus use nefroren orsiswasy a). e bans at"
    " . sin shntrififfeveleasfern slarficontmalry minoteialndime earortdis ler aar sitble lot iompn cnts"
    " uss fdend cderomedinhanous peanccesd fcaninaoretri dosenfigo tiesonecatonae wrecnattroinse ne ltan"
    "n p mus (ultageete unali hectemanl arinturd ps pwe ral spnesigh iml cthoeeny tmplpleasshowy o dainc"
    "f a la baspermad oarichan mmedndeunds dpec. antaiceiatd wanaimaet alsn boure g rah aothr sreghesn e"
    "lesss shonsiporrotabl en bi soa simeducl st s teiens rd mge difolobe  cln, ermite scot overiamor gr"
    " hoata. italdatign faini [ artichsselogh t saeleracsesllye hount cmetrtig aequn fendposwhi tact pat"
    "ol litr c adsig bofecetid dtairoltenensplaut iffrepned ) clee. y iosthicein vaxpr fu, saraner his m"
    " phseructs by, n dberit enotypaveigutimllslowedicorastcriodeo acredesrourosn rld gur itl p aps enin"
)
"""The most frequent trigrams of 219 open-access papers (PLOS, CRAFT), most frequent first, three characters each."""

_RANKS = {_FREQUENT[at : at + 3]: at // 3 for at in range(0, len(_FREQUENT), 3)}
_HALF_RANK = 50
_RARE = 0.03
_ENOUGH = 1e-5
_MOST_GRAMS = 6
_MOST_TEXTS = 64


def choose_grams(clauses: Clauses, longest: int) -> str:
    """An FTS5 query for the most selective clause: for each of its texts the rarest trigrams of one part of at most
    ``longest`` characters. Empty where no clause can be looked up: each holds a text of less than three characters.
    """
    best, query = 2.0, ""
    for clause in clauses:
        if len(clause) > _MOST_TEXTS or min(map(len, clause), default=0) < 3:
            continue
        chosen = [_chosen(text, longest) for text in clause]
        share = sum(share for share, _ in chosen)
        if share < best:
            best = share
            query = " OR ".join(f"({' AND '.join(map(_quoted, grams))})" for _, grams in chosen)
    return query


def _chosen(text: str, longest: int) -> tuple[float, list[str]]:
    """The share of windows that will be left, were trigrams independent, and the trigrams to look up."""
    parts = [text[at : at + longest] for at in range(0, max(len(text) - longest, 0) + 1, max(longest // 2, 1))]
    return min((_rarest(_grams(part)) for part in parts), key=lambda found: found[0])


def _rarest(grams: Iterable[str]) -> tuple[float, list[str]]:
    share = 1.0
    taken: list[str] = []
    for part, gram in sorted((_share(gram), gram) for gram in grams):
        if share < _ENOUGH or len(taken) == _MOST_GRAMS:
            break
        share *= part
        taken.append(gram)
    return share, taken


def _grams(text: str) -> set[str]:
    return {text[at : at + 3] for at in range(len(text) - 2)}


def _share(gram: str) -> float:
    """The part of windows of 270 characters that hold a trigram: 1 / (1 + rank / 50) fits those papers within 20 %."""
    rank = _RANKS.get(gram)
    return _RARE if rank is None else 1 / (1 + rank / _HALF_RANK)


def _quoted(gram: str) -> str:
    return '"' + gram.replace('"', '""') + '"'
