"""Is the pack what the tables of the rules say, and is a bad one refused? GB-707."""

import re
import shutil
from pathlib import Path

import pytest

from services.goldblivion import content
from services.goldblivion.content import spoken
from services.goldblivion.content.faults import checked
from services.goldblivion.content.shapes import Base
from services.goldblivion.game import GAME
from shared.kernel.content import PackError, load_pack
from tests.ledger import rule

RULES = (Path(content.__file__).parents[1] / "RULES.md").read_text("utf-8")
FACES = [
    *content.GOLD,
    *content.COMBAT,
    *(token.id for token in content.BASE.magic_tokens.tokens),
    *content.TILES,
    *(f"{tile.id}_{side}" for tile in content.VILLAGES.values() for side in "ab"),
    *(f"{noble}_board" for noble in content.SOLO),
]


def table(title: str) -> list[list[str]]:
    """The rows of a table of RULES.md."""
    part = RULES[RULES.index(f"### {title}") :]
    rows = re.findall(r"^\|(.+)\|$", part[: part.index("\n### ", 5)], re.MULTILINE)
    return [[cell.strip() for cell in row.split("|")] for row in rows[2:]]


@rule("GB-707")
def test_the_cards_are_those_of_the_tables() -> None:
    for card, _, badges, price, ability in table("Characters"):
        gold = content.GOLD[card]
        assert (" ".join(gold.badges), str(gold.price), gold.ability, gold.copies) == (badges, price, ability, 2)
    for card, _, price, ability in table("Buildings"):
        assert (str(content.GOLD[card].price), content.GOLD[card].ability) == (price, ability)
    for card, _, copies, price, ability in table("Market Combat cards"):
        fighter = content.COMBAT[card]
        assert (str(fighter.copies), str(fighter.price), fighter.ability) == (copies, price, ability)


@rule("GB-707")
def test_the_tiles_are_those_of_the_tables() -> None:
    for tile, _, copies, strength, reward in table("Territory tiles"):
        found = content.TILES[tile]
        assert (str(found.copies), str(found.strength), found.reward) == (copies, strength, reward)
    for token, ability in table("Magic tokens"):
        assert next(t for t in content.BASE.magic_tokens.tokens if t.id == token).ability == ability


@rule("GB-122", "GB-123", "GB-136", "GB-134")
def test_the_sums_of_the_full_set() -> None:
    seats = 4
    gold = {kind: len(content.copies(kind)) for kind in ("start", "noble", "character", "building")}
    assert gold == {"start": 6, "noble": 5, "character": 46, "building": 16}
    assert gold["start"] * seats + 5 + 46 + 16 == 91
    assert len(content.combat_copies("start")) * seats + len(content.combat_copies("market")) == 54
    assert (len(content.tile_copies("forest")), len(content.tile_copies("mountain"))) == (8, 7)


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_words_describe_every_card_as_it_is(language: str) -> None:
    words = GAME.words[language]
    assert {thing: words.sections["pages"][f"face_{thing}"] for thing in FACES} == {
        thing: words.say(spoken.face(thing)) for thing in FACES
    }


@rule("GB-377", "PL-359")
@pytest.mark.parametrize("language", ["en", "it"])
def test_the_words_say_what_each_face_of_the_dice_brings(language: str) -> None:
    words = GAME.words[language]
    told = [words.sections["pages"][f"die_{number}"] for number in range(1, 7)]
    assert told == [words.say(spoken.power(content.ability_of(face.bonus))) for face in content.FACES]


@rule("GB-707")
@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        ("gold_cards", 'ability = "combat +1"', 'ability = "conquer 1"', "'conquer 1' is no effect"),
        ("gold_cards", 'ability = "combat +1"', 'ability = "strength 2"', "only for Combat cards"),
        ("gold_cards", 'badges = ["elf", "elf"]', 'badges = ["elf", "building"]', "assassins: a Building has the badge building"),
        ("gold_cards", 'id = "vlad"', 'id = "timmy"', "timmy is there twice"),
        ("gold_cards", 'kind = "noble"', 'kind = "character"', "0 Nobles, at least 5 are needed"),
        ("combat_cards", "copies = 12", "copies = 11", "33 cards cannot be split"),
        ("combat_cards", 'ability = "strength 2"', 'ability = "combat"', "a Combat card starts no Combat"),
        ("combat_cards", 'ability = "copy"', 'ability = "pay 1 material ->* strength 1"', "no green arrow"),
        ("magic_tokens", '"draw 1"', '"d-dice 1"', "only for the Dummy Noble"),
        ("village_tiles", '"pay 2 material -> bars 1"', '"bars 1"', "a village has one power, behind a cost"),
        ("territory_tiles", 'reward = "dice 2"', 'reward = "draw 2"', "not on a tile"),
        ("territory_tiles", "copies = 2", "copies = 1", "of forest, the board needs"),
        ("board", "land = 3", "land = 2", "B1 does not have six sides"),
        ("board", 'neighbours = ["M1", "T2"]', 'neighbours = ["M1", "T4"]', "are not neighbours of each other"),
        ("board", 'neighbours = ["M1", "T2"]', 'neighbours = ["M1", "M1"]', "T1 has a neighbour twice, or itself"),
        ("board", 'neighbours = ["M1", "T2"]', 'neighbours = ["M1", "T1"]', "T1 has a neighbour twice, or itself"),
        ("board", 'id = "T5"', 'id = "T1"', "two spaces have one name"),
        ("board", "cow = true", "cow = false", "the Cow-Dragon lives on exactly one space"),
        ("dice", "slot = 0", "slot = 1", "every Market space is pointed at"),
        ("solo_boards", 'human = "d-dice 1, d-dice 1"', 'human = "dice 1"', "is not for the Dummy Noble"),
        ("constants", "hand = 5", "hand = 0", "constants: "),
        ("constants", "hand = 5", "fingers = 5", "constants: "),
    ],
)
def test_a_pack_that_breaks_a_rule_is_refused_as_a_whole(tmp_path: Path, file: str, old: str, new: str, fault: str) -> None:
    folder = tmp_path / "pack"
    shutil.copytree(content.FOLDER / "base", folder)
    text = (folder / f"{file}.toml").read_text("utf-8")
    assert old in text
    (folder / f"{file}.toml").write_text(text.replace(old, new), "utf-8")
    with pytest.raises(PackError, match=re.escape(fault)):
        checked(load_pack(folder, Base))


@rule("GB-707")
def test_every_fault_is_listed_and_the_pack_itself_has_none(tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    shutil.copytree(content.FOLDER / "base", folder)
    assert checked(load_pack(folder, Base)).hash == GAME.pack_hash
    for file, old, new in (("dice", "slot = 0", "slot = 1"), ("combat_cards", "copies = 12", "copies = 11")):
        path = folder / f"{file}.toml"
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(PackError) as refused:
        checked(load_pack(folder, Base))
    assert len(str(refused.value).splitlines()) == 2


@pytest.mark.parametrize(
    "text",
    ["", "nuggets", "nuggets 21", "pay 0 material -> bars 1", "pay 1 gold -> bars 1", "bars 1 OR bars 1 OR bars 1", "bars 1 per elf",
     "nuggets 1 per cow", "reactivate mine", "combat -1", "dice 1 per", "d-nuggets 1 per territory"],
)  # fmt: skip
def test_what_the_grammar_does_not_know_is_refused(text: str) -> None:
    with pytest.raises(content.grammar.NotUnderstood):
        content.ability_of(text)
