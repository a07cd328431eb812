"""Which texts are names, and what the host may do with them: CH-441 to CH-454."""

import msgspec
import pytest
from msgspec.structs import replace

from services.champions import content
from services.champions.commands import MaskName, WriteName
from services.champions.content.naming import is_blocked, is_name, plain
from services.champions.content.shapes import Card, Side, checked, faults
from services.champions.game import GAME
from services.champions.state import State
from services.gateway.games import checked_options
from services.gateway.problems import Problem
from shared.kernel.choices import Label, clean
from shared.kernel.content import PackError, load_pack
from shared.kernel.game import HOST
from tests.games.champions.tables import do, offered, opened, predicting, refusal, voting, written
from tests.ledger import rule


@rule("CH-441")
@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("  Zeus ", "Zeus"),
        ("Mr \t  Toad", "Mr Toad"),
        ("\u202eZeus\u200d", "Zeus"),
        ("\uff3aeus", "Zeus"),
        ("Ze\u0000us", "Zeus"),
        ("Zeus\u3164", "Zeus"),
        ("Ze\u034fu\ufe0fs", "Zeus"),
    ],
)
def test_names_are_normalised(typed: str, stored: str) -> None:
    assert do(opened(8), 0, WriteName(1, typed)).tiles[0].name == stored == clean(typed)


@rule("CH-442")
@pytest.mark.parametrize(
    ("one", "other"),
    [("Dracula", "dracula"), ("Arsène Lupin", "ARSENE LUPIN"), ("the Sphinx", "Sphinx"), ("Dr. Watson", "dr watson"),
     ("Spider-Man", "Spiderman"), ("Spider Man", "spider-man"), ("R2-D2", "R2D2"), ("D’Artagnan", "D'artagnan"), ("The A-Team", "A-Team")],
)
def test_names_are_compared_by_what_is_heard(one: str, other: str) -> None:
    assert plain(one) == plain(other)


@rule("CH-442")
def test_only_a_leading_article_of_the_language_is_left_out() -> None:
    assert plain("The The") == "the"
    assert plain("Il Dottore", "it") == "dottore" != plain("Il Dottore", "en")
    assert plain("L’Uomo", "it") == plain("l'uomo", "it") == "uomo"
    assert plain("A. Einstein") != plain("Einstein")
    assert plain("a") == plain("A!") == "a"


@rule("CH-443")
@pytest.mark.parametrize(
    ("name", "good"), [("X", True), ("孫", True), ("x" * 40, True), ("x" * 41, False), ("42", False), ("!?", False), ("", False), ("\u3164\uffa0", False)]
)
def test_a_name_has_up_to_forty_characters_and_a_letter(name: str, good: bool) -> None:
    assert is_name(clean(name)) is good
    assert (refusal(opened(8), 0, WriteName(1, name)) == "") is good


@rule("CH-444")
@pytest.mark.parametrize(
    "name", ["https://zeus.example", "www.zeus", "zeus@olymp.gr", "@zeus", "call 5550123", "call 555 01 23", "zeus.com",
             "t.me/zeus", "ftp://zeus", "discord.gg/zeus", "zeus.shop"]
)
def test_ways_to_reach_somebody_are_refused(name: str) -> None:
    assert refusal(opened(8, policy="open"), 0, WriteName(1, name)) == "text_refused"


@rule("CH-444")
@pytest.mark.parametrize("name", ["Louis 14", "Agent 007", "Dr. Who", "Mr.Bean", "AC/DC", "will.i.am", "D'Artagnan", "R2D2"])
def test_harmless_digits_and_points_are_not(name: str) -> None:
    assert refusal(opened(8), 0, WriteName(1, name)) == ""


@rule("CH-445")
@pytest.mark.parametrize("name", ["Shit", "A piece of SH1T", "f.u.c.k.e.r", "Fuckface", "b1tch", "Hitl3r", "s1ut", "assho1e", "s h i t", "fu.ck"])
def test_blocked_words_are_refused_also_with_digits_for_letters(name: str) -> None:
    assert refusal(opened(8), 0, WriteName(1, name)) == "text_refused"


@rule("CH-445")
@pytest.mark.parametrize("name", ["Mitsushita", "the Peacock", "a Scunner", "Moby Dick", "the Grape",
                                  "a therapist", "Pen Island", "Nazim", "Scunthorpe", "a pussycat"])
def test_short_words_match_only_as_whole_words(name: str) -> None:
    assert refusal(opened(8), 0, WriteName(1, name)) == ""
    assert is_blocked("shit", ("=shit",))
    assert not is_blocked("Mitsushita", ("=shit",))


@rule("CH-446")
def test_the_policy_of_a_table() -> None:
    assert GAME.read_options({}).policy == "known"
    assert refusal(opened(8, policy="sheets"), 0, WriteName(1, "my neighbour")) == "text_refused"
    assert refusal(opened(8, policy="sheets"), 0, WriteName(1, "zeus")) == ""
    assert refusal(opened(8), 0, WriteName(1, "my neighbour")) == ""
    assert GAME.legal(opened(8), 0)[0].fields["name"].policy == "known"


@rule("CH-453")
def test_the_front_door_is_told_how_many_names_a_minute_are_taken() -> None:
    """Who sends more is refused there, since a game has no clock (tests/gateway/edge/test_limits.py)."""
    assert msgspec.json.schema(WriteName)["$defs"]["WriteName"]["properties"]["name"]["a_minute"] == 10


