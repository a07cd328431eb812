"""What does each seat see, as a picture is drawn from it and as text?"""

from __future__ import annotations

from msgspec import Struct

from services.golden_cup.state import (
    LEVELS,
    SLOTS,
    TOKENS,
    Automa,
    DeckPile,
    Fixture,
    Outcome,
    Penalty,
    Printed,
    State,
    Step,
    Task,
    Team,
    Total,
)
from shared.kernel.choices import Label
from shared.kernel.content import Words
from shared.kernel.game import Seat


class DeckView(Struct, frozen=True):
    """A deck: how many cards, how many on the pile, and which of these were discarded openly."""

    level: str
    cards: int
    pile: int
    shown: tuple[str, ...]


class SeatView(Struct, frozen=True):
    """What everybody sees of a seat."""

    seat: Seat
    hand: int
    discarded: int  # cards of the hand, the last time
    champions: tuple[str, ...]
    line_up: tuple[str, ...]
    bench: tuple[str, ...]
    tokens: tuple[int, ...]  # A1 to A4, D1 to D4
    supply: tuple[int, ...]
    fame: int
    scout: str
    stadium: str
    coins: int
    sponsors: tuple[int, int]
    answered: bool
    tasks: tuple[Task, ...]
    put_off: tuple[Step, ...]
    supporter: str | None  # once it is turned over
    record: tuple[int, int, int, int]  # won, drawn, lost, goals
    total: Total | None
    left: bool


class AutomaView(Struct, frozen=True):
    """The Automa, all of it open."""

    seat: Seat
    tokens: tuple[int, ...]
    spaces: tuple[tuple[str, ...], ...]
    fame: int
    scout: str


class OwnView(Struct, frozen=True):
    """What a seat alone sees."""

    seat: Seat
    hand: tuple[str, ...]
    offered: tuple[str, ...]
    supporter: str | None
    answer: tuple[str, ...] | None


class View(Struct, frozen=True):
    """The table as a reader sees it."""

    you: Seat | None
    stage: str
    round: int
    seats: tuple[SeatView, ...]
    automa: AutomaView | None
    own: OwnView | None
    decks: tuple[DeckView, ...]
    tiles: tuple[str, ...]
    schedule: tuple[tuple[str, ...], ...]
    printed: Printed | None
    fixtures: tuple[Fixture, ...]
    played: tuple[Outcome, ...]
    finalists: tuple[Seat, ...]
    penalties: tuple[Penalty, ...]
    winner: Seat | None


def look(state: State, seat: Seat | None) -> View:
    """GC-800 to GC-809 Nothing hidden but the reader's own: no hand, no supporter, no answer of others, no order of decks."""
    return View(
        you=seat,
        stage=state.stage,
        round=state.round,
        seats=tuple(_seat(state, other, team) for other, team in enumerate(state.teams)),
        automa=_automa(state.automa, len(state.teams)) if state.automa else None,
        own=_own(seat, state.teams[seat]) if seat is not None and seat >= 0 else None,
        decks=tuple(_deck(level, deck) for level, deck in zip(LEVELS, state.decks, strict=True)),
        tiles=state.tiles,
        schedule=state.schedule,
        printed=state.printed,
        fixtures=state.fixtures,
        played=state.played,
        finalists=state.finalists,
        penalties=state.penalties,
        winner=state.winner,
    )


def _deck(level: str, deck: DeckPile) -> DeckView:
    return DeckView(level, len(deck.cards), len(deck.pile) + len(deck.shown), deck.shown)


def _automa(automa: Automa, seat: Seat) -> AutomaView:
    return AutomaView(seat, automa.tokens, automa.spaces, automa.fame, LEVELS[automa.scout])


def _own(seat: Seat, team: Team) -> OwnView:
    return OwnView(seat, team.hand, team.offered, team.supporter or None, team.answer)


