"""What is each seat asked, and what may it, the host and the audience do now?"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from services.champions import commands, content
from services.champions.content.naming import plain, plain_all
from services.champions.state import (
    ABSENT_AFTER,
    CHAMPION_POLLS,
    NAME_POLLS,
    NOBODY,
    POLLS,
    READY,
    START_POLLS,
    TILES,
    WAITING,
    State,
)
from shared.kernel.choices import Choice, Label, Member, Number, One, Some, Text
from shared.kernel.game import AUDIENCE, HOST, Command, Phase, Poll, Question, Seat

LEAST, MOST = 1, 40  # CH-443
ON = ("quarter_final", "semi_final", "final")
PASSES = commands.MissClock()


def question(state: State, seat: Seat) -> Question | None:
    """What a seat is asked; after its answer it may still change or withdraw it, and nobody waits for that."""
    match state.stage:
        case "vote" if state.ready[seat] == WAITING or _is_asked(state, seat, given=bool(state.votes[seat])):
            return _vote(state.round, state.duel, state.duels[state.duel].situation.text, state.ready[seat] == WAITING)
        case "discussion" | "reveal" if seat not in state.left:
            return _pause(state.stage, state.duel_key(), state.duels[state.duel].situation.text)
        case "names" if state.shares[seat] and _is_asked(state, seat, given=state.ready[seat] == READY):
            return _name(state.key(), max(state.shares), state.ready[seat] == WAITING)
        case "clash" | "replacement":
            return _rename(state, seat)
        case "check" if _is_asked(state, seat, given=state.ready[seat] == READY):
            return _check(f"{state.key()}.{state.writing}", state.ready[seat] == WAITING)
        case "prediction" if _is_asked(state, seat, given=state.ready[seat] == READY):
            return _champion(state.key(), state.ready[seat] == WAITING)
    return None


def legal(state: State, seat: Seat) -> tuple[Choice, ...]:
    """The choices of a seat, of the host's chair or of the audience."""
    if seat == HOST:
        return _of_host(state)
    if seat == AUDIENCE:
        return _of_audience(state)
    if question(state, seat) is None:
        return ()
    match state.stage:
        case "vote":
            circle, triangle = state.duels[state.duel].contestants
            return _votes(state.contestant(circle), state.contestant(triangle), bool(state.votes[seat]))
        case "discussion" | "reveal":
            return _READIES[state.ready[seat] == READY]
        case "names" | "clash" | "replacement":
            return _writing(state, seat)
        case "check":
            return _marks(tuple([(index + 1, state.contestant(index)) for index in state.checking]))
        case "prediction" if state.ready[seat] == READY:
            return _WITHDRAWAL
        case "prediction":
            names = tuple([state.contestant(index) for index in range(TILES)])
            return _predictions(names, state.champions[seat] >= 0)
    return ()


def default(state: State, seat: Seat) -> Command:
    """CH-132, CH-169, CH-210, CH-250 What the clock answers; an audience that nobody counted has said nothing (CH-525)."""
    return counted(state, {}) if seat == AUDIENCE else PASSES


def counted(state: State, totals: Mapping[str, int]) -> Command:
    """CH-519, CH-524 The command of the audience for these totals per answer."""
    if state.stage == "gathering":
        return commands.CountPresent(totals.get("present", 0))
    return commands.CountVotes(totals.get("circle", 0), totals.get("triangle", 0))


def phase(state: State) -> Phase | None:
    """CH-401, CH-517, CH-524 What the clock alone ends: talk, pause, the least time of a vote, and the stages of a crowd."""
    if state.clock_out:
        return None
    match state.stage:
        case "discussion" | "reveal":
            return Phase(state.stage, state.duel_key())
        case "vote" if not state.boards:
            return Phase("vote", state.duel_key())
        case "vote" if state.options.has_audience():
            return Phase("opening", state.duel_key())
        case "names" | "prediction" if not state.boards:
            return Phase(state.stage, state.key())
        case "gathering" if not state.called:
            return Phase("gathering")
    return None


def poll(state: State) -> Poll | None:
    """CH-504, CH-505, CH-523, CH-524 What the audience is asked."""
    if not state.options.has_audience():
        return None
    match state.stage:
        case "gathering":
            return Poll(START_POLLS[state.attempt - 1], ("present",), closed=state.is_counting())
        case "names" if state.options.nominated():
            return Poll(NAME_POLLS[state.round - 1], once=False)
        case "prediction":
            return Poll(CHAMPION_POLLS[state.round - 1], tuple(str(number + 1) for number in range(TILES)), once=False)
        case "vote" | "count":
            return Poll(state.duel_key(), ("circle", "triangle"), closed=state.stage == "count")
    return None


