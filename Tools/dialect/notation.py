"""The notation of the dialect's table, `Sources/Dialect/Table/*.dialect`: what each object of the dialect may have.

A line without a margin begins a definition, `name: description` that of an object and `name = type` that of anything
else; `name < other: …` takes what it does not say from another, and `@name: description` begins a list of words. The
lines below it are an object's members, `key: type -- description`, and:

    = a b         members that it takes from the other one, at this place; all, before its own, if no line says which
    ! a b         members that it must have
    ^ a b c       members of which it has one at most
    / a: b c      members that cannot stand beside another
    *             that it may have others
    ~ a: b c      names of other tools, b and c, that are meant as the member a
    + {…}         further keywords of JSON Schema
    . key value   what generators ask for by name; `. key` alone is a switch

What generators ask for of one member stands behind its type in parentheses, `(key value, key)`, and of a definition
behind its name. A line that begins with `#` is a comment.

Types are words of JSON Schema, `text` (a scalar), `flag` and `int` (as lenient as the reader), `any`; `'word'`,
`` `pattern` ``, `@words`, `#definition`, `1..9`, `[elements]` (`[elements]+`: one at least), `{values}`, and `|` between
several.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union


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
    least: Optional[int]
    most: Optional[int]


@dataclass(frozen=True)
class ListOf:
    elements: "Type"
    least: int = 0


@dataclass(frozen=True)
class MapOf:
    values: "Type"


@dataclass(frozen=True)
class OneOf:
    types: Tuple["Type", ...]


Type = Union[Word, Literal, Pattern, Words, Reference, Range, ListOf, MapOf, OneOf]


def parts_of(type: Type) -> Tuple[Type, ...]:
    """The alternatives of a type."""
    return type.types if isinstance(type, OneOf) else (type,)


@dataclass
class Member:
    name: str
    type: Type
    description: str
    attributes: Dict[str, str]
    aliases: List[str] = field(default_factory=list)


@dataclass
class Definition:
    """An object with its members, or another type."""
    name: str
    description: str = ""
    parent: Optional[str] = None
    type: Optional[Type] = None
    members: Dict[str, Member] = field(default_factory=dict)
    taken: List[Tuple[int, str]] = field(default_factory=list)
    required: List[str] = field(default_factory=list)
    exclusive: List[List[str]] = field(default_factory=list)
    excluded: Dict[str, List[str]] = field(default_factory=dict)
    is_open: bool = False
    further: Dict[str, Any] = field(default_factory=dict)
    attributes: Dict[str, str] = field(default_factory=dict)
    file: str = ""


@dataclass
class WordList:
    """Words that stand for themselves, each with its name in code and what it means."""
    name: str
    description: str
    attributes: Dict[str, str]
    words: List[Tuple[str, str, str]] = field(default_factory=list)
    file: str = ""


class Dialect:
    """All definitions and lists of words of a folder, in the order of the files' names and lines."""

    def __init__(self) -> None:
        self.definitions: Dict[str, Definition] = {}
        self.words: Dict[str, WordList] = {}

    def __getitem__(self, name: str) -> Definition:
        return self.definitions[name]

    def members(self, name: str) -> Dict[str, Member]:
        """The members of a definition with those that it takes from its parent."""
        definition = self.definitions[name]
        inherited = self.members(definition.parent) if definition.parent else {}
        if not definition.taken:
            return {**inherited, **definition.members}
        members: Dict[str, Member] = {}
        taken = list(definition.taken)
        for index, own in enumerate([*definition.members.values(), None]):
            while taken and taken[0][0] == index:
                name = taken.pop(0)[1]
                members[name] = inherited[name]
            if own:
                members[own.name] = own
        return members

    def in_file(self, stem: str) -> Iterator[Definition]:
        return (one for one in self.definitions.values() if one.file == stem)

    @staticmethod
    def read(folder: Path) -> "Dialect":
        dialect = Dialect()
        for path in sorted(folder.glob("*.dialect")):
            _Reader(dialect, path).read()
        for definition in dialect.definitions.values():
            dialect._check(definition)
        return dialect

    def _check(self, definition: Definition) -> None:
        def fail(message: str) -> None:
            raise NotationError(f"{definition.file}.dialect: {definition.name}: {message}")

        if definition.parent and definition.parent not in self.definitions:
            fail(f"there is no {definition.parent}")
        inherited = self.members(definition.parent) if definition.parent else {}
        for _, name in definition.taken:
            if name not in inherited:
                fail(f"{definition.parent} has no member {name}")
        members = self.members(definition.name)
        named = [*definition.required, *definition.excluded]
        for names in [*definition.exclusive, *definition.excluded.values(), named]:
            for name in names:
                if name not in members:
                    fail(f"it has no member {name}")
        types = [member.type for member in definition.members.values()] + ([definition.type] if definition.type else [])
        for type in types:
            for inner in walk(type):
                if isinstance(inner, Reference) and inner.name not in self.definitions | _DERIVED:
                    fail(f"there is no #{inner.name}")
                if isinstance(inner, Words) and inner.name not in self.words:
                    fail(f"there is no @{inner.name}")


