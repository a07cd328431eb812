"""What is each seat asked, what may it do now, and what is the safe answer?"""

from __future__ import annotations

from functools import cache, lru_cache

from services.golden_cup import commands, content
from services.golden_cup.state import KINDS, LEVELS, SLOTS, Block, State, Step, Task, Team
from shared.kernel.choices import Arrange, Choice, Label, Member, One, Some
from shared.kernel.game import Command, Question, Seat

END = Choice(commands.EndCampaign, Label("end_campaign"))
DECLINE = Choice(commands.DeclineImprovement, Label("decline_improvement"))
NOTHING = Choice(commands.TakeNothing, Label("take_nothing"))
SCOUT = Label("scout", price=content.BOARD.rescout_cost)
PLAY = Label("play_champion", price=content.BOARD.play_cost)
DISCARD = Label("discard")
GAINS = {"attack": content.BOARD.train_attack, "defense": content.BOARD.train_defense}
LESSONS = {"attack": content.BOARD.learn_attack, "defense": content.BOARD.learn_defense}


def question(state: State, seat: Seat) -> Question | None:
    """What a seat is asked; an open choice of an effect comes before the next action (GC-842)."""
    team = state.teams[seat]
    match state.stage:
        case "campaign":
            if team.has_bought():
                return None
            return _effect(state.round, team.tasks) if team.tasks else _campaign(state.round, team.coins)
        case "supporters" if not team.supporter:
            return SUPPORTER
        case "discard" if team.answer is None and team.hand:
            return _discard(state.round + 1)
        case "line_up" if team.answer is None and team.champions:
            return _line_up("line_up", "GC-404", state.round)
        case "fixtures" if team.tasks:
            return _effect(state.round, team.tasks)
        case "final" | "penalties" if team.answer is None and team.champions and seat in state.finalists:
            return _line_up(state.stage, "GC-561" if state.stage == "final" else "GC-580", state.round)
    return None


def standing(state: State, seat: Seat) -> tuple[Question, ...]:
    """GC-842 The clock of a campaign stands still while its seat makes a choice of an effect, and goes on with what is left."""
    team = state.teams[seat]
    return (_campaign(state.round, team.coins),) if state.stage == "campaign" and team.tasks and team.coins else ()


def legal(state: State, seat: Seat) -> tuple[Choice, ...]:
    """The choices of a seat; GC-840 none outside its phase. The host and the audience have none."""
    if seat < 0 or question(state, seat) is None:
        return ()
    team = state.teams[seat]
    match state.stage:
        case "campaign" | "fixtures" if team.tasks:
            return _of_effect(state, seat)
        case "campaign":
            return _actions(state, team)
        case "supporters":
            return _supporters(team.offered)
        case "discard":
            return _discards(team.hand)
        case "line_up" | "final" | "penalties":
            return _line_ups(team.champions)
    return ()


def default(state: State, seat: Seat) -> Command:
    """GC-841 The last column of the decisions table."""
    team = state.teams[seat]
    match state.stage:
        case "supporters":
            return commands.KeepSupporter(team.offered[0])
        case "discard":
            return commands.Discard(())
        case "line_up" | "final" | "penalties":
            return commands.LineUp(usual_line_up(team))
    return _default_of_effect(state, seat) if team.tasks else commands.EndCampaign()


def usual_line_up(team: Team) -> dict[str, str]:
    """The last line-up without champions that are gone; free slots from 4+ down with the newest others."""
    slots = {slot: name for slot, name in zip(SLOTS, team.line_up, strict=True) if name in team.champions}
    others = [name for name in team.champions if name not in slots.values()]
    for slot in reversed(SLOTS):
        if slot not in slots and others:
            slots[slot] = others.pop()
    return slots


SUPPORTER = Question("supporter", "GC-118")


@cache
def _campaign(round_: int, coins: int) -> Question:
    return Question("campaign", "GC-242", about=str(round_), facts={"round": round_, "coins": coins})


@cache
def _discard(round_: int) -> Question:
    return Question("discard", "GC-210", about=str(round_), facts={"round": round_})


@cache
def _line_up(name: str, rule: str, round_: int) -> Question:
    return Question(name, rule, about=str(round_), clock="arrange", facts={"round": round_})


