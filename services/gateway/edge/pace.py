"""Which commands need a closer look before they are accepted? A game says so beside a field of the command, in the schema it announces:
`a_minute`, how often a player may send it, and `talk`, that its text is for other players to read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from services.gateway.store import SQL, Store


class Pace:
    """`a_minute` by verb and game, `talk` by verb; read when it is first needed, and again in the background."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._most: Mapping[str, Mapping[str, int]] = {}
        self._talk: Mapping[str, frozenset[str]] = {}
        self._read = False

    def looked_at(self, verbs: Iterable[str]) -> bool:
        """Whether one of these verbs needs a closer look."""
        known, talk = self._known(), self._talk
        return any(verb in known or verb in talk for verb in verbs)

    @property
    def talk(self) -> Mapping[str, frozenset[str]]:
        """PL-557 The fields by verb in which players say something to each other."""
        self._known()
        return self._talk

    def slowed(self, verbs: Iterable[str]) -> list[str]:
        """Those of these verbs that some game slows down."""
        known = self._known()
        return [verb for verb in verbs if verb in known]

    def most(self, game: str, verb: str) -> int | None:
        return self._known().get(verb, {}).get(game)

    def _known(self) -> Mapping[str, Mapping[str, int]]:
        if not self._read:
            self.read()
        return self._most

    def read(self) -> None:
        """Now and then in the background, so that no command waits for it; a game that is announced anew is read again."""
        paced, said = self._store.all(SQL.paces), self._store.all(SQL.talk_fields)
        most: dict[str, dict[str, int]] = {}
        for row in paced:
            most.setdefault(row["verb"], {})[row["game"]] = row["most"]
        talk: dict[str, frozenset[str]] = {}
        for row in said:
            talk[row["verb"]] = talk.get(row["verb"], frozenset()) | {row["field"]}
        self._most, self._talk, self._read = most, talk, True