# Definitions that are made of the operators of `matcher`, and of the routes of a file.
_DERIVED = {name: None for name in ("valueMatcher", "multiValueMatcher", "bodyMatcher", "innerBodyMatcher", "element", "routes")}


def walk(type: Type) -> Iterator[Type]:
    yield type
    if isinstance(type, OneOf):
        for part in type.types:
            yield from walk(part)
    elif isinstance(type, ListOf):
        yield from walk(type.elements)
    elif isinstance(type, MapOf):
        yield from walk(type.values)


class _Reader:
    def __init__(self, dialect: Dialect, path: Path) -> None:
        self.dialect = dialect
        self.path = path
        self.number = 0

    def fail(self, message: str) -> None:
        raise NotationError(f"{self.path.name}:{self.number}: {message}")

    def read(self) -> None:
        current: Union[Definition, WordList, None] = None
        for self.number, line in enumerate(self.path.read_text().splitlines(), 1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            if not line.startswith(" "):
                current = self._head(line)
            elif isinstance(current, WordList):
                self._word(current, line.strip())
            elif current is not None and current.type is None:
                self._member(current, line.strip())
            else:
                self.fail("expected the beginning of a definition")

    def _head(self, line: str) -> Union[Definition, WordList]:
        found = re.match(r"(@?)([A-Za-z0-9]+)(?: < ([A-Za-z0-9]+))?\s*(?:\(([^)]*)\))?\s*([:=])\s*(.*)", line)
        if not found:
            self.fail("expected `name: description`, `name = type` or `@name: description`")
        is_words, name, parent, attributes, mark, rest = found.groups()
        stem = self.path.stem
        if is_words:
            words = WordList(name, rest, _attributes(attributes), file=stem)
            if self.dialect.words.setdefault(name, words) is not words:
                self.fail(f"@{name} is there already")
            return words
        definition = Definition(name, parent=parent, attributes=_attributes(attributes), file=stem)
        if mark == "=":
            definition.type, definition.description = self._typed(rest)
        else:
            definition.description = rest
        if self.dialect.definitions.setdefault(name, definition) is not definition:
            self.fail(f"{name} is there already")
        return definition

    def _word(self, words: WordList, line: str) -> None:
        text, _, description = line.partition(" -- ")
        value, _, name = text.partition(" = ")
        words.words.append((value.strip(), name.strip() or value.strip(), description.strip()))

    def _member(self, definition: Definition, line: str) -> None:
        mark, rest = line[0], line[1:].split()
        if mark == "=":
            definition.taken += [(len(definition.members), name) for name in rest]
        elif mark == "!":
            definition.required += rest
        elif mark == "^":
            definition.exclusive.append(rest)
        elif mark == "/":
            definition.excluded[rest[0].rstrip(":")] = rest[1:]
        elif mark == "*":
            definition.is_open = True
        elif mark == "+":
            definition.further.update(json.loads(line[1:]))
        elif mark == ".":
            definition.attributes[rest[0]] = " ".join(rest[1:])
        elif mark == "~":
            member = definition.members.get(rest[0].rstrip(":"))
            if member is None:
                self.fail(f"{definition.name} has no member {rest[0]}")
            member.aliases += rest[1:]
        else:
            name, colon, text = line.partition(":")
            if not colon or not re.fullmatch(r"[$A-Za-z0-9]+", name):
                self.fail("expected `key: type -- description`")
            attributes: Dict[str, str] = {}
            type_text, dash, description = text.partition(" -- ")
            behind = re.search(r" \(([a-z][^()]*)\)$", type_text.rstrip())
            if behind:
                attributes = _attributes(behind[1])
                text = type_text[: behind.start()] + dash + description
            type, description = self._typed(text)
            if name in definition.members:
                self.fail(f"{name} is there already")
            definition.members[name] = Member(name, type, description, attributes)

    def _typed(self, text: str) -> Tuple[Type, str]:
        type, dash, description = text.strip().partition(" -- ")
        parser = _TypeParser(type)
        try:
            return parser.union(whole=True), description.strip()
        except NotationError as error:
            self.fail(str(error))
            raise


def _attributes(text: Optional[str]) -> Dict[str, str]:
    pairs = (one.strip().partition(" ") for one in (text or "").split(",") if one.strip())
    return {key: value.strip() for key, _, value in pairs}


class _TypeParser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def union(self, whole: bool = False) -> Type:
        parts = [self._item()]
        while self._take("|"):
            parts.append(self._item())
        if whole and self.text[self.at :].strip():
            raise NotationError(f"expected the end of a type, found {self.text[self.at:]!r}")
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
            return ListOf(elements, 1 if self._take("+") else 0)
        if self._take("{"):
            values = self.union()
            self._expect("}")
            return MapOf(values)
        word = self._word()
        if ".." in word:
            least, _, most = word.partition("..")
            return Range(int(least) if least else None, int(most) if most else None)
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