@lru_cache(maxsize=4096)
def _effect(round_: int, tasks: tuple[Task, ...]) -> Question:
    """GC-307 One question with a clock of its own for each open choice: what is left to do tells them apart; the source is named."""
    step = tasks[0]
    assert isinstance(step, Step)
    blocks = sum(isinstance(task, Block) for task in tasks)
    about = f"{round_}.{step.champion}.{blocks}.{len(tasks)}.{step.times}"
    rules = {"improve": "GC-306", "add": "GC-310", "drop": "GC-312", "drop_champion": "GC-355"}
    facts: dict[str, str | int] = {"kind": step.kind, "n": step.n, "source": step.champion or "training"}
    return Question(f"effect_{step.does}", rules[step.does], about=about, clock="effect", facts=facts)


def _actions(state: State, team: Team) -> tuple[Choice, ...]:
    """GC-236, GC-242, GC-250 to GC-270 What the coins allow, and the end."""
    board, coins = content.BOARD, team.coins
    choices: list[Choice] = []
    if coins >= board.rescout_cost:
        can_draw = len(team.hand) < board.hand and not state.decks[team.scout].is_empty()
        if can_draw or team.hand:
            choices.append(_scout(team.hand, 0 if can_draw else 1))
    if coins >= board.play_cost and (playable := _playable(team.hand, has_another=bool(team.champions))):
        choices.append(_play(playable))
    if team.scout < 2 and coins >= board.scout_cost:
        choices.append(_develop("scout", board.scout_cost, team.scout + 1))
    if team.stadium < 2 and coins >= (price := board.stadium_cost[state.round - 1]):
        choices.append(_develop("stadium", price, team.stadium + 1))
    if coins >= board.train_cost and (trainable := _trainable(team.tokens, team.supply)):
        choices.append(_train(trainable))
    if coins >= board.learn_cost:
        choices += _learn(_lessons(team.supply))
    choices.append(END)
    return tuple(choices)


def _playable(hand: tuple[str, ...], *, has_another: bool) -> tuple[str, ...]:
    """GC-256, GC-257."""
    return hand if has_another else tuple(name for name in hand if not content.needs_another(name))


@lru_cache(maxsize=65536)
def _trainable(tokens: tuple[int, ...], supply: tuple[int, ...]) -> tuple[str, ...]:
    """GC-265, GC-266 Attack by 1, Defense by 2."""
    team = Team(tokens=tokens, supply=supply)
    return tuple(token for kind in KINDS for token in team.improvable(kind, GAINS[kind]))


@lru_cache(maxsize=65536)
def _lessons(supply: tuple[int, ...]) -> tuple[tuple[str, str], ...]:
    """GC-268 The kinds that can be learned, each with its token: the exact one, or the highest that can stand in for it."""
    team = Team(supply=supply)
    return tuple((kind, there[0]) for kind in KINDS if (there := team.addable(kind, LESSONS[kind])))


def _members(key: str, values: tuple[str, ...]) -> tuple[Member, ...]:
    return tuple(Member(value, Label(key, **{key: value})) for value in values)


@lru_cache(maxsize=8192)
def _cards(names: tuple[str, ...]) -> tuple[Member, ...]:
    """One hand stands in several choices, one after the other."""
    return tuple(map(_card, names))


@cache
def _card(name: str) -> Member:
    return Member(name, Label("champion", champion=name, about=Label(f"about_{name}")))


def _scout(hand: tuple[str, ...], least: int) -> Choice:
    return Choice(commands.Scout, SCOUT, {"champions": Some(_cards(hand), least, len(hand))})


def _play(playable: tuple[str, ...]) -> Choice:
    return Choice(commands.PlayChampion, PLAY, {"champion": One(_cards(playable))})


@lru_cache(maxsize=64)
def _develop(track: str, price: int, level: int) -> Choice:
    """GC-260 to GC-264."""
    kind = commands.DevelopScout if track == "scout" else commands.DevelopStadium
    return Choice(kind, Label(f"develop_{track}", price=price, level=LEVELS[level]))


@lru_cache(maxsize=256)
def _train(tokens: tuple[str, ...]) -> Choice:
    """GC-265."""
    members = tuple(Member(token, _better(token, GAINS["attack" if token[0] == "A" else "defense"])) for token in tokens)
    return Choice(commands.Train, Label("train", price=content.BOARD.train_cost), {"token": One(members)})


