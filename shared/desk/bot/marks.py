"""What is a remote bot held to? The rules of the kit, each with its clause, and what was found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Mark:
    """One rule: passed once it has been tried and nothing was found against it."""

    clause: str
    words: str
    found: str = ""
    tried: bool = False

    @property
    def passed(self) -> bool:
        return self.tried and not self.found

    def fails(self, found: str) -> None:
        """The first thing that was found is told."""
        self.tried, self.found = True, self.found or found


def marks() -> dict[str, Mark]:
    """All rules, in the order in which they are printed."""
    return {
        "stream": Mark("PL-524", "opens the bot stream, and follows where it is sent on to"),
        "token": Mark("PL-178", "shows its token in a header, never in an address"),
        "answers": Mark("PL-525", "answers every ask before its time is up, in all matches at once"),
        "offers": Mark("PL-295", "names the open ask, and takes what is on offer"),
        "recorded": Mark("PL-529", "answers every question of a recorded match"),
        "keys": Mark("PL-206", "gives each command an idempotency key of its own"),
        "once": Mark("PL-290", "answers an ask once, however often it is told"),
        "lost": Mark("PL-208", "asks again with the same key when an answer was lost"),
        "waits": Mark("PL-325", "waits as long as a 503 says, and then asks again"),
        "refused": Mark("PL-289", "answers again, with a new key, when an answer was refused"),
        "late": Mark("PL-293", "goes on with the present ask when it was too late for another"),
        "cut": Mark("PL-454", "comes back after a cut, and says rightly what it has read"),
        "bye": Mark("PL-459", "comes back after `bye`, no sooner than it was told"),
        "resync": Mark("PL-455", "begins anew from `hello` after `resync`"),
        "unknown": Mark("PL-219", "passes over what it does not know, and signs of life"),
        "over": Mark("PL-251", "sends nothing to a match that is over"),
    }
