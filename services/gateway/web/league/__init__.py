"""Pages of the league: what there is, how it stands, and the desk of those who run it."""

from services.gateway.web.league import (
    championship,
    changing,
    entrant,
    hooks,
    lists,
    making,
    organisation,
    pairing,
    running,
    season,
    telling,
    tournament,
    words,
)

__all__ = ["championship", "changing", "entrant", "hooks", "lists", "making", "organisation", "pairing", "running", "season", "telling", "tournament", "words"]
