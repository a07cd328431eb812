"""What may each seat do now, what is it asked, and what is the safe answer? For the choices themselves see choice_legal.py."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from services.golden_goal import choice_legal as offer
from services.golden_goal import commands, content
from services.golden_goal.goods_state import decider, has_for_sale, is_awaited, least_bid, means
from services.golden_goal.state import (
    Auction,
    Bet,
    Card,
    Demand,
    MatchEnd,
    Offer,
    Outcome,
    Pick,
    Place,
    Purchase,
    Scouting,
    Shortfall,
    State,
    Task,
    Visit,
)
from shared.kernel.choices import Choice
from shared.kernel.game import Command, Phase, Question, Seat

Facts = tuple[tuple[str, str | int], ...]
MARKET = Question("market", "GG-481", needed=False)


class Decision(NamedTuple):
    """A line of the table of decisions: who is asked, what, what is on offer, and what the clock answers."""

    asks: Callable[[State, Any, Seat], bool]
    question: Callable[[State, Any], Question]
    choices: Callable[[State, Any, Seat], tuple[Choice, ...]]
    default: Callable[[State, Any, Seat], Command]


@lru_cache(maxsize=4096)
def put(name: str, rule: str, about: str, facts: Facts = (), clock: str = "") -> Question:
    """The same question is the same thing, so that nobody has to compare it."""
    return Question(name, rule, about, clock=clock, facts=dict(facts))


@lru_cache(maxsize=1024)
def put_live(item: str, bid: int) -> Question:
    return Question("live_bid", "GG-211", item, needed=False, facts={"item": item, "bid": bid})


def question(state: State, seat: Seat) -> Question | None:
    """GG-139 What a seat is asked; besides, everybody may sell to the Bank at any time, and nobody waits for that (GG-481)."""
    player = state.players[seat]
    if state.stage == "over" or player.left:
        return None
    if state.stack:
        task = state.stack[-1]
        decision = DECISIONS[type(task)]
        if decision.asks(state, task, seat):
            return decision.question(state, task)
    elif seat == state.turn:
        return of_turn(state)
    return MARKET if has_for_sale(state, seat) and not player.leaving else None


def of_turn(state: State) -> Question:
    """GG-131, GG-134, GG-152."""
    round_ = str(state.round)
    if state.stage == "before":
        return put("roll", "GG-131", round_)
    if state.stage == "rolled":
        first, second = state.roll
        square = (state.square_of(state.turn) + first + second) % len(state.board.squares)
        return put("reroll", "GG-152", f"{round_}.{first}.{second}", (("total", first + second), ("square", square)))
    return put("free", "GG-134", round_)


def legal(state: State, seat: Seat) -> tuple[Choice, ...]:
    """What a seat may do; empty for the host's chair and the audience."""
    if seat < 0 or state.stage == "over" or state.players[seat].left:
        return ()
    if state.stack:
        task = state.stack[-1]
        decision = DECISIONS[type(task)]
        if decision.asks(state, task, seat):
            return decision.choices(state, task, seat) + offer.sales(state, seat)
    elif seat == state.turn:
        return offer.of_turn(state, seat) + offer.sales(state, seat)
    return () if state.players[seat].leaving else offer.sales(state, seat)


def default(state: State, seat: Seat) -> Command:
    """GG-631 The safe answer of the table of decisions."""
    if state.stack:
        task = state.stack[-1]
        return DECISIONS[type(task)].default(state, task, seat)
    return {"before": commands.Roll(), "rolled": commands.KeepRoll()}.get(state.stage, commands.PassDice())


def standing(state: State, seat: Seat) -> tuple[Question, ...]:
    """GG-631 The decisions that a seat goes on with as soon as somebody else's answer is in: its turn, and what is begun but not on top."""
    if not state.stack or state.players[seat].left:
        return ()
    begun = [(DECISIONS[type(task)], task) for task in state.stack[:-1] if type(task) in DECISIONS and not _is_settled(task)]
    own = tuple(decision.question(state, task) for decision, task in begun if decision.asks(state, task, seat))
    return (*own, of_turn(state)) if seat == state.turn else own


def phase(state: State) -> Phase | None:
    """GG-211 The clock of a live auction, begun anew with every bid."""
    top = state.stack[-1] if state.stack and state.options.live_auctions else None
    if type(top) is Auction and top.kind != "reserved":
        return Phase("live_auction", f"{top.item}.{top.number}")
    return None


def _is_settled(task: Task) -> bool:
    """A card whose effects are being carried out asks nobody any more."""
    return type(task) is Card and (task.stage == "apply" or (task.stage == "settle" and not task.todo))


def _active(state: State, _task: Task, seat: Seat) -> bool:
    return seat == state.turn


def _named(_state: State, task: Any, seat: Seat) -> bool:
    return bool(seat == task.seat)


