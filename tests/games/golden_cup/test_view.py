"""Who sees what?"""

import re

import msgspec
import pytest
from msgspec.structs import replace

from services.golden_cup import content
from services.golden_cup.commands import Discard, KeepSupporter, LineUp, PlayChampion, Scout
from services.golden_cup.events import ChampionsDiscarded, LineUpChosen
from services.golden_cup.fixture_events import ShotScored
from services.golden_cup.game import GAME
from services.golden_cup.state import Penalty
from shared.kernel.choices import Label
from shared.kernel.content import Words
from tests.games.golden_cup.tables import at, campaign, do, last, opened, team, told
from tests.ledger import rule


@rule("GC-800")
def test_a_hand_is_seen_by_its_seat_and_counted_by_all() -> None:
    state = opened()
    assert GAME.look(state, 0).own.hand == state.teams[0].hand
    assert GAME.look(state, 1).seats[0].hand == 3
    assert state.teams[0].hand[0] not in msgspec.json.encode(GAME.look(state, 1)).decode()


@rule("GC-801")
def test_supporters_are_seen_by_their_seat_until_the_end() -> None:
    state = opened()
    kept = state.teams[0].offered[1]
    event = last(told(state, 0, KeepSupporter(kept)), "supporter_kept")
    assert (event.seen_by(0).supporter, event.seen_by(1).supporter, event.seen_by(None).supporter) == (kept, None, None)
    assert kept not in msgspec.json.encode(GAME.look(do(state, 0, KeepSupporter(kept)), 1)).decode()


@rule("GC-801")
def test_the_offers_stay_secret_after_the_end() -> None:
    from services.golden_cup.events import SupportersOffered, SupportersShuffled

    assert SupportersShuffled(2, ("architects", "owl_balcony")).opened().supporters is None
    assert SupportersOffered(0, ("architects", "owl_balcony")).opened().supporters is None


@rule("GC-802")
def test_nobody_sees_the_order_of_a_deck() -> None:
    from services.golden_cup.events import DeckShuffled

    assert DeckShuffled("gold", 2, ("titan", "roc")).seen_by(0).champions is None
    state = opened()
    turned = replace(state, decks=tuple(replace(deck, cards=deck.cards[::-1]) for deck in state.decks))
    assert all(GAME.look(state, reader) == GAME.look(turned, reader) for reader in (None, 0, 1))


@rule("GC-804")
def test_what_lies_on_the_table_is_public() -> None:
    seat = GAME.look(campaign("blob", coins=7, sponsors=(2, 1)), None).seats[0]
    assert (seat.champions, seat.coins, seat.sponsors, seat.scout, seat.fame) == (("blob",), 7, (2, 1), "bronze", 5)
    assert sum(seat.tokens) + sum(seat.supply) == 27


@rule("GC-805")
def test_a_discard_pile_is_a_number() -> None:
    state = campaign(coins=2)
    gone = state.teams[0].hand[:2]
    event = last(told(state, 0, Scout(gone)), "champions_discarded")
    assert (event.seen_by(1).champions, event.seen_by(1).levels, event.seen_by(1).count) == (None, None, 2)
    deck = GAME.look(do(state, 0, Scout(gone)), 1).decks[0]
    assert (deck.pile, deck.shown) == (2, ())


@rule("GC-807")
def test_actions_are_shown_and_hand_cards_are_numbers() -> None:
    state = campaign(coins=2)
    shown = [event.seen_by(1) for event in told(state, 0, Scout(state.teams[0].hand))]
    drawn = last([event for event in shown if event is not None], "champions_drawn")
    assert (drawn.seat, drawn.count, drawn.champions) == (0, 3, None)


@rule("GC-808", "GC-204")
@pytest.mark.parametrize(("stage", "command"), [("discard", None), ("line_up", LineUp({"2": "blob"}))])
def test_answers_given_at_once_are_hidden(stage: str, command: LineUp | None) -> None:
    state = team(team(at(stage), 0, "blob"), 1, "harpy")
    answer = command or Discard(state.teams[0].hand[:1])
    event = told(state, 0, answer)[-1]
    assert event.seen_by(0).champions
    assert event.seen_by(1).champions is None
    assert GAME.look(do(state, 0, answer), 1).own.answer is None