@rule("CH-446", "PL-232")
def test_any_name_goes_only_at_private_tables_and_there_by_default() -> None:
    row = {"options": msgspec.json.schema(GAME.options)}
    for visibility, policy in (("public", "known"), ("unlisted", "known"), ("private", "open")):
        assert checked_options(row, {}, visibility)["policy"] == policy
        assert checked_options(row, {"policy": "sheets"}, visibility)["policy"] == "sheets"
    assert checked_options(row, {"policy": "open"}, "private")["policy"] == "open"
    for visibility in ("public", "unlisted"):
        with pytest.raises(Problem) as refused:
            checked_options(row, {"policy": "open"}, visibility)
        assert refused.value.errors == ({"pointer": "/options/policy", "detail": "at private tables only"},)


@rule("CH-446")
def test_where_only_sheets_serve_all_their_names_are_offered() -> None:
    suggestions = GAME.legal(opened(8, policy="sheets"), 0)[0].fields["name"].suggestions
    assert len(suggestions) == 192


@rule("CH-450")
def test_a_masked_name_is_shown_by_its_number_and_the_game_goes_on() -> None:
    state = do(voting(), HOST, MaskName(2))
    assert state.stage == "vote"
    shown = GAME.look(state, 0).contestants
    assert (shown[1].name, shown[1].masked, shown[0].name) == ("Contestant 2", True, "Zeus")
    assert GAME.words["en"].say(GAME.legal(state, 0)[0].fields["symbol"].of[1].label) == "Triangle: Contestant 2"


@rule("CH-450")
@pytest.mark.parametrize("state", [predicting(), voting()], ids=["prediction", "vote"])
def test_the_host_may_mask_at_any_time_after_placing(state: State) -> None:
    assert "mask_name" in offered(state, HOST)
    assert offered(opened(), HOST) == []


@rule("CH-450", "CH-170")
def test_a_masked_name_shows_nowhere_not_even_in_the_next_round() -> None:
    state = do(replace(written(), past=()), HOST, MaskName(2))
    later = replace(opened(), past=state.tiles)
    assert "Medusa" not in GAME.look(later, 0).used
    assert "Zeus" in GAME.look(later, 0).used


@rule("CH-451")
def test_a_name_is_text_and_nothing_else() -> None:
    name = "<b>Zeus</b> {seat}"
    state = do(opened(8), 0, WriteName(1, name))
    assert state.tiles[0].name == name
    said = GAME.words["en"].say(Label("contestant", number=1, name=name))
    assert said == f"1. {name}"


@rule("CH-454")
def test_the_pack_has_no_faults() -> None:
    assert list(faults(content.BASE)) == []
    cards = content.cards("en")
    assert len(cards) == 110
    ties = [side.tie for card in cards for side in (card.a, card.b)]
    assert (ties.count("circle"), ties.count("triangle")) == (110, 110)
    assert all((card.a.tie == "circle") == (card.id % 2 == 1) for card in cards)
    assert [len(sheet.names) for sheet in content.sheets("en")] == [24] * 8


def _with_card(**changes: Side) -> list[str]:
    first, *others = content.cards("en")
    duels = {"en": replace(content.BASE.duels["en"], cards=(replace(first, **changes), *others))}
    return list(faults(replace(content.BASE, duels=duels)))


@rule("CH-454")
@pytest.mark.parametrize(
    ("side", "fault"),
    [
        (Side("meets Sherlock Holmes at the station", "circle"), "card 1 names Sherlock Holmes"),
        (Side("tells a joke about shitty weather", "circle"), "blocked word"),
        (Side("Laughs at the wrong moment", "circle"), "not a verb phrase"),
        (Side("apologises to furniture after bumping into it", "circle"), "is there twice"),
        (Side("laughs at the wrong moment", "triangle"), "both sides show the same symbol"),
    ],
)
def test_a_bad_card_is_a_fault(side: Side, fault: str) -> None:
    found = _with_card(a=side)
    assert any(fault in each for each in found), found


@rule("CH-454")
def test_a_bad_sheet_is_a_fault() -> None:
    first, *others = content.sheets("en")
    twice = replace(first, names=("the Sandman", "x" * 41, *first.names[2:]))
    sheets = {"en": replace(content.BASE.sheets["en"], sheets=(twice, *others))}
    found = list(faults(replace(content.BASE, sheets=sheets)))
    assert any("sandman is there twice" in each for each in found), found
    assert any("is not a name" in each for each in found), found


@rule("CH-454", "CH-309")
def test_a_bad_file_is_refused_as_a_whole_with_a_list_of_faults(tmp_path) -> None:
    for file in (content.FOLDER / "base").iterdir():
        text = file.read_text("utf-8")
        text = text.replace("champion_bonus = 3", "champion_bonus = 21").replace("vote = 15", "vote = 4")
        (tmp_path / file.name).write_text(text, "utf-8")
    with pytest.raises(PackError) as refused:
        load_pack(tmp_path, type(content.BASE))
    assert "scoring: Expected `int` <= 20 - at `$.champion_bonus`" in str(refused.value)
    assert "clocks: Expected `int` >= 5 - at `$.quick.vote`" in str(refused.value)


@rule("CH-454")
def test_a_pack_of_an_operator_is_checked_in_the_same_way(tmp_path) -> None:
    for file in (content.FOLDER / "base").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "blocklist.en.txt").write_text("teapot\n", "utf-8")
    with pytest.raises(PackError, match="knits a jumper for a teapot"):
        checked(load_pack(tmp_path, type(content.BASE)))


@rule("CH-454")
def test_fourteen_cards_are_enough() -> None:
    cards: tuple[Card, ...] = content.cards("en")[:14]
    assert list(faults(replace(content.BASE, duels={"en": replace(content.BASE.duels["en"], cards=cards)}))) == []
