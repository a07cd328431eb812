"""Is the pack complete, and is a bad one refused as a whole? And what does the service do with clocks and leavers?"""

import shutil
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from services.golden_cup import content
from services.golden_cup.commands import (
    Discard,
    DiscardChampion,
    DiscardToken,
    EndCampaign,
    ImproveToken,
    KeepSupporter,
    PlayChampion,
    TakeLower,
)
from services.golden_cup.content.faults import checked, faults
from services.golden_cup.content.shapes import (
    Add,
    Base,
    Effect,
    Fame,
    Modify,
    MoreDice,
    OnDefend,
    OnOpponentAttack,
    OnOwnAttack,
    OnPlayIcon,
)
from services.golden_cup.game import GAME
from services.golden_cup.legal import default
from shared.kernel.content import PackError, Words, load_pack
from shared.kernel.dice import Dice
from shared.kernel.match import begin, leave, overdue, time_out
from tests.games.golden_cup.tables import campaign, do, opened, team, tokens
from tests.ledger import rule

BASE = content.BASE


@rule("GC-847")
def test_the_pack_of_the_house_is_right() -> None:
    assert list(faults(BASE)) == []
    assert [sum(card.deck == deck for card in BASE.champions.values()) for deck in content.DECKS] == [36, 34, 32]


def _with(name: str, **changes: object) -> Base:
    return replace(BASE, champions={**BASE.champions, name: replace(BASE.champions[name], **changes)})


@rule("GC-847")
@pytest.mark.parametrize(
    ("base", "fault"),
    [
        (replace(BASE, champions=dict(list(BASE.champions.items())[1:])), "bronze: 35 cards"),
        (_with("blob", number=48), "number 48 is there 2 times"),
        (_with("blob", icons=("tail",)), "blob: no such icon: tail"),
        (_with("blob", effects=(Effect("endgame", (Add("attack", 1),)),)), "blob: effect 1: add may not stand here"),
        (_with("blob", effects=(Effect("permanent", (Fame(1),)),)), "a permanent effect has a trigger"),
        (_with("blob", effects=(Effect("permanent", (MoreDice(1),), OnPlayIcon("eye")),)), "dice may not stand here"),
        (_with("blob", effects=(Effect("permanent", (Fame(1),), OnPlayIcon("tail")),)), "no such icon: tail"),
        (_with("blob", effects=(Effect("permanent", (Modify(1),), OnOpponentAttack()),)), "blob: effect 1: a change of 1 helps"),
        (_with("blob", effects=(Effect("permanent", (Modify(-1),), OnOwnAttack()),)), "blob: effect 1: a change of -1 helps"),
        (_with("blob", effects=(Effect("permanent", (Modify(0),), OnDefend()),)), "blob: effect 1: a change of 0 helps"),
        (replace(BASE, supporters=dict(list(BASE.supporters.items())[1:])), "15 cards, not 16"),
        (replace(BASE, match_tiles={k: v for k, v in BASE.match_tiles.items() if k != "T2"}), "match_tiles.toml"),
        (replace(BASE, tokens=replace(BASE.tokens, attack=(4, 4, 4, 3))), "not 14 Attack and 13 Defense"),
        (replace(BASE, tokens=replace(BASE.tokens, start=("D4",) * 3)), "3 D4 at the start"),
        (replace(BASE, automa=replace(BASE.automa, start=("A4", "D2"))), "an A4 and a D1"),
        (replace(BASE, automa=replace(BASE.automa, pool=BASE.automa.pool[1:])), "10 tokens, not 11"),
        (replace(BASE, board=replace(BASE.board, field=replace(BASE.board.field, end_space=(9, 8, 9, 9, 9, 9)))), "end_space"),
    ],
)
def test_a_bad_pack_is_refused(base: Base, fault: str) -> None:
    with pytest.raises(PackError, match=fault):
        checked(replace(content.PACK, content=base))