def _seat(state: State, seat: Seat, team: Team) -> SeatView:
    played = sum(seat in outcome.seats for outcome in state.played)
    return SeatView(
        seat=seat,
        hand=len(team.hand),
        discarded=team.discarded,
        champions=team.champions,
        line_up=team.line_up,
        bench=tuple(name for name in team.champions if name not in team.line_up),
        tokens=team.tokens,
        supply=team.supply,
        fame=team.fame,
        scout=LEVELS[team.scout],
        stadium=LEVELS[team.stadium],
        coins=team.coins,
        sponsors=team.sponsors,
        answered=_has_answered(state, seat, team),
        tasks=team.tasks,
        put_off=team.put_off,
        supporter=team.supporter if state.totals else None,
        record=(team.wins, team.draws, played - team.wins - team.draws, team.goals),
        total=state.totals[seat] if state.totals else None,
        left=team.left,
    )


def _has_answered(state: State, seat: Seat, team: Team) -> bool:
    """Whether nobody waits for this seat."""
    match state.stage:
        case "supporters":
            return bool(team.supporter)
        case "campaign":
            return team.has_bought()
        case "discard":
            return team.answer is not None or not team.hand
        case "line_up" | "final" | "penalties":
            return seat not in state.playing() or team.answer is not None or not team.champions
        case "fixtures" | "over":
            return not team.tasks


def text(view: View, words: Words) -> str:
    """PL-359 The view in lines, complete enough to play by; behind it what every card in sight can do."""

    def say(key: str, **facts: object) -> str:
        return words.say(Label(key, **facts), "pages")

    lines = [say("head", round=view.round, stage=view.stage)]
    lines += _printed_lines(view.printed, words) if view.printed else []
    lines += [say("deck", level=deck.level, cards=deck.cards, pile=deck.pile, shown=deck.shown or "-") for deck in view.decks]
    for seat in view.seats:
        lines += _seat_lines(seat, words)
    if view.automa:
        lines.append(say("automa", seat=view.automa.seat, tokens=_tokens(view.automa.tokens), fame=view.automa.fame))
        waiting = [f"{number}: {' '.join(space)}" for number, space in enumerate(view.automa.spaces, start=1) if space]
        lines.append(say("automa_spaces", spaces=waiting or "-", level=view.automa.scout))
    for seat_number, fields in enumerate(view.schedule):
        lines.append(say("schedule", seat=seat_number, tile=view.tiles[seat_number], fields=fields))
    for fixture in view.fixtures:
        lines += _fixture_lines(fixture, words)
    lines += [say("played", **_result(outcome)) for outcome in view.played]
    for shot in view.penalties:
        key = "penalty_scored" if shot.scored else "penalty_missed"
        nobody = "base_champion" if shot.seat < len(view.seats) else "-"  # GC-611: no base Champion shoots for the Automa
        lines.append(say(key, seat=shot.seat, slot=shot.slot, champion=shot.champion or nobody, dice=shot.dice or "-"))
    if view.finalists:
        lines.append(say("finalists", seats=view.finalists))
    if view.winner is not None:
        lines.append(say("winner", seat=view.winner))
    cards = [say("card", card=name, about=Label(f"about_{name}")) for name in _in_sight(view)]
    return "\n".join([*lines, *_own_lines(view, words), *cards])


def _printed_lines(printed: Printed, words: Words) -> list[str]:
    """What the boards show to everybody: faces, ends of matches, coins, prices, and what brings Fame."""
    faces = [f"{slot}: {' '.join(map(str, its))}" for slot, its in zip(SLOTS, printed.faces, strict=True)]
    facts = {"coins": printed.stadium_coins, "cost": printed.stadium_cost, "win": printed.win_bonus, "fame": printed.finance_fame}
    return [words.say(Label("printed", faces=faces, end=printed.end_space), "pages"), words.say(Label("worth", **facts), "pages")]


def _in_sight(view: View) -> tuple[str, ...]:
    """Every card that this reader sees: in teams, openly on a discard pile, turned over, and its own."""
    seen = [name for seat in view.seats for name in seat.champions]
    seen += [name for deck in view.decks for name in deck.shown]
    seen += [seat.supporter for seat in view.seats if seat.supporter]
    seen += [*view.own.hand, *view.own.offered] if view.own else []
    return tuple(dict.fromkeys(seen))


