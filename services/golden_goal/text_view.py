"""How does the table read in lines of text, complete enough to play by (PL-359)?"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from services.golden_goal.view import HitView, NowView, SeatView, SquareView, View
from shared.kernel.choices import Label
from shared.kernel.content import Words

Say = Callable[..., str]
NOTE = 100_000


def text(view: View, words: Words) -> str:
    """PL-359 Head, players, cups, the ring, and what is being resolved."""

    def say(key: str, **facts: object) -> str:
        return words.say(Label(key, **facts), "pages")

    lines = [say("head", round=view.round, stage=view.stage, seat=view.turn, target=view.target, cap=view.cap)]
    if view.last_round:
        lines.append(say("last_round"))
    if view.roll:
        lines.append(say("rolled", first=view.roll[0], second=view.roll[1]))
    lines.append(say("supply", die=view.supply["die"], event=view.supply["event"], offers=view.offers))
    if view.bank is not None:
        lines.append(say("bank", amount=view.bank))
    lines += [say("deck", deck=deck.deck, cards=deck.cards) for deck in view.decks]
    if view.drawn:
        lines.append(say("drawn", cards=view.drawn))
    lines += [_result_line(view, colour, say) for colour in ("green", "yellow", "red")]
    shown = sorted({*view.drawn, *(card for seat in view.seats for card in seat.kept)})
    lines += [say("card_text", card=card, text=words.say(Label(f"about_{card}"))) for card in shown]
    for seat in view.seats:
        lines += _seat_lines(seat, say, words)
    for cup in view.cups:
        holder = say("bank_name") if cup.holder is None else say("player", seat=cup.holder)
        lines.append(say("cup", cup=cup.cup, threshold=cup.threshold, holder=holder, team=cup.team or say("no_team")))
    lines += [_square_line(square, say) for square in view.squares]
    lines += [line for task in view.now for line in _now_lines(task, say)]
    lines += [say("place", seat=seat.seat, place=seat.place, wealth=seat.wealth or 0) for seat in view.seats if seat.place]
    return "\n".join(lines)


def _result_line(view: View, colour: str, say: Say) -> str:
    """GG-308 From which number on a colour draws, and from which it wins."""
    boxes = [(column.number, getattr(column, colour)) for column in view.columns]
    draws, wins = ([number for number, box in boxes if box in good] for good in (("draw", "win"), ("win",)))
    return say("result_table", colour=colour, draw=draws[0] if draws else say("none"), win=wins[0] if wins else say("none"))


def _seat_lines(seat: SeatView, say: Say, words: Words) -> Iterator[str]:
    if seat.left:
        yield say("gone", seat=seat.seat, points=seat.points)
        return
    cash = say("hidden") if seat.cash is None else seat.cash
    facts = {"seat": seat.seat, "colour": seat.colour, "cash": cash, "square": seat.square, "marker": seat.marker}
    yield say("seat", points=seat.points, matches=seat.matches, **facts)
    goods = {"tiles": seat.tiles or say("none"), "teams": seat.teams or say("none"), "kept": seat.kept or say("none")}
    yield say("goods", die=seat.die_tokens, event=seat.event_tokens, **goods)
    now = seat.modifiers
    changed = [(name, getattr(now, name)) for name in now.__struct_fields__ if getattr(now, name)]
    if changed:
        yield say("modifiers", listed=[words.say(Label(f"modifier_{name}", n=int(value))) for name, value in changed])
    if seat.leaving:
        yield say("leaving", seat=seat.seat)


def _square_line(square: SquareView, say: Say) -> str:
    if square.kind != "team":
        return say("square", index=square.index, what=square.what)
    owner = say("bank_name") if square.owner is None else say("player", seat=square.owner)
    facts = {"index": square.index, "tile": square.what, "price": square.price, "goals": square.goals, "owner": owner}
    line = say("team_square", **facts)
    if square.owner is not None:
        line += " " + say("suspended" if square.suspended else "value", value=square.value)
    if square.cups:
        line += " " + say("cups_on", cups=square.cups)
    return line


def _now_lines(task: NowView, say: Say) -> Iterator[str]:
    thing, amount = task.thing or say("none"), task.amount
    none = "bank_name" if task.task == "auction" else "nobody"
    who = say(none) if task.seat is None else say("player", seat=task.seat)
    yield say(f"now_{task.task}", who=who, thing=thing, amount=amount, face=task.face or say("none"))
    if task.task == "auction":
        high = say("nobody") if task.high is None else say("player", seat=task.high)
        yield say("bidders", high=high, bidders=[say("player", seat=seat) for seat in task.bidders] or say("none"))
    if task.task == "offer":
        for key, lots in (("gives", task.give), ("takes", task.take)):
            yield say(key, lots=_lots(lots, say))
    if task.hits:
        yield say("hits", listed=[_hit(hit, say) for hit in task.hits])
    if task.reactors:
        waiting = [seat for seat in task.reactors if seat not in task.reacted]
        yield say("reactions", waiting=[say("player", seat=seat) for seat in waiting] or say("nobody"))
    if task.own_reaction:
        yield say("own_reaction", by=task.own_reaction)


def _hit(hit: HitView, say: Say) -> str:
    who = say("player", seat=hit.seat)
    return say("hit", who=who, tiles=hit.tiles) if hit.tiles else who


def _lots(lots: dict[str, int], say: Say) -> list[str] | str:
    told = [
        say("money", amount=lots[item] * NOTE) if item == "money" else say("lot", count=lots[item], item=item)
        for item in sorted(lots)
    ]
    return told or say("none")