@rule("GC-847")
@pytest.mark.parametrize(
    ("file", "good", "bad"),
    [
        ("tokens", "attack = [4, 4, 3, 3]", "attack = [9, 4, 3, -2]"),
        ("champions", "most = 5", "most = 0"),
        ("champions", "most = 4", "most = -1"),
        ("board", "draw_fame = 2", "draw_fame = -2"),
        ("board", "scout_win_bonus = [3,", "scout_win_bonus = [-3,"),
    ],
)
def test_nothing_is_there_less_than_not_at_all(tmp_path: Path, file: str, good: str, bad: str) -> None:
    shutil.copytree(content.FOLDER / "base", tmp_path / "pack")
    path = tmp_path / "pack" / f"{file}.toml"
    assert good in path.read_text("utf-8")
    path.write_text(path.read_text("utf-8").replace(good, bad), "utf-8")
    with pytest.raises(PackError, match=file):
        load_pack(tmp_path / "pack", Base)


@rule("GC-847")
def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    shutil.copytree(content.FOLDER / "base", tmp_path / "pack")
    board = tmp_path / "pack" / "board.toml"
    board.write_text(board.read_text().replace("play_cost = 3", "play_cost = 0"))
    (tmp_path / "pack" / "tokens.toml").write_text("attack = [1]\n")
    with pytest.raises(PackError) as refused:
        load_pack(tmp_path / "pack", Base)
    assert "board" in str(refused.value)
    assert "tokens" in str(refused.value)


def test_every_card_has_a_name_and_says_what_it_does_in_every_language() -> None:
    for words in content.WORDS.values():
        for name in (*BASE.champions, *BASE.supporters):
            assert words.sections["names"][name]
            assert words.sections["labels"][f"about_{name}"]


@rule("GC-841")
def test_the_clock_keeps_the_first_supporter_discards_nothing_and_ends_a_campaign() -> None:
    state = opened()
    assert default(state, 0) == KeepSupporter(state.teams[0].offered[0])
    assert default(replace(state, stage="discard"), 0) == Discard(())
    assert default(campaign(), 0) == EndCampaign()


@rule("GC-841")
@pytest.mark.parametrize(
    ("card", "others", "held", "answer"),
    [
        ("cave_bear", (), ("D3", "D1", "D2"), ImproveToken("D2")),
        ("kite_rider", (), ("A2", "A3"), DiscardToken("A2")),
        ("lord_of_the_forest", (), ("A3", "A3", "A3"), TakeLower("A2")),
        ("jealous_jester", ("titan", "blob", "bush", "fire_juggler"), (), DiscardChampion("bush")),
    ],
)
def test_the_clock_chooses_in_effects(card: str, others: tuple[str, ...], held: tuple[str, ...], answer: object) -> None:
    state = campaign(*others, hand=(card,), **tokens(*held)) if held else campaign(*others, hand=(card,))
    assert default(do(state, 0, PlayChampion(card)), 0) == answer


@rule("GC-844")
def test_who_has_left_is_played_by_defaults_to_the_end() -> None:
    match, _ = begin(GAME, 2, GAME.read_options({}), Dice(b"gone", "1|"))
    for seat in (0, 1):
        match, _ = leave(GAME, match, seat, "left", Dice(b"gone", f"left{seat}|"))
    while GAME.result(match.state) is None:
        seat = overdue(GAME, match)
        assert seat is not None
        match, _ = time_out(GAME, match, seat, Dice(b"gone", f"{match.step}|"))
    assert sorted(GAME.result(match.state)) == [0, 1]


def test_options_name_a_level_and_a_seat_that_is_there() -> None:
    with pytest.raises(msgspec.ValidationError):
        GAME.read_options({"level": "easy"})
    assert list(GAME.seats_allowed(GAME.read_options({"youngest_seat": 3}))) == [4, 5, 6]


def test_a_seat_without_champions_is_not_asked_to_line_up() -> None:
    state = replace(team(opened(), 0, "blob"), stage="line_up")
    assert GAME.question(state, 0) is not None
    assert GAME.question(state, 1) is None


@pytest.mark.parametrize("words", content.WORDS.values(), ids=content.WORDS)
def test_the_text_of_a_champion_begins_with_its_deck_and_icons(words: Words) -> None:
    """The board reads them from there."""
    for name, card in BASE.champions.items():
        head = ", ".join(map(words.name, (card.deck, *card.icons)))
        assert words.sections["labels"][f"about_{name}"].startswith(f"{head}. ")
