"""Types and members as lines of the table say them; the notation is explained in notation.py."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Dict, List, Optional, Tuple, Union

if TYPE_CHECKING:
    from notation import Definition


class NotationError(Exception):
    """What is wrong, with file and line."""


@dataclass(frozen=True)
class Word:
    """A word of JSON Schema, or `any`, `text`, `flag`, `int`."""
    name: str


@dataclass(frozen=True)
class Literal:
    text: str


@dataclass(frozen=True)
class Pattern:
    text: str


@dataclass(frozen=True)
class Words:
    """One of a list of words."""
    name: str


@dataclass(frozen=True)
class Reference:
    name: str


@dataclass(frozen=True)
class Range:
    """Whole numbers; all numbers, if the bounds have a decimal point."""
    least: Union[int, float, None]
    most: Union[int, float, None]

    @property
    def is_whole(self) -> bool:
        return not isinstance(self.least, float) and not isinstance(self.most, float)


@dataclass(frozen=True)
class ListOf:
    elements: "Type"
    least: int = 0
    most: Optional[int] = None


@dataclass(frozen=True)
class MapOf:
    values: "Type"


@dataclass(frozen=True, eq=False)
class Inline:
    """An object whose members stand below the line that it is part of."""
    definition: "Definition"


@dataclass(frozen=True)
class OneOf:
    types: Tuple["Type", ...]


Type = Union[Word, Literal, Pattern, Words, Reference, Range, ListOf, MapOf, Inline, OneOf]


def parts_of(type: Type) -> Tuple[Type, ...]:
    """The alternatives of a type."""
    return type.types if isinstance(type, OneOf) else (type,)


def with_members(type: Type, definition: "Definition") -> Type:
    """The type with that object in place of the word `object`."""
    if type == Word("object"):
        return Inline(definition)
    if isinstance(type, OneOf):
        return OneOf(tuple(with_members(part, definition) for part in type.types))
    if isinstance(type, ListOf):
        return ListOf(with_members(type.elements, definition), type.least, type.most)
    return MapOf(with_members(type.values, definition)) if isinstance(type, MapOf) else type


@dataclass
class Member:
    name: str
    type: Type
    description: str
    attributes: Dict[str, str]
    aliases: List[str] = field(default_factory=list)
    is_optional: bool = False
    # The description with its links.
    marked: str = ""
    # Where it stands: the file and the line, and its definition.
    place: str = ""


def read_members(line: str) -> List[Member]:
    """The members of a line: `key: type (attributes) -- description`."""
    names, colon, text = line.partition(":")
    if not colon or not re.fullmatch(r"[-$A-Za-z0-9]+\??(, [-$A-Za-z0-9]+\??)*", names):
        raise NotationError("expected `key: type -- description`")
    type_text, _, description = text.partition(" -- ")
    behind = re.search(r" \(([a-z](?:[^()]|\([^()]*\))*)\)$", type_text.rstrip())
    attributes = read_attributes(behind[1] if behind else None)
    type = read_type(type_text[: behind.start()] if behind else type_text)
    return [
        Member(
            name.rstrip("?"), type, plain(description.strip()), dict(attributes), is_optional=name.endswith("?"),
            marked=description.strip())
        for name in names.split(", ")
    ]


def plain(text: str) -> str:
    """A description without its links."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)


def read_attributes(text: Optional[str]) -> Dict[str, str]:
    """Of `key value, key, …`; commas within parentheses belong to a value."""
    pairs = (one.strip().partition(" ") for one in re.split(r",(?![^()]*\))", text or "") if one.strip())
    return {key: value.strip() for key, _, value in pairs}


def read_type(text: str) -> Type:
    return _TypeParser(text.strip()).union(whole=True)


class _TypeParser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def union(self, whole: bool = False) -> Type:
        parts = [self._item()]
        while self._take("|"):
            parts.append(self._item())
        if whole and self.text[self.at :].strip():
            rest = self.text[self.at :].strip()
            hint = "; a description stands behind ` -- `" if re.search(r"(^| )- ", rest) else ""
            raise NotationError(f"expected the end of a type, found {rest[:40]!r}{hint}")
        return parts[0] if len(parts) == 1 else OneOf(tuple(parts))

    def _item(self) -> Type:
        if self._take("'"):
            return Literal(self._through("'"))
        if self._take("`"):
            return Pattern(self._through("`"))
        if self._take("@"):
            return Words(self._word())
        if self._take("#"):
            return Reference(self._word())
        if self._take("["):
            elements = self.union()
            self._expect("]")
            if self._take("+"):
                return ListOf(elements, 1)
            least, _, most = self._word().partition("..")
            return ListOf(elements, int(least or 0), int(most) if most else None)
        if self._take("{"):
            values = self.union()
            self._expect("}")
            return MapOf(values)
        word = self._word()
        if ".." in word:
            least, _, most = word.partition("..")
            return Range(_number(least), _number(most))
        if word not in ("any", "text", "flag", "int", "string", "number", "integer", "boolean", "object", "null"):
            raise NotationError(f"there is no type {word!r}")
        return Word(word)

    def _skip(self) -> None:
        while self.text[self.at : self.at + 1] == " ":
            self.at += 1

    def _take(self, mark: str) -> bool:
        self._skip()
        if self.text[self.at : self.at + 1] != mark:
            return False
        self.at += 1
        return True

    def _expect(self, mark: str) -> None:
        if not self._take(mark):
            raise NotationError(f"expected {mark!r}, found {self.text[self.at:]!r}")

    def _through(self, mark: str) -> str:
        end = self.text.find(mark, self.at)
        if end < 0:
            raise NotationError(f"expected {mark!r}")
        found, self.at = self.text[self.at : end], end + 1
        return found

    def _word(self) -> str:
        self._skip()
        found = re.match(r"[A-Za-z0-9.]*", self.text[self.at :])[0]
        self.at += len(found)
        return found


def _number(text: str) -> Union[int, float, None]:
    if not text:
        return None
    return float(text) if "." in text else int(text)