def _better(token: str, by: int) -> Label:
    return Label("improvement", token=token, better=f"{token[0]}{min(int(token[1]) + by, 4)}")


@lru_cache(maxsize=16)
def _learn(lessons: tuple[tuple[str, str], ...]) -> tuple[Choice, ...]:
    """GC-267, GC-268."""
    members = tuple(Member(kind, Label("lesson", token=token)) for kind, token in lessons)
    return (Choice(commands.Learn, Label("learn", price=content.BOARD.learn_cost), {"kind": One(members)}),) if lessons else ()


@lru_cache(maxsize=1024)
def _supporters(offered: tuple[str, ...]) -> tuple[Choice, ...]:
    """GC-119."""
    members = tuple(Member(name, Label("supporter", supporter=name, about=Label(f"about_{name}"))) for name in offered)
    return (Choice(commands.KeepSupporter, Label("keep_supporter"), {"supporter": One(members)}),)


def _discards(hand: tuple[str, ...]) -> tuple[Choice, ...]:
    """GC-210."""
    return (Choice(commands.Discard, DISCARD, {"champions": Some(_cards(hand), 0, len(hand))}),)


@lru_cache(maxsize=4096)
def _line_ups(champions: tuple[str, ...]) -> tuple[Choice, ...]:
    """GC-404 to GC-408."""
    slots = Arrange(_cards(champions), SLOTS, min(4, len(champions)))
    return (Choice(commands.LineUp, Label("line_up"), {"slots": slots}),)


def _of_effect(state: State, seat: Seat) -> tuple[Choice, ...]:
    """GC-306 to GC-312, GC-355 The open choice of an effect."""
    team = state.teams[seat]
    step = team.tasks[0]
    assert isinstance(step, Step)
    match step.does:
        case "improve":
            return _improvements(team.improvable(step.kind, step.n), step.n)
        case "add":
            return _lower(team.addable(step.kind, step.n), bool(step.champion))
        case "drop":
            return _droppable(team.tokens_of(step.kind))
        case "drop_champion":
            return _dismissable(state.others(seat, step.champion))
        case "fame" | "sponsor":
            return ()


@lru_cache(maxsize=256)
def _improvements(tokens: tuple[str, ...], by: int) -> tuple[Choice, ...]:
    members = tuple(Member(token, _better(token, by)) for token in tokens)
    return Choice(commands.ImproveToken, Label("improve_token"), {"token": One(members)}), DECLINE


@lru_cache(maxsize=256)
def _lower(tokens: tuple[str, ...], may_decline: bool) -> tuple[Choice, ...]:  # noqa: FBT001
    choice = Choice(commands.TakeLower, Label("take_lower"), {"token": One(_members("token", tokens))})
    return (choice, NOTHING) if may_decline else (choice,)


@lru_cache(maxsize=256)
def _droppable(tokens: tuple[str, ...]) -> tuple[Choice, ...]:
    return (Choice(commands.DiscardToken, Label("discard_token"), {"token": One(_members("token", tokens))}),)


@lru_cache(maxsize=4096)
def _dismissable(others: tuple[str, ...]) -> tuple[Choice, ...]:
    return (Choice(commands.DiscardChampion, Label("discard_champion"), {"champion": One(_cards(others))}),)


def _default_of_effect(state: State, seat: Seat) -> Command:
    """GC-841 The largest gain, the highest lower token, the lowest token, the lowest champion."""
    team = state.teams[seat]
    step = team.tasks[0]
    assert isinstance(step, Step)
    match step.does:
        case "improve":
            eligible = team.improvable(step.kind, step.n)
            return commands.ImproveToken(max(eligible, key=lambda token: (min(step.n, 4 - int(token[1])), token)))
        case "add":
            return commands.TakeLower(team.addable(step.kind, step.n)[0])
        case "drop":
            return commands.DiscardToken(team.tokens_of(step.kind)[0])
        case _:
            others = state.others(seat, step.champion)
            return commands.DiscardChampion(
                min(others, key=lambda name: (content.level_of(name), content.CHAMPIONS[name].number))
            )
