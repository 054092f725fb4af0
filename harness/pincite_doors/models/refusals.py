"""What an agent is told of a request that may not pass: the field, what it would open, and what to do."""


def closed_field(name: str, opens: str) -> str:
    """A field that reaches past the trial."""
    return (
        f"The field {name!r} is not open in this trial: it opens {opens}. "
        "Next: send the request without it (a task opens it with [model] open_fields)."
    )


def unknown_field(name: str) -> str:
    """A field, or a kind of part, that is on no list."""
    return (
        f"The field {name!r} is not known to this trial's model door, so it is refused. "
        "Next: send the request without it (a task opens it with [model] extra_fields)."
    )


def closed_address(value: str, place: str) -> str:
    """Content that the provider would fetch."""
    return (
        f"The provider would fetch {value!r} ({place}), which is not open in this trial. Next: send the content "
        "itself, as a data: URL or base64 (a task opens hosts with [model] source_hosts)."
    )


def untyped_part(place: str) -> str:
    """A part whose reader would have to guess what it is."""
    return f"A part of {place} has no type. Next: give every part its type, such as 'text'."
