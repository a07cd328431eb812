"""What may a seat answer? Choices, the six shapes of their fields (PL-354), and the labels that people read."""

from __future__ import annotations

import unicodedata
from itertools import combinations
from typing import Any

from msgspec import Struct

from shared.kernel.dice import Dice

Value = Any  # whatever a field of a command holds; its shape says what that may be


class Label:
    """A text for people, not yet in a language: a key of the pack's words and the facts to fill in (PL-358)."""

    __slots__ = ("facts", "key")

    def __init__(self, key: str, **facts: object) -> None:
        self.key = key
        self.facts = facts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Label) and (self.key, self.facts) == (other.key, other.facts)

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Label({self.key!r}, {self.facts!r})"


class Member(Struct, frozen=True):
    """One value that a field may take, with its label."""

    value: str | int
    label: Label


class Lot(Struct, frozen=True):
    """Goods of one kind that may change hands: at most `most` of them."""

    value: str
    label: Label
    most: int = 1


class One(Struct, frozen=True, tag_field="type", tag="one"):
    """One of these members."""

    of: tuple[Member, ...]

    def fault(self, value: Value) -> str:
        for member in self.of:
            if member.value == value and type(member.value) is type(value):  # True must not pass for 1
                return ""
        return "not_a_choice"

    def sample(self, dice: Dice) -> Value:
        return dice.pick(self.of).value

    def schema(self) -> dict[str, Any]:
        return {"enum": [member.value for member in self.of]}


class Some(Struct, frozen=True, tag_field="type", tag="some"):
    """PL-355 A subset: different members in any order, from `least` to `most` of them."""

    of: tuple[Member, ...]
    least: int = 0
    most: int = 0

    def fault(self, value: Value) -> str:
        if not isinstance(value, list | tuple) or not self.least <= len(value) <= self.most:
            return "not_a_choice"
        taken = {(type(item), item) for item in value if isinstance(item, str | int)}
        offered = {(type(member.value), member.value) for member in self.of}
        return "" if len(taken) == len(value) and taken <= offered else "not_a_choice"

    def sample(self, dice: Dice) -> Value:
        count = self.least + dice.below(self.most - self.least + 1)
        left = list(self.of)
        return tuple(left.pop(dice.below(len(left))).value for _ in range(count))

    def schema(self) -> dict[str, Any]:
        members = {"enum": [member.value for member in self.of]}
        return {"type": "array", "items": members, "minItems": self.least, "maxItems": self.most, "uniqueItems": True}


class Arrange(Struct, frozen=True, tag_field="type", tag="arrange"):
    """Different members on named slots; slots may stay empty, but at least `least` are filled."""

    of: tuple[Member, ...]
    slots: tuple[str, ...]
    least: int = 0

    def fault(self, value: Value) -> str:
        if not isinstance(value, dict) or len(value) < self.least or not set(value) <= set(self.slots):
            return "not_a_choice"
        most = min(len(self.of), len(self.slots))
        return Some(of=self.of, least=0, most=most).fault(list(value.values()))

    def sample(self, dice: Dice) -> Value:
        most = min(len(self.of), len(self.slots))
        count = self.least + dice.below(most - self.least + 1)
        slots = dice.shuffled(self.slots)[:count]
        return {slot: member.value for slot, member in zip(slots, dice.shuffled(self.of), strict=False)}

    def schema(self) -> dict[str, Any]:
        members = {"enum": [member.value for member in self.of]}
        slots = dict.fromkeys(self.slots, members)
        once = [_not_both(pair, member.value) for pair in combinations(self.slots, 2) for member in self.of]
        whole = {"type": "object", "properties": slots, "additionalProperties": False, "minProperties": self.least}
        return {**whole, "allOf": once} if once else whole


class Number(Struct, frozen=True, tag_field="type", tag="number"):
    """A whole number: a price, a bid, a bet."""

    least: int
    most: int
    multiple_of: int = 1

    def fault(self, value: Value) -> str:
        whole = isinstance(value, int) and not isinstance(value, bool)
        return "" if whole and self.least <= value <= self.most and value % self.multiple_of == 0 else "not_a_choice"

    def sample(self, dice: Dice) -> Value:
        first = -(-self.least // self.multiple_of)
        last = self.most // self.multiple_of
        return (first + dice.below(last - first + 1)) * self.multiple_of

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most, "multipleOf": self.multiple_of}


