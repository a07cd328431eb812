"""How does a test keep one competition: its state, its events, its pages, as the league process does?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from services.league.kind import Kind, Page, Scene


class Kept:
    """What a championship's and a season's desk have alike; each says itself who acts and when."""

    KIND: Kind

    def __init__(self) -> None:
        self.state: Any = None
        self.events: list[Any] = []
        self.frozen: dict[str, Any] = {}

    def scene(self) -> Scene:
        raise NotImplementedError

    def advance(self) -> None:
        """Everything that follows by itself."""
        while events := self.KIND.advance(self.state, self.scene()):
            self.fold(events)

    def fold(self, events: Iterable[Any]) -> None:
        for event in events:
            self.state = self.KIND.fold(self.state, event)
            self.events.append(event)

    def page(self, name: str) -> Mapping[str, Any]:
        pages: dict[str, Page] = {page.name: page for page in self.KIND.pages(self.state, 0, self.scene())}
        return pages[name].body
