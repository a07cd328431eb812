"""What may each seat do now, what is it asked, and what is the safe answer?"""

from __future__ import annotations

from collections.abc import Mapping

from shared.kernel.choices import Choice, Goods, Label, Lot, Member, Number, One, Some, Text
from shared.kernel.game import AUDIENCE, HOST, Command, Phase, Poll, Question, Seat
from tests.laws.pebbles import content
from tests.laws.pebbles.commands import Beg, Cheer, Give, Hide, KeepAll, MoveOn, NameHeap, Rest, Spare, Throw
from tests.laws.pebbles.state import NOBODY, State


def question(state: State, seat: Seat) -> Question | None:
    """What a seat is asked; naming and giving are never waited for (PB-111, PB-142)."""
    heap = state.heaps[seat]
    if heap.gone:
        return None
    match state.stage:
        case "throw" if seat == state.begged:
            return Question("spare", "PB-125", about=f"{state.round}.{state.turn}", facts={"seat": state.turn})
        case "throw" if seat == state.turn:
            return _throw(state) if state.begged == NOBODY else None
        case "throw" if state.round == 1 and not heap.name:
            return Question("name", "PB-111", needed=False)
        case "hide":
            return Question("hide", "PB-131", about=str(state.round), needed=heap.fist is None)
        case "look" if heap.pebbles:
            return Question("give", "PB-142", about=str(state.round), needed=False)
    return None


def standing(state: State, seat: Seat) -> tuple[Question, ...]:
    """PB-126 Whoever has asked for a pebble throws afterwards, in the time that is left."""
    return (_throw(state),) if seat == state.turn and state.begged != NOBODY else ()


def legal(state: State, seat: Seat) -> tuple[Choice, ...]:
    """The choices of a seat, of the host's chair or of the crowd."""
    if seat == HOST:
        return (Choice(MoveOn, Label("move_on")),) if state.stage == "look" else ()
    if seat == AUDIENCE:
        return (_cheer(state),) if state.stage == "cheer" else ()
    asked = question(state, seat)
    match asked and asked.name:
        case "throw":
            return Choice(Rest, Label("rest")), Choice(Throw, Label("throw"), {"dice": Number(1, 3)}), *_beg(state, seat)
        case "spare":
            return Choice(KeepAll, Label("keep_all")), Choice(Spare, Label("spare"), {"pebble": One(_own(state, seat))})
        case "name":
            return (Choice(NameHeap, Label("name"), {"name": Text(1, 20, suggestions=content.BASE.names)}),)
        case "hide":
            return (_hide(state, seat),)
        case "give":
            return (_give(state, seat),)
    return ()


def default(state: State, seat: Seat) -> Command:
    """PB-124, PB-125, PB-136 Rest, keep, or hide nothing; a crowd that says nothing cheers for the first heap."""
    if seat == AUDIENCE:
        return Cheer(state.staying()[0])
    if seat == state.begged:
        return KeepAll()
    return Rest() if state.stage == "throw" else Hide(())


def phase(state: State) -> Phase | None:
    """PB-141 The clock ends the looking."""
    return Phase("look", about=str(state.round)) if state.stage == "look" else None


def poll(state: State) -> Poll | None:
    """PB-143 The crowd is asked while everybody looks, and counted afterwards."""
    if not state.options.crowd or state.stage not in {"look", "cheer"}:
        return None
    return Poll("cheer", tuple(str(seat) for seat in state.staying()), closed=state.stage == "cheer")


def counted(state: State, totals: Mapping[str, int]) -> Command:
    """PB-143 The crowd's favourite; a crowd that says nothing cheers for the first heap."""
    said = {answer: count for answer, count in totals.items() if int(answer) in state.staying()}
    return Cheer(favourite(said) if said else state.staying()[0])


def favourite(totals: Mapping[str, int]) -> Seat:
    """Of several with most voices the first."""
    return min(map(int, totals), key=lambda seat: (-totals[str(seat)], seat))


def text_fault(state: State, _seat: Seat, _command: Command, text: str) -> str:
    """PB-112 A name is used once."""
    return "text_refused" if text.casefold() in {heap.name.casefold() for heap in state.heaps} else ""


def _throw(state: State) -> Question:
    return Question("throw", "PB-121", about=str(state.round), facts={"round": state.round})


def _own(state: State, seat: Seat) -> tuple[Member, ...]:
    return tuple(Member(pebble, Label("pebble", pebble=pebble)) for pebble in state.heaps[seat].pebbles)


def _beg(state: State, seat: Seat) -> tuple[Choice, ...]:
    """PB-125 Once a turn, of a seat that has pebbles."""
    rich = tuple(Member(other, Label("heap", seat=other)) for other in state.staying() if other != seat and state.heaps[other].pebbles)
    return (Choice(Beg, Label("beg"), {"heap": One(rich)}),) if rich and not state.has_begged else ()


def _cheer(state: State) -> Choice:
    heaps = tuple(Member(seat, Label("heap", seat=seat)) for seat in state.staying())
    return Choice(Cheer, Label("cheer"), {"heap": One(heaps)})


def _hide(state: State, seat: Seat) -> Choice:
    own = _own(state, seat)
    return Choice(Hide, Label("hide"), {"pebbles": Some(own, least=0, most=min(3, len(own)))})


def _give(state: State, seat: Seat) -> Choice:
    own = tuple(Lot(pebble, Label("pebble", pebble=pebble)) for pebble in state.heaps[seat].pebbles)
    others: dict[str, tuple[Lot, ...]] = {str(other): () for other in state.staying() if other != seat}
    return Choice(Give, Label("give"), {"deal": Goods(own, others)})