@rule("GC-809")
def test_onlookers_see_what_is_public() -> None:
    view = GAME.look(opened(), None)
    assert (view.you, view.own) == (None, None)


def test_the_text_names_every_card_of_the_own_hand_with_what_it_does() -> None:
    state = opened()
    text = GAME.text(GAME.look(state, 0), GAME.words["en"])
    assert all(GAME.words["en"].name(card) in text for card in state.teams[0].hand)
    assert "Shooting: 1 more die" in GAME.text(GAME.look(team(state, 0, hand=("pipit_fairy",)), 0), GAME.words["en"])


@rule("PL-359")
@pytest.mark.parametrize("language", GAME.words)
def test_the_text_says_what_is_still_to_be_done_in_words(language: str) -> None:
    words = GAME.words[language]
    text = GAME.text(GAME.look(do(campaign(hand=("golden_golem",)), 0, PlayChampion("golden_golem")), 1), words)
    assert "does_" not in text
    assert words.say(Label("does_improve", kind="defense", n=2)) in text
    assert words.say(Label("does_fame", n=3)) in text


@rule("PL-359")
def test_one_can_play_by_the_text_alone() -> None:
    """Faces, ends, coins and Fame that the boards show, and what every champion does: of others, of the own team, on a pile."""
    state = team(team(at("line_up"), 0, "bush"), 1, "harpy")
    state = replace(state, decks=(*state.decks[:2], replace(state.decks[2], shown=("titan",))))
    text = GAME.text(GAME.look(state, 0), GAME.words["en"])
    assert all(GAME.words["en"].say(Label(f"about_{name}")) in text for name in ("bush", "harpy", "titan", *state.teams[0].hand))
    for numbers in ("4: 3 4 5 6", "9, 10, 11, 12, 13, 14", "Stadium 4, 5, 6", "3, 3, 2, 2, 1, 1", "0, 0, 0, 1, 2, 3"):
        assert numbers in text


@rule("GC-611", "GC-654")
def test_no_base_champion_shoots_for_the_automa() -> None:
    shots = (Penalty(0, 4, "", (1,), scored=False), Penalty(1, 4, "", (2,), scored=False))
    text = GAME.text(GAME.look(replace(opened(1), penalties=shots), 0), GAME.words["en"])
    assert "Penalty of seat 1, slot 4 (base Champion), dice 1: missed." in text
    assert "Penalty of seat 2, slot 4 (-), dice 2: missed." in text


@rule("GC-801")
def test_the_text_lists_the_offer_while_it_is_open() -> None:
    state = opened()
    first, second = map(GAME.words["en"].name, state.teams[0].offered)
    offer = f"Your offered supporters: {first}, {second}."
    assert offer in GAME.text(GAME.look(state, 0), GAME.words["en"])
    kept = do(state, 0, KeepSupporter(state.teams[0].offered[0]))
    assert offer not in GAME.text(GAME.look(kept, 0), GAME.words["en"])


@rule("GC-462", "GC-465")
@pytest.mark.parametrize("words", GAME.words.values(), ids=GAME.words)
def test_the_log_says_nothing_and_base_champion_in_words(words: Words) -> None:
    """A score without a roll has no dice, a discard may be of no card, and a slot may be left to its base Champion."""
    scored = ShotScored("purple", 0, "A4", 4, 4, "lord_of_the_forest", ())
    none = ChampionsDiscarded(0, 0, (), ())
    line_up = LineUpChosen(0, ("bush", "", "", ""))
    assert all(words.name("nothing") in words.sentence(event) for event in (scored, none))
    assert words.sentence(line_up).count(words.name("base_champion")) == 3


def test_the_board_has_a_caption_in_both_languages_for_all_it_says() -> None:
    folder = content.FOLDER.parent / "board"
    captions = (folder / "words.js").read_text("utf-8")
    languages = [set(re.findall(r"(\w+): \"", part)) for part in captions.split("  it: {")]
    code = "".join(path.read_text("utf-8") for path in folder.glob("*.js") if path.name != "words.js")
    said = set(re.findall(r"say\(\"(\w+)\"", code))
    assert languages[0] == languages[1] >= said | {"blocked", "missed", "scored"}
