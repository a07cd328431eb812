"""What is printed on the cards, and in which words is it told? Packs and words, read from TOML and checked."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar, get_type_hints

import msgspec
from msgspec import Struct

from shared.kernel.choices import Label

Content = TypeVar("Content", bound=Struct)


class PackError(ValueError):
    """A pack that cannot be used; the message names every fault with file and place."""


class Pack(Struct, Generic[Content], frozen=True):
    """The content of a game under the hash of its files (PL-632)."""

    content: Content
    hash: str


def load_pack(folder: Path, shape: type[Content]) -> Pack[Content]:
    """Read a folder of TOML and text files; `duels.en.toml` is read into the field `duels`, under the key `en`."""
    files = sorted(path for path in folder.iterdir() if path.suffix in {".toml", ".txt"})
    hints = get_type_hints(shape)
    faults = [f"{path.name}: no such part of this pack" for path in files if path.name.split(".")[0] not in hints]
    plain: dict[str, Any] = {}
    for path in files:
        part, *language = path.stem.split(".")
        if language:
            plain.setdefault(part, {})[language[0]] = _read(path, faults)
        else:
            plain[part] = _read(path, faults)
    parts = {part: _convert(part, plain[part], hint, faults) for part, hint in hints.items() if part in plain}
    faults += [f"{part}: missing" for part in hints if part not in plain]
    if faults:
        raise PackError("\n".join(faults))
    return Pack(shape(**parts), pack_hash(files))


def pack_hash(files: Iterable[Path]) -> str:
    """SHA-256 over the names and bytes of the files, in the order of their names."""
    digest = hashlib.sha256()
    for path in files:
        content = path.read_bytes()
        digest.update(f"{path.name}|{len(content)}|".encode() + content)
    return digest.hexdigest()


def _read(path: Path, faults: list[str]) -> Any:
    text = path.read_text("utf-8")
    if path.suffix == ".txt":
        return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        faults.append(f"{path.name}: {error}")
        return {}


def _convert(part: str, plain: Any, hint: Any, faults: list[str]) -> Any:
    try:
        return msgspec.convert(plain, hint)
    except msgspec.ValidationError as error:
        faults.append(f"{part}: {error}")
        return None


class Words:
    """The sentences of one language: `labels`, `prompts`, `log` by event, `names` by content id, `pages` for boards."""

    def __init__(self, path: Path) -> None:
        self.sections: dict[str, dict[str, str]] = tomllib.loads(path.read_text("utf-8"))
        self._names = self.sections.get("names", {})
        self._encoder = msgspec.json.Encoder(enc_hook=self._spoken, order="deterministic")

    def say(self, label: Label, section: str = "labels") -> str:
        """The text of a label."""
        return self._fill(self.sections[section][label.key], label.facts)

    def sentence(self, event: Struct) -> str:
        """What the log says of an event as it was shown; `drew_hidden` serves where a fact of `drew` is masked."""
        facts = {name: getattr(event, name) for name in event.__struct_fields__}
        key, log = str(event.__struct_config__.tag), self.sections["log"]
        hidden = key + "_hidden"
        masked = hidden in log and any(facts.get(name) is None for name in _parts(log[key])[1::2])
        return self._fill(log[hidden if masked else key], facts)

    def name(self, thing: str) -> str:
        """The printed name of a content id; an unknown id stands for itself."""
        return self._names.get(thing, thing)

    def json(self, thing: object) -> bytes:
        """JSON with every label said in this language."""
        return self._encoder.encode(thing)

    def _spoken(self, thing: object) -> object:
        if isinstance(thing, Label):
            return self.say(thing)
        if isinstance(thing, type) and issubclass(thing, Struct):
            return str(thing.__struct_config__.tag)
        raise TypeError(f"{type(thing)} has no place in a message")

    def _fill(self, template: str, facts: Mapping[str, Any]) -> str:
        told = list(_parts(template))
        for place in range(1, len(told), 2):
            told[place] = self._fact(told[place], facts[told[place]])
        return "".join(told)

    def _fact(self, name: str, fact: Any) -> str:
        if isinstance(fact, str):
            return self._names.get(fact, fact)
        if isinstance(fact, int):  # seats are numbered from 1 in words, thousands stand apart
            if name in {"seat", "seats"} or name.endswith("_seat"):
                return str(fact + 1)
            return f"{fact:d}" if -1_000 < fact < 1_000 else f"{fact:_}".replace("_", "\u202f")
        fact = [f"{self.name(lot)} {count}" for lot, count in fact.items()] if isinstance(fact, dict) else fact
        if isinstance(fact, list | tuple):
            return ", ".join([self._fact(name, part) for part in fact]) or self._names.get("nothing", "")
        return self.say(fact) if isinstance(fact, Label) else str(fact)


_PARTS: dict[str, tuple[str, ...]] = {}


def _parts(template: str) -> tuple[str, ...]:
    """Words and names between braces in turn, words first and last; remembered, since the templates are few."""
    if template not in _PARTS:
        _PARTS[template] = tuple(re.split(r"\{(\w+)\}", template))
    return _PARTS[template]