class Goods(Struct, frozen=True, tag_field="type", tag="goods"):
    """A deal: with whom, what one gives, what one takes; `takes` names the lots of each possible partner (a seat, as text)."""

    gives: tuple[Lot, ...]
    takes: dict[str, tuple[Lot, ...]]
    both: bool = False  # whether each side has to give something

    def fault(self, value: Value) -> str:
        if not isinstance(value, dict) or set(value) != {"with", "give", "take"} or value["with"] not in list(self.takes):
            return "not_a_choice"  # a list, since the partner may be anything, even what cannot be looked up
        fair = _within(value["give"], self.gives) and _within(value["take"], self.takes[value["with"]])
        return "" if fair and bool(value["give"]) + bool(value["take"]) > self.both else "not_a_choice"

    def sample(self, dice: Dice) -> Value:
        partner = dice.pick(sorted(self.takes))
        sides = [[("give", lot) for lot in self.gives], [("take", lot) for lot in self.takes[partner]]]
        picked = [dice.pick(side) for side in (sides if self.both else [sides[0] + sides[1]])]
        return {"with": partner, "give": {}, "take": {}} | {side: {lot.value: 1 + dice.below(lot.most)} for side, lot in picked}

    def schema(self) -> dict[str, Any]:
        return {"oneOf": [_deal_schema(self, partner) for partner in self.takes]}


class Text(Struct, frozen=True, tag_field="type", tag="text"):
    """A free text of `least` to `most` characters; `policy` says which texts the table allows, suggestions may be taken over."""

    least: int
    most: int
    policy: str = "open"
    suggestions: tuple[str, ...] = ()

    def fault(self, value: Value) -> str:
        if not isinstance(value, str):
            return "not_a_choice"
        lengths = len(value), len(clean(value))  # as written, for the schema, and as stored
        return "too_long" if max(lengths) > self.most else "not_a_choice" if min(lengths) < self.least else ""

    def sample(self, dice: Dice) -> Value:
        if self.suggestions:
            return dice.pick(self.suggestions)
        return "".join(dice.pick("abcdefghijklmnopqrstuvwxyz") for _ in range(max(self.least, min(self.most, 12))))

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "minLength": self.least, "maxLength": self.most}


Shape = One | Some | Arrange | Number | Goods | Text


class Choice(Struct, frozen=True):
    """PL-351 One thing on offer: the kind of command, its label, and for each field of the command what it may be."""

    do: type[Struct]
    label: Label
    fields: dict[str, Shape] = {}

    def fault(self, command: Struct) -> str:
        """Why this command is not an instance of this choice, as a problem code; empty if it is one."""
        for name, shape in self.fields.items():
            if code := shape.fault(getattr(command, name)):
                return code
        return ""

    def sample(self, dice: Dice) -> Any:
        """A command that takes this choice, its fields at random."""
        fields = {}
        for name, shape in self.fields.items():
            fields[name] = shape.sample(dice)
        return self.do(**fields)


UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0").union(map(chr, range(0xFE00, 0xFE10)))  # drawn as nothing


def clean(text: str) -> str:
    """PL-357 A text as it is checked and stored: NFKC, blanks joined, no control, bidirectional or zero-width characters."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    plain = unicodedata.normalize("NFKC", text)
    visible = "".join(" " if character.isspace() else character for character in plain if not _invisible(character))
    return " ".join(visible.split())


def _invisible(character: str) -> bool:
    return not character.isspace() and (unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn"} or character in UNSEEN)


def _within(taken: Value, lots: tuple[Lot, ...]) -> bool:
    most = {lot.value: lot.most for lot in lots}
    if not isinstance(taken, dict) or not set(taken) <= set(most):
        return False
    return all(type(count) is int and 1 <= count <= most[value] for value, count in taken.items())


def _not_both(slots: tuple[str, str], value: str | int) -> dict[str, Any]:
    return {"not": {"properties": {slot: {"const": value} for slot in slots}, "required": list(slots)}}


def _deal_schema(goods: Goods, partner: str) -> dict[str, Any]:
    def side(lots: tuple[Lot, ...]) -> dict[str, Any]:
        counts = {lot.value: {"type": "integer", "minimum": 1, "maximum": lot.most} for lot in lots}
        return {"type": "object", "properties": counts, "additionalProperties": False}

    sides = {"with": {"const": partner}, "give": side(goods.gives), "take": side(goods.takes[partner])}
    some = [{"properties": {name: {"minProperties": 1}}} for name in ("give", "take")]  # an empty deal is no deal
    whole = {"properties": sides, "required": list(sides), "additionalProperties": False, "type": "object"}
    return {**whole, "allOf" if goods.both else "anyOf": some}