def _tokens(counts: tuple[int, ...]) -> str:
    return " ".join(token for token, count in zip(TOKENS, counts, strict=True) for _ in range(count)) or "-"


def _result(outcome: Outcome) -> dict[str, object]:
    first, second = outcome.seats
    goals = f"{outcome.goals[0]}:{outcome.goals[1]}"
    return {"round": outcome.round, "field": outcome.field, "first_seat": first, "second_seat": second, "goals": goals}


def _seat_lines(seat: SeatView, words: Words) -> list[str]:
    def say(key: str, **facts: object) -> str:
        return words.say(Label(key, **facts), "pages")

    status = "left" if seat.left else "answered" if seat.answered else "deciding"
    facts = {
        "fame": seat.fame,
        "coins": seat.coins,
        "hand": seat.hand,
        "gone": seat.discarded,
        "status": Label(f"status_{status}"),
    }
    lines = [say("seat", seat=seat.seat, scout=seat.scout, stadium=seat.stadium, **facts)]
    plus, minus = seat.sponsors
    lines.append(say("tokens", tokens=_tokens(seat.tokens), supply=_tokens(seat.supply), plus=plus, minus=minus))
    line_up = [f"{slot}: {words.name(name or 'base_champion')}" for slot, name in zip(SLOTS, seat.line_up, strict=True)]
    lines.append(say("champions", champions=seat.champions or "-", line_up=line_up))
    won, drawn, lost, goals = seat.record
    lines.append(say("record", won=won, drawn=drawn, lost=lost, goals=goals))
    lines += [_task_line(task, words) for task in (*seat.tasks, *seat.put_off)]
    if seat.supporter and seat.total:
        own = seat.total
        parts = {"fame": own.fame, "champions": own.champions, "finance": own.finance, "worth": own.supporter}
        lines.append(say("total", supporter=seat.supporter, total=own.total, coins=own.coins, **parts))
    return lines


def _task_line(task: Task, words: Words) -> str:
    if isinstance(task, Step):
        does = Label(f"does_{task.does}", kind=task.kind, n=task.n)
        label = Label("step", does=does, times=task.times, champion=task.champion or "training")
    else:
        label = Label("block", champion=task.champion, number=task.effect + 1)
    return words.say(label, "pages")


def _fixture_lines(fixture: Fixture, words: Words) -> list[str]:
    first, second = fixture.seats
    goals = f"{fixture.goals[0]}:{fixture.goals[1]}"
    facts = {"field": fixture.field, "first_seat": first, "second_seat": second, "goals": goals}
    lines = [words.say(Label("fixture", bag=fixture.bag, end=fixture.end, **facts), "pages")]
    for number, spot in enumerate(fixture.track, start=1):
        key = f"spot_{spot.outcome}" if spot.outcome else "spot_defense" if spot.token else "spot_break"
        facts = {"number": number, "seat": spot.seat, "token": spot.token, "value": spot.value, "slot": spot.slot}
        flipped = Label("flipped") if spot.flipped and not spot.outcome else Label("upright")
        lines.append(words.say(Label(key, dice=spot.dice or "-", flipped=flipped, **facts), "pages"))
    return lines


def _own_lines(view: View, words: Words) -> list[str]:
    own = view.own
    if own is None:
        return []
    lines = [words.say(Label("own_hand", cards=own.hand or "-"), "pages")]
    if own.offered and not own.supporter:
        lines.append(words.say(Label("own_offered", offered=own.offered), "pages"))
    if own.supporter:
        lines.append(words.say(Label("own_supporter", supporter=own.supporter), "pages"))
    if own.answer is not None:
        answer = [words.name(name or "base_champion") for name in own.answer]
        lines.append(words.say(Label("own_answer", answer=answer or "-"), "pages"))
    return lines
