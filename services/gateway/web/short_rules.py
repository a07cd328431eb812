"""How is a game played, in short? The first part of the page that its folder opens with, up to where it speaks to programmers."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

Spans = list[tuple[str, bool]]  # pieces of text, and whether each is stressed
Block = tuple[str, list[Spans]]  # a paragraph, a heading or a numbered list, and its lines
TO_OTHER_FILES = re.compile(r"\s*[^.]*\[[^\]]*\]\([^)]*\)\.?")


@cache
def short_rules(page: Path) -> list[Block]:
    """Paragraphs, headings and numbered lists of a Markdown page, up to its first table or code."""
    if not page.is_file():
        return []
    told = re.split(r"^(?:\||```)", page.read_text("utf-8"), maxsplit=1, flags=re.MULTILINE)[0]
    blocks = [block for part in told.split("\n\n")[1:] if (block := _block(part.strip()))]
    while blocks and blocks[-1][0] == "heading":
        blocks.pop()
    return blocks


def _block(part: str) -> Block | None:
    if part.startswith("#"):
        return "heading", [_spans(part.lstrip("# "))]
    if re.match(r"\d+\. ", part):
        return "list", [_spans(item) for item in re.split(r"^\d+\. ", part, flags=re.MULTILINE)[1:]]
    words = _spans(part)
    return ("paragraph", [words]) if any(text.strip() for text, _ in words) else None


def _spans(text: str) -> Spans:
    plain = TO_OTHER_FILES.sub("", " ".join(text.split())).replace("`", "")
    return [(piece, at % 2 == 1) for at, piece in enumerate(plain.split("**"))]