def text_fault(state: State, seat: Seat, command: Command, text: str) -> str:
    """CH-129, CH-411, CH-443 to CH-447, CH-449 One code for every reason, and nothing that depends on hidden names of others."""
    language = state.options.language
    key = plain(text, language)
    if not content.may_be_shown(text, language) or key in _taken(state, seat, _named_anew(state, seat, command)):
        return "text_refused"
    if _sheets_only(state, seat) and key not in content.all_names(language):
        return "text_refused"
    return ""


def _is_asked(state: State, seat: Seat, *, given: bool) -> bool:
    """CH-404, CH-406 Not decided yet; or decided, and free to change it; an absent seat may still come back."""
    return state.ready[seat] == WAITING or (seat not in state.left and (given or state.missed[seat] > ABSENT_AFTER))


def _sheets_only(state: State, seat: Seat) -> bool:
    """CH-446, CH-449."""
    return state.options.policy == "sheets" or (seat >= 0 and state.strikes[seat] >= 2)


def _named_anew(state: State, seat: Seat, command: Command) -> int:
    """CH-128, CH-416 The tile that is written on: its own name may stand there again, or in another spelling; -1: none."""
    match command:
        case commands.WriteName(tile):
            return state.own_tiles(seat)[tile - 1]
        case commands.SetName(tile):
            return state.free_tiles()[tile - 1]
    return -1


def _taken(state: State, seat: Seat, but: int = -1) -> set[str]:
    """CH-129, CH-165, CH-168, CH-342, CH-447 What this reader knows to be taken: barred names, those of the players where the
    policy asks for it, its own save for that on one tile, and those in public places.
    """
    language = state.options.language
    writer = NOBODY if seat == HOST and state.options.crowd else seat
    keys = {*plain_all(state.barred, language), *plain_all(state.options.not_allowed(), language)}
    for index, tile in enumerate(state.tiles):
        if tile.writer == writer or (state.placed and not tile.fresh):
            if index != but:
                keys.add(plain(tile.name, language))
            if tile.former:
                keys.add(plain(tile.former, language))
    return keys


def _rename(state: State, seat: Seat) -> Question | None:
    """CH-129, CH-164 In secret, and on a clock that runs to its end even for those who are absent or gone."""
    asked = [tile for tile in state.tiles if tile.asked and tile.writer == seat]
    needed = [tile for tile in asked if not tile.name and not tile.lapsed]
    if not needed and not [tile for tile in asked if tile.name]:
        return None
    former = ", ".join([tile.former for tile in asked])
    return _rewrite("CH-164" if state.placed else "CH-129", f"{state.key()}.{state.writing}", former, bool(needed))


def _writing(state: State, seat: Seat) -> tuple[Choice, ...]:
    own = [state.tiles[index] for index in state.own_tiles(seat)]
    if state.stage == "names":
        tiles = _blanks(len(own))
    else:
        tiles = _again(tuple([(number, tile.former) for number, tile in enumerate(own, start=1) if tile.asked]))
    write = Choice(commands.WriteName, _WRITE, {"tile": tiles, "name": _text(state, seat)})
    if state.stage == "names" and state.ready[seat] == READY:
        return write, Choice(commands.WipeName, _WIPE, {"tile": tiles})
    return (write,)


def _text(state: State, seat: Seat) -> Text:
    """CH-126, CH-446, CH-449 A free text with suggestions, as far as this seat knows them to be free; those of all sheets where
    no other names are allowed.
    """
    language = state.options.language
    strict = _sheets_only(state, seat)
    free = dict(content.all_names(language) if strict else content.sheet(language, state.sheets[seat] if seat >= 0 else ""))
    for key in _taken(state, seat):
        free.pop(key, None)
    return Text(LEAST, MOST, policy="sheets" if strict else state.options.policy, suggestions=tuple(free.values()))


def _of_host(state: State) -> tuple[Choice, ...]:
    """CH-450, CH-523, CH-524."""
    choices: list[Choice] = []
    if state.stage == "gathering" and not state.called:
        choices.append(Choice(commands.Start, Label("start")))
    if state.stage == "names" and state.options.nominated():
        text = _text(state, HOST)
        choices.append(Choice(commands.ApproveName, Label("approve_name"), {"name": text}))
        choices.append(Choice(commands.RefuseName, Label("refuse_name"), {"name": text}))
    if state.stage == "names" and state.options.crowd:
        free = _blanks(len(state.free_tiles()))
        choices.append(Choice(commands.SetName, Label("set_name"), {"tile": free, "name": _text(state, HOST)}))
    shown = [index for index in range(TILES) if state.contestant(index) and not state.tiles[index].masked]
    if state.placed and shown and state.stage != "over":
        names = tuple(Member(index + 1, _contestant(index + 1, state.contestant(index))) for index in shown)
        choices.append(Choice(commands.MaskName, Label("mask_name"), {"contestant": One(names)}))
    return tuple(choices)