def _bidder(state: State, task: Auction, seat: Seat) -> bool:
    if state.options.live_auctions and task.kind != "reserved":
        return seat in task.bidders and seat != task.high and is_awaited(state, seat, task) and not state.players[seat].leaving
    return seat == task.bidders[0]


def _card_asks(state: State, task: Card, seat: Seat) -> bool:
    if task.stage == "react":
        return seat in task.reactors and task.reactions[task.reactors.index(seat)] is None
    return seat == state.turn


def _bid_question(state: State, task: Auction) -> Question:
    if state.options.live_auctions and task.kind != "reserved":
        return put_live(task.item, task.bid)
    least = least_bid(state, task)
    return put("bid", "GG-221" if task.kind == "reserved" else "GG-204", task.item, (("item", task.item), ("least", least)))


def _card_question(state: State, task: Card) -> Question:
    facts: Facts = (("card", task.card),)
    if task.stage == "react":
        return put("react", "GG-256", task.card, facts)
    kind = offer.card_choice(state, task)
    return put(f"card_{kind}", {"branch": "GG-570", "target": "GG-576", "tile": "GG-561"}[kind], task.card, facts, "card")


def _visit_question(state: State, task: Visit) -> Question:
    facts: Facts = (("tile", task.tile),)
    if decider(state, task, content.USES) == state.turn:
        return put("offside", "GG-594", task.tile, facts)
    return put("double", "GG-593", task.tile, facts)


def _match_end_question(state: State, task: MatchEnd) -> Question:
    about = str(state.players[state.turn].matches)
    if task.step == 1:
        return put("goal_actions", "GG-302", about, (("marker", state.players[state.turn].marker),))
    return put("tokens", "GG-316", about)


def _default_bid(_state: State, _task: Auction, _seat: Seat) -> Command:
    return commands.PassBid()


def _default_card(state: State, task: Card, seat: Seat) -> Command:
    if task.stage == "react":
        return commands.LetHappen()
    return offer.default_card(state, task, seat)


def _default_match_end(_state: State, task: MatchEnd, _seat: Seat) -> Command:
    return commands.BuyGoalActions(0) if task.step == 1 else commands.BuyTokens(())


DECISIONS: dict[type, Decision] = {
    Purchase: Decision(
        _active,
        lambda _state, task: put("purchase", "GG-172", task.tile, (("tile", task.tile), ("price", task.price))),
        offer.purchase,
        lambda *_: commands.GiveUp(),
    ),
    Demand: Decision(
        lambda _state, task, seat: seat == task.owner,
        lambda _state, task: put("demand", "GG-177", task.tile, (("tile", task.tile), ("price", task.price))),
        lambda *_: offer.DEMAND,
        lambda *_: commands.LetBuy(),
    ),
    Auction: Decision(_bidder, _bid_question, offer.bids, _default_bid),
    MatchEnd: Decision(_active, _match_end_question, offer.match_end, _default_match_end),
    Outcome: Decision(
        _named,
        lambda state, task: put(
            "green", "GG-431", f"{task.purpose}.{state.round}", (("face", task.face), ("purpose", task.purpose))
        ),
        lambda state, _task, seat: offer.green(means(state, seat, "die_token", "green_die", content.USES)),
        lambda *_: commands.LeaveColour(),
    ),
    Visit: Decision(
        lambda state, task, seat: seat == decider(state, task, content.USES),
        _visit_question,
        offer.visit,
        lambda *_: commands.HoldBack(),
    ),
    Card: Decision(_card_asks, _card_question, offer.card, _default_card),
    Pick: Decision(
        _named,
        lambda state, _task: put("pick", "GG-561", str(state.round), clock="card"),
        lambda _state, task, _seat: offer.tiles(task.tiles),
        offer.default_pick,
    ),
    Scouting: Decision(
        _active,
        lambda state, _task: put("scouting", "GG-573", str(state.round), clock="card"),
        offer.scouting,
        lambda *_: commands.DeclineScouted(),
    ),
    Bet: Decision(
        _active, lambda state, _task: put("bet", "GG-284", str(state.round)), offer.bet, lambda *_: commands.DeclineBet()
    ),
    Shortfall: Decision(
        _named,
        lambda state, task: put("shortfall", "GG-502", str(state.round), (("amount", task.amount),)),
        lambda *_: (),
        offer.default_sale,
    ),
    Place: Decision(
        _named,
        lambda _state, task: put("place_cup", "GG-392", task.cup, (("cup", task.cup),)),
        lambda state, _task, seat: offer.places(state.teams_of(seat)),
        offer.default_place,
    ),
    Offer: Decision(
        lambda _state, task, seat: seat == task.deal.partner,
        lambda state, _task: put("answer", "GG-454", f"{state.round}.{state.offers}", (("seat", state.turn),)),
        lambda *_: offer.ANSWERS,
        lambda *_: commands.RefuseDeal(),
    ),
}
