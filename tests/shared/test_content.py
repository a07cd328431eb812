"""Is a pack read whole or refused with every fault, and are its words said rightly?"""

from pathlib import Path

import pytest
from msgspec import Struct

from shared.kernel.choices import Label
from shared.kernel.content import PackError, Words, load_pack, pack_hash
from shared.kernel.game import Event
from tests.ledger import rule


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    cost: int


class Cards(Struct, frozen=True):
    cards: dict[str, Card]
    names: dict[str, tuple[str, ...]]


class Drew(Event, frozen=True):
    seat: int
    card: str | None
    faces: tuple[int, ...] = ()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cards.toml").write_text("[crown]\ncost = 4\n", "utf-8")
    (tmp_path / "names.en.txt").write_text("# all\nAda\n\nBob\n", "utf-8")
    (tmp_path / "names.it.txt").write_text("Ada\n", "utf-8")
    return tmp_path


@pytest.fixture
def words(tmp_path: Path) -> Words:
    path = tmp_path / "en.toml"
    path.write_text(
        '[labels]\nplay = "Play {card}"\n[names]\ncrown = "The Crown"\n'
        '[log]\ndrew = "Seat {seat} draws {card}, {faces}"\ndrew_hidden = "Seat {seat} draws a card"\n',
        "utf-8",
    )
    return Words(path)


def test_files_become_fields_and_languages_keys(folder: Path) -> None:
    pack = load_pack(folder, Cards)
    assert pack.content == Cards({"crown": Card(4)}, {"en": ("Ada", "Bob"), "it": ("Ada",)})


@rule("PL-632")
def test_a_changed_card_is_another_pack(folder: Path) -> None:
    before = load_pack(folder, Cards).hash
    assert before == load_pack(folder, Cards).hash
    (folder / "cards.toml").write_text("[crown]\ncost = 5\n", "utf-8")
    assert load_pack(folder, Cards).hash != before


@rule("PL-632")
def test_the_name_of_a_file_is_part_of_the_hash(folder: Path) -> None:
    files = sorted(folder.iterdir())
    renamed = folder / "names.fr.txt"
    renamed.write_bytes(files[1].read_bytes())
    assert pack_hash(files) != pack_hash([files[0], renamed, files[2]])


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("cards.toml", "[crown]\ncost = 'four'\n", r"cards: Expected `int`, got `str` - at `\$\[\.\.\.\]\.cost`"),
        ("cards.toml", "[crown]\ncost = 4\ncots = 1\n", "cards: Object contains unknown field `cots`"),
        ("cards.toml", "[crown\n", "cards.toml: "),
        ("crads.toml", "", "crads.toml: no such part of this pack"),
    ],
)
def test_a_slip_is_told_with_file_and_place(folder: Path, file: str, text: str, fault: str) -> None:
    (folder / file).write_text(text, "utf-8")
    with pytest.raises(PackError, match=fault):
        load_pack(folder, Cards)


def test_a_missing_part_is_told_with_all_other_faults(folder: Path) -> None:
    (folder / "names.en.txt").unlink()
    (folder / "names.it.txt").unlink()
    (folder / "more.toml").write_text("", "utf-8")
    with pytest.raises(PackError) as refused:
        load_pack(folder, Cards)
    assert str(refused.value).splitlines() == ["more.toml: no such part of this pack", "names: missing"]


@rule("PL-358")
def test_labels_are_filled_with_names(words: Words) -> None:
    assert words.say(Label("play", card="crown")) == "Play The Crown"
    assert words.say(Label("play", card="unknown")) == "Play unknown"


@rule("PL-358")
def test_thousands_stand_apart(words: Words) -> None:
    assert words.say(Label("play", card=1_200_000)) == "Play 1\u202f200\u202f000"
    assert words.say(Label("play", card=-7)) == "Play -7"


@rule("PL-358")
def test_goods_are_told_with_their_numbers_and_nothing_has_a_name_too(words: Words, tmp_path: Path) -> None:
    assert words.say(Label("play", card={"crown": 2, "coins": 3})) == "Play The Crown 2, coins 3"
    assert words.say(Label("play", card={})) == "Play "
    (tmp_path / "it.toml").write_text('[labels]\nplay = "Gioca {card}"\n[names]\nnothing = "niente"\n', "utf-8")
    assert Words(tmp_path / "it.toml").say(Label("play", card=())) == "Gioca niente"


@rule("PL-383")
def test_a_masked_fact_is_told_by_the_hidden_sentence(words: Words) -> None:
    assert words.sentence(Drew(0, "crown", (2, 3))) == "Seat 1 draws The Crown, 2, 3"
    assert words.sentence(Drew(0, None)) == "Seat 1 draws a card"


def test_a_label_in_a_label_is_said_too(words: Words) -> None:
    assert words.say(Label("play", card=Label("play", card="crown"))) == "Play Play The Crown"


def test_json_says_labels_and_names_commands(words: Words) -> None:
    assert words.json({"label": Label("play", card="crown"), "do": Drew}) == b'{"do":"drew","label":"Play The Crown"}'