def _of_audience(state: State) -> tuple[Choice, ...]:
    if not state.is_counting():
        return ()
    most = Number(0, state.options.most_members)
    if state.stage == "gathering":
        return (Choice(commands.CountPresent, Label("count_present"), {"present": most}),)
    return (Choice(commands.CountVotes, Label("count_votes"), {"circle": most, "triangle": most}),)


def _contestant(number: int, name: str) -> Label:
    return Label("contestant", number=number, name=name)


@lru_cache(maxsize=16)
def _blanks(count: int) -> One:
    return One(tuple(Member(number, Label("tile", tile=number)) for number in range(1, count + 1)))


@lru_cache(maxsize=1024)
def _again(former: tuple[tuple[int, str], ...]) -> One:
    return One(tuple(Member(number, Label("tile_again", tile=number, name=name)) for number, name in former))


@lru_cache(maxsize=1024)
def _vote(round_: int, duel: int, situation: str, needed: bool) -> Question:  # noqa: FBT001 - a key of the cache
    return Question("vote", "CH-242", POLLS[round_ - 1][duel], needed=needed, facts={"round": round_, "situation": situation})


@lru_cache(maxsize=1024)
def _pause(stage: str, duel: str, situation: str) -> Question:
    """CH-246, CH-402."""
    return Question(stage, "CH-246" if stage == "discussion" else "CH-402", duel, needed=False, facts={"situation": situation})


@lru_cache(maxsize=64)
def _name(about: str, most: int, needed: bool) -> Question:  # noqa: FBT001 - a key of the cache
    return Question("name", "CH-123", about, needed=needed, clock="names", times=most)


@lru_cache(maxsize=1024)
def _rewrite(rule: str, about: str, former: str, needed: bool) -> Question:  # noqa: FBT001 - a key of the cache
    facts: dict[str, str | int] = {"former": former}
    return Question("rename", rule, about, needed=needed, clock="replacement", patient=True, secret=True, facts=facts)


@lru_cache(maxsize=64)
def _check(about: str, needed: bool) -> Question:  # noqa: FBT001 - a key of the cache
    return Question("check", "CH-162", about, needed=needed)


@lru_cache(maxsize=64)
def _champion(about: str, needed: bool) -> Question:  # noqa: FBT001 - a key of the cache
    return Question("champion", "CH-202", about, needed=needed, clock="prediction")


@lru_cache(maxsize=1024)
def _votes(circle: str, triangle: str, voted: bool) -> tuple[Choice, ...]:  # noqa: FBT001 - a key of the cache
    """CH-242, CH-247."""
    cards = (Member("circle", Label("vote_circle", name=circle)), Member("triangle", Label("vote_triangle", name=triangle)))
    lay = Choice(commands.Vote, Label("vote"), {"symbol": One(cards)})
    return (lay, Choice(commands.WithdrawVote, Label("withdraw_vote"))) if voted else (lay,)


@lru_cache(maxsize=1024)
def _marks(shown: tuple[tuple[int, str], ...]) -> tuple[Choice, ...]:
    """CH-162, CH-448."""
    names = tuple(Member(number, _contestant(number, name)) for number, name in shown)
    some = Some(names, least=0, most=len(names))
    return (Choice(commands.CheckNames, Label("check_names"), {"unknown": some, "report": some}),)


@lru_cache(maxsize=1024)
def _predictions(names: tuple[str, ...], chosen: bool) -> tuple[Choice, ...]:  # noqa: FBT001 - a key of the cache
    """CH-202, CH-203, CH-207."""
    contestants = One(tuple(Member(number, _contestant(number, name)) for number, name in enumerate(names, start=1)))
    through = One(tuple(Member(stage, Label(f"through_{stage}")) for stage in ON))
    choose = Choice(commands.ChooseChampion, Label("choose_champion"), {"contestant": contestants})
    note = Choice(commands.NoteWinner, Label("note_winner"), {"contestant": contestants, "through": through})
    confirm = Choice(commands.ConfirmPrediction, Label("confirm_prediction"))
    return (choose, confirm, note) if chosen else (choose, note)


_WRITE, _WIPE = Label("write_name"), Label("wipe_name")
_WITHDRAWAL = (Choice(commands.WithdrawConfirmation, Label("withdraw_confirmation")),)
_READIES = (
    (Choice(commands.BeReady, Label("be_ready")),),
    (Choice(commands.WithdrawReadiness, Label("withdraw_readiness")),),
)
