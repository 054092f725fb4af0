"""The API of Unpaywall (v2) over invented works: it wants an e-mail address and knows Crossref's DOIs only."""

from collections.abc import Callable, Sequence

from invented import Invented
from speaking import given, replying

from pincite_tasks.corpus.sources import unpaywall
from source_server import Asked, Given


def make_unpaywall(works: Sequence[Invented]) -> Callable[[Asked], Given]:
    """Answers ``GET /v2/{doi}?email=…`` over the works that have a DOI."""
    answer = replying(unpaywall.answer, [work for work in works if work.doi])

    def addressed(asked: Asked) -> Given:
        email = asked.params.get("email", "")
        if "@" in email and not email.endswith("@example.com"):
            return answer(asked)
        words = f"Please use your own email address in API calls, not {email}. See http://unpaywall.org/products/api"
        return given(unpaywall.failed(422, words))

    return addressed
