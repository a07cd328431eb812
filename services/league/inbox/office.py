"""How is one competition taken on by a step? Read at one version, decided without a lock, written if nothing has happened meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from services.league.inbox import finished
from services.league.inbox.deciding import Asked, Broken, Turn
from services.league.inbox.hidden.apart import KeptApart
from services.league.inbox.hidden.shown import show
from services.league.inbox.memory import Memory, folded, stored
from services.league.inbox.pages import Pages, ready, write_pages
from services.league.inbox.rating_record import recompute
from services.league.inbox.scene import people_of, scene_of
from services.league.inbox.sending import make_matches, send_stops
from services.league.inbox.telling import remind
from services.league.inbox.writing import FIRST_HASH, rows_of, write
from services.league.kind import Kind, Scene
from services.league.refusals import Refused
from services.league.store import HIDDEN, INBOX, RATINGS
from shared.runtime import log
from shared.runtime.bell import Bell, Doorbell
from shared.runtime.settings import Settings
from shared.runtime.store import Database, FateUnknown, Row

THREADS = 4         # competitions that are taken on at the same time by one process
MOST = 64           # acts in one transaction
COMPETITIONS = 500  # found by one look
STRETCHES = 20      # of a record of ratings, computed again in one go
# LG-1032 Entrants above which a standing is written at most once a second, and above which it is computed beside the acts.
LARGE, HUGE = 300, 2_000
PAGES_MS, AGAIN_MS = 1_000, 1_000
logger = log.get(__name__)


class Office:
    """The connections of this process and the states it knows."""

    def __init__(self, settings: Settings, kinds: Mapping[str, Kind]) -> None:
        self.database = Database(settings.database_of("league"), settings, "league", size=THREADS + 1)
        self.doorbell = Doorbell(settings)
        self.bell = Bell(settings)
        self.kinds = kinds
        self.memory = Memory()

    def found(self, *, sweep: bool) -> set[str]:
        """LG-149, LG-871 The competitions that have something to do, all of it found in Postgres."""
        busy, touched = True, finished.sweep(self.database) if sweep else set()
        while busy:
            busy, more = finished.consume(self.database)
            touched |= more
        for query in (INBOX.work, INBOX.unmade):
            touched.update(row["competition_id"] for row in self.database.all(query, most=COMPETITIONS))
        return touched

    def behind(self) -> set[str]:
        """The competitions whose pages are behind what has happened, or what may be shown."""
        return {row["competition_id"] for query in (INBOX.behind, HIDDEN.due) for row in self.database.all(query, most=COMPETITIONS)}

    def look_after_others(self) -> bool:
        """What belongs to no single competition: orders to matches, deadlines that come near."""
        return send_stops(self.database, self.doorbell) > 0 or remind(self.database, self.kinds.__getitem__, self._state)

    def stale(self) -> set[str]:
        """LG-852 The games in which ratings are to be computed again."""
        return {row["game"] for row in self.database.all(RATINGS.stale)}

    def rate_again(self, game: str) -> None:
        """LG-854 Several stretches without a rest; what is left then is found again, unless the process is to end."""
        for _ in range(STRETCHES):
            if not recompute(self.database, game):
                return

    def drain(self, competition: str) -> bool:
        """Everything there is to do now for one competition; False if that was nothing."""
        steps = 0
        while self.carry_out(competition) or make_matches(self.database, self.doorbell, competition):
            steps += 1
        return steps > 0

    def carry_out(self, competition: str, most: int = MOST) -> bool:
        """LG-147, LG-148, LG-1033 Acts in order of arrival and what is due; True where there may be more to do."""
        row = self.database.one(INBOX.competition, competition=competition)
        if row is None or row["held"]:
            return False
        acts = [_asked(act) for act in self.database.all(INBOX.acts_waiting, competition=competition, done=row["done_arrival"], most=most)]
        if not acts and (row["due_at"] is None or row["due_at"].timestamp() * 1000 > row["now"]):
            return False
        try:
            turn = self._turn(row, acts)
        except Broken as broken:
            return self._held_up(row, broken, acts)
        return self._written(row, turn, full=len(acts) == most)

    def _turn(self, row: Row, acts: list[Asked]) -> Turn:
        kind, state = self.kinds[row["kind"]], self._state(row)
        people = people_of(self.database, row, getattr(getattr(state, "settings", None), "opponents", ""))
        scene = scene_of(self.database, row, acts, kind.counts(state) if state is not None else ())
        turn = Turn(kind, state, row["version"], scene, people)
        turn.apart = KeptApart(self.database, row["competition_id"])
        turn.scene = replace(scene, blocks=turn.apart.blocks, kept=turn.apart.kept, told=lambda: (*self._told(row), *(one.event for one in turn.happened)),
                             past=lambda version: self._past(kind, row, version))
        turn.questions = {"page_at": lambda act: self._page_at(row, act, scene)}
        for act in acts:
            turn.take(_named(act, row))
        turn.advance(row["now"])
        return turn

    def _state(self, row: Row) -> Any:
        """The fold of all events, of which most are known already."""
        competition, version = row["competition_id"], row["version"]
        known, state = self.memory.kept(competition, version)
        if known < version:
            rows = self.database.all(INBOX.events_after, competition=competition, after=known, until=version)
            state = folded(self.kinds[row["kind"]], state, rows)
            self.memory.keep(competition, version, state)
        return state

    def _past(self, kind: Kind, row: Row, version: int) -> Any:
        """LG-1022 The state as it was then; only versions that are written can be asked for."""
        rows = self.database.all(INBOX.events_after, competition=row["competition_id"], after=0, until=min(version, row["version"]))
        return folded(kind, None, rows)

    def _told(self, row: Row) -> tuple[Any, ...]:
        """LG-985 Everything that has happened."""
        rows = self.database.all(INBOX.events_after, competition=row["competition_id"], after=0, until=row["version"])
        return tuple(stored(self.kinds[row["kind"]], one) for one in rows)

    def _written(self, row: Row, turn: Turn, *, full: bool) -> bool:
        competition = row["competition_id"]
        pages = self._pages(row, turn) if turn.happened else None
        last = self.database.one(INBOX.last_hash, competition=competition) if turn.happened else None
        rows = rows_of(turn, last["hash"] if last else FIRST_HASH)
        try:
            with self.database.transaction() as transaction:
                written = write(transaction, row, turn, rows, _due(row, turn), pages)
        except FateUnknown:
            self.memory.forget(competition)
            raise
        if not written:
            return True
        self.memory.keep(competition, turn.version, turn.state)
        self.bell.ring([(competition, turn.version), *((one.act.act_id, 1) for one in turn.became)])
        return full or bool(turn.happened)

    def _pages(self, row: Row, turn: Turn) -> Pages | None:
        """LG-1032 All pages that have changed; of a large field at most once a second, of a huge one all but its standing, and always
        everything when a round completes.
        """
        young = row["now"] - row["pages_at"].timestamp() * 1000 < PAGES_MS
        if row["entrants"] <= LARGE or turn.milestone or (row["entrants"] <= HUGE and not young):
            return ready(turn.kind.pages(turn.state, row["pages_version"], turn.scene), turn.version)
        if row["entrants"] <= HUGE:
            return None
        return ready(turn.kind.pages(turn.state, row["version"], replace(turn.scene, whole=False)), turn.version, whole=False)

    def refresh(self, competition: str) -> bool:
        """LG-1032 Pages that were left behind, at the version that is read now, whatever happens meanwhile."""
        row = self.database.one(INBOX.competition, competition=competition)
        if row is not None and row["show_at"] is not None and row["show_at"].timestamp() * 1000 <= row["now"]:
            return self._show(row)
        if row is None or row["pages_version"] >= row["version"] or row["now"] - row["pages_at"].timestamp() * 1000 < PAGES_MS:
            return False
        kind, state = self.kinds[row["kind"]], self._state(row)
        pages = ready(kind.pages(state, row["pages_version"], scene_of(self.database, row, (), kind.counts(state))), row["version"])
        with self.database.transaction() as transaction:
            if transaction.one(INBOX.lock_pages, competition=competition, version=row["version"]) is None:
                return False
            write_pages(transaction, competition, pages)
        self.bell.ring([(competition, row["version"])])
        return True

    def _show(self, row: Row) -> bool:
        """LG-810 For those who look on its time has come."""
        kind = self.kinds[row["kind"]]
        version = show(self.database, self.memory, kind, row, kind.delay(self._state(row)))
        if version is not None:
            self.bell.ring([(row["competition_id"], version)])
        return version is not None

    def _page_at(self, row: Row, act: Asked, scene: Scene) -> Any:
        """LG-804 A page as it was at a version: computed from the events up to it."""
        version, name = act.body.get("version"), act.body.get("name")
        if not isinstance(version, int) or not 0 < version <= row["version"]:
            raise Refused("malformed", "there is no such version", (row["version"],))
        kind = self.kinds[row["kind"]]
        rows = self.database.all(INBOX.events_after, competition=row["competition_id"], after=0, until=version)
        pages = kind.pages(folded(kind, None, rows), 0, scene)
        return [{"part": page.part, "body": page.body} for page in pages if page.name == name and page.body]

    def _held_up(self, row: Row, broken: Broken, acts: list[Asked]) -> bool:
        """A fault of our own stops this competition alone, and only at the act that met it; it is tried again later."""
        if len(acts) > 1:
            return self.carry_out(row["competition_id"], most=1)
        logger.error("competition_held_up", competition=row["competition_id"], error=str(broken))
        self.database.do(INBOX.hold_up, competition=row["competition_id"], version=row["version"], fault=str(broken)[:500])
        return False


def _asked(row: Row) -> Asked:
    return Asked(row["arrival"], row["act_id"], row["kind"], msgspec.json.decode(row["body"]), row["account_id"] or "", frozenset(row["roles"]), row["received"],
                 own=row["account_id"] is None, token=row["token_id"] or "")


def _named(act: Asked, row: Row) -> Asked:
    """Whoever makes a competition does not say its id, nor whose it is."""
    if act.kind != "create":
        return act
    return act._replace(body={**act.body, row["kind"]: row["competition_id"], "organisation": row["organisation_id"]})


def _due(row: Row, turn: Turn) -> int | None:
    """When to look again: at once if another tournament counts, which may have ended unheard (LG-602); never at once where nothing came of it."""
    if turn.state is not None and turn.kind.counts(turn.state) != turn.counted:
        return int(row["now"])
    due = turn.kind.due(turn.state) if turn.state is not None else None
    if due is None or turn.happened or turn.became:
        return due
    return max(due, int(row["now"]) + AGAIN_MS)
