"""The notation of the dialect's table, `Sources/Dialect/Table/*.dialect`: what each object of the dialect may have.

A line without a margin begins a definition, `name: description` that of an object and `name = type` that of anything
else; `name < other: …` takes what it does not say from another, and `@name: description` begins a list of words,
`word = name -- meaning` with its name in code and, where that is another one, in the Swift kit behind it. The
lines below it are an object's members, `key: type -- description` or `a, b: type` for several, and:

    = a b         members that it takes from the other one, at this place; all, before its own, if no line says which
    = #name       all members of a definition
    ! a b         members that it must have
    ^ a b c       members of which it has one at most
    / a: b c      members that cannot stand beside another
    *             that it may have others
    ~ a: b c      names of other tools, b and c, that are meant as the member, or the word, a
    + {…}         further keywords of JSON Schema
    > name: T = x -- a stored property of its Swift type, `T`, that is no member; its access stands before the name
    . key value   what generators ask for by name; `. key` alone is a switch

`name!: description` is an answer: it has all its members but those that end with a question mark, `key?: type`, and may
have others. Lines with a wider margin are the members of an `object` in the type of the line above. Calls of the admin
API are those of calls.py.

A description may have `code`, and links as pages of docs/ have them, which stand in pages alone.

What generators ask for of one member stands behind its type in parentheses, `(key value, key)`, and of a definition
behind its name: attributes.py explains it. A line that begins with `#` is a comment.

Types are words of JSON Schema, `text` (a scalar), `flag` and `int` (as lenient as the reader), `any`; `'word'`,
`` `pattern` ``, `@words`, `#definition`, `1..9`, `0.0..1.0`, `[elements]` (`[elements]+`: one at least, `[elements]..9`: nine
at most), `{values}`, and `|` between several.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Set, Tuple, Union

from attributes import OF_DEFINITIONS, OF_MEMBERS, OF_WORDS, check, meant
from calls import Call, Calls
from type_notation import (
    Inline, ListOf, Literal, MapOf, Member, NotationError, OneOf, Reference, Type, Words, read_attributes, read_members, read_type,
    with_members,
)


@dataclass(frozen=True)
class Property:
    """A stored property of a Swift type, with the number of the members that stand before it."""
    name: str
    type: str
    description: str
    access: str
    place: int


@dataclass
class Definition:
    """An object with its members, or another type."""
    name: str
    description: str = ""
    parent: Optional[str] = None
    type: Optional[Type] = None
    is_answer: bool = False
    members: Dict[str, Member] = field(default_factory=dict)
    taken: List[Tuple[int, str]] = field(default_factory=list)
    required: List[str] = field(default_factory=list)
    exclusive: List[List[str]] = field(default_factory=list)
    excluded: Dict[str, List[str]] = field(default_factory=dict)
    is_open: bool = False
    further: Dict[str, Any] = field(default_factory=dict)
    attributes: Dict[str, str] = field(default_factory=dict)
    properties: List[Property] = field(default_factory=list)
    # The path in the folder, without the extension.
    file: str = ""
    # The file and the line, and its name.
    place: str = ""


@dataclass
class WordList:
    """Words that stand for themselves, each with its name in code and what it means."""
    name: str
    description: str
    attributes: Dict[str, str]
    words: List[Tuple[str, str, str]] = field(default_factory=list)
    aliases: List[Tuple[str, str]] = field(default_factory=list)
    # Their names in the Swift kit.
    kit: Dict[str, str] = field(default_factory=dict)
    # The path in the folder, without the extension.
    file: str = ""
    # The file and the line, and its name.
    place: str = ""


class Dialect:
    """All definitions and lists of words of a folder, in the order of the files' names and lines."""

    def __init__(self) -> None:
        self.definitions: Dict[str, Definition] = {}
        self.words: Dict[str, WordList] = {}
        self.calls = Calls()

    def __getitem__(self, name: str) -> Definition:
        return self.definitions[name]

    def members(self, name: str) -> Dict[str, Member]:
        """The members of a definition with those that it takes from its parent."""
        return self.members_of(self.definitions[name])

    def members_of(self, definition: Definition) -> Dict[str, Member]:
        inherited = self.members(definition.parent) if definition.parent else {}
        members = dict(inherited) if all(name.startswith("#") for _, name in definition.taken) else {}
        taken = list(definition.taken)
        for index, own in enumerate([*definition.members.values(), None]):
            while taken and taken[0][0] == index:
                name = taken.pop(0)[1]
                members.update(self.members(name[1:]) if name.startswith("#") else {name: inherited[name]})
            if own:
                members[own.name] = own
        return members

    def inherited_rules(self, definition: Definition) -> List[Definition]:
        """The definition, behind those all of whose members it has, and so their rules about them."""
        isPart = definition.parent is None or any(not name.startswith("#") for _, name in definition.taken)
        return [*([] if isPart else self.inherited_rules(self.definitions[definition.parent or ""])), definition]

    def in_file(self, file: str) -> Iterator[Definition]:
        return (one for one in self.definitions.values() if one.file == file)

    @staticmethod
    def read(folder: Path) -> "Dialect":
        dialect = Dialect()
        for path in sorted(folder.rglob("*.dialect")):
            _Reader(dialect, path, str(path.relative_to(folder).with_suffix(""))).read()
        groups = {name for one in dialect.definitions.values() for name in one.attributes.get("groups", "").split()}
        for definition in dialect.definitions.values():
            dialect._check(definition)
            dialect._check_attributes(definition, OF_MEMBERS | groups)
        for words in dialect.words.values():
            check(words.attributes, OF_WORDS, _failing(words.place))
            for alias, word in words.aliases:
                known = [one for one, _, _ in words.words]
                if word not in known:
                    _failing(words.place)(f"{alias} is meant as {word}, which is no word of it{meant(word, known)}")
        for call in dialect.calls.all:
            dialect._check_call(call)
        return dialect

    def _check(self, definition: Definition) -> None:
        fail = _failing(definition.place)
        if definition.parent and definition.parent not in self.definitions:
            fail(f"there is no {definition.parent}{meant(definition.parent, self.definitions)}")
        inherited = self.members(definition.parent) if definition.parent else {}
        for _, name in definition.taken:
            if name.startswith("#") and name[1:] not in self.definitions:
                fail(f"there is no {name}")
            if not name.startswith("#") and name not in inherited:
                fail(f"{definition.parent} has no member {name}")
        members = self.members_of(definition)
        named = [*definition.required, *definition.excluded]
        for names in [*definition.exclusive, *definition.excluded.values(), named]:
            for name in names:
                if name not in members:
                    fail(f"it has no member {name}{meant(name, members)}")
        for member in definition.members.values():
            self._check_types([member.type], _failing(member.place))
        if definition.type:
            self._check_types([definition.type], fail)

    def _check_attributes(self, definition: Definition, of_members: Set[str]) -> None:
        check(definition.attributes, OF_DEFINITIONS, _failing(definition.place))
        for member in definition.members.values():
            fail = _failing(member.place)
            check(member.attributes, of_members, fail)
            for name in member.attributes.get("options", "").split():
                if "option" not in getattr(definition.members.get(name), "attributes", {}):
                    fail(f"there is no option {name}{meant(name, definition.members)}")
            # What is the same in each object of a kind, and whole documents of others, say nothing more.
            isPlain = isinstance(member.type, Literal) or member.name.startswith("$") or "/" in definition.file
            if not member.description and not isPlain and definition.type is None:
                fail("expected a sentence for people behind ` -- `")

    def _check_call(self, call: Call) -> None:
        def fail(message: str) -> None:
            raise NotationError(f"{call.method} {call.path}: {message}")

        for name in [*call.shared, *call.variables]:
            if name not in self.calls.parameters:
                fail(f"there is no parameter {name}")
        groups = [word for word, _, _ in self.words["groups"].words]
        if call.group not in groups:
            fail(f"there is no group {call.group}")
        self._check_types(call.types(), fail)

    def _check_types(self, types: Iterable[Type], fail: Callable[[str], None]) -> None:
        for inner in (inner for type in types for inner in walk(type)):
            if isinstance(inner, Reference) and inner.name not in self.definitions | DERIVED:
                fail(f"there is no #{inner.name}{meant(inner.name, self.definitions | DERIVED)}")
            if isinstance(inner, Words) and inner.name not in self.words:
                fail(f"there is no @{inner.name}{meant(inner.name, self.words)}")
            if isinstance(inner, Inline):
                self._check(inner.definition)


# What the description of a member with `(ours)` ends with.
OURS = " An addition to WireMock."
# Definitions that are made of the operators of `matcher`, and of the routes of a file.
DERIVED = {name: None for name in ("valueMatcher", "multiValueMatcher", "bodyMatcher", "innerBodyMatcher", "element", "routes")}


def _failing(place: str) -> Callable[[str], None]:
    def fail(message: str) -> None:
        raise NotationError(f"{place}: {message}")

    return fail


def walk(type: Type) -> Iterator[Type]:
    """A type with all that it is made of, as far as it has no name."""
    yield type
    if isinstance(type, OneOf):
        for part in type.types:
            yield from walk(part)
    elif isinstance(type, ListOf):
        yield from walk(type.elements)
    elif isinstance(type, MapOf):
        yield from walk(type.values)
    elif isinstance(type, Inline):
        for member in type.definition.members.values():
            yield from walk(member.type)


class _Reader:
    def __init__(self, dialect: Dialect, path: Path, file: str) -> None:
        self.dialect = dialect
        self.path = path
        self.file = file
        self.number = 0
        # The definition that is read, and the objects within it that the lines belong to; None for a call.
        self.current: List[Any] = []

    def fail(self, message: str) -> None:
        raise NotationError(f"{self.path.name}:{self.number}: {message}")

    def read(self) -> None:
        for self.number, line in enumerate(self.path.read_text().splitlines(), 1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            try:
                self._line(line)
            except NotationError as error:
                self.fail(str(error))

    def _line(self, line: str) -> None:
        margin = len(line) - len(line.lstrip())
        if margin % 2:
            raise NotationError("expected a margin of two blanks, or of two more for each object around it")
        if not margin:
            self.current = [None if self.dialect.calls.begin(line) else self._head(line)]
        elif self.current[0] is None:
            self.dialect.calls.line(line.strip())
        elif isinstance(self.current[0], WordList):
            self._word(self.current[0], line.strip())
        else:
            self._member(self._owner(margin // 2), line.strip())

    def _owner(self, depth: int) -> Definition:
        """The definition that a line with a margin belongs to: with a wider one, the object of the line above."""
        del self.current[depth:]
        outer = self.current[-1]
        if len(self.current) < depth:
            member = list(outer.members.values())[-1] if outer.members else None
            inner = Definition(f"{outer.name}.{member and member.name}", is_answer=outer.is_answer, file=outer.file, place=outer.place)
            type = with_members(member.type, inner) if member else None
            if member is None or type == member.type:
                raise NotationError("expected the line of an object above")
            member.type = type
            self.current.append(inner)
        elif outer.type is not None:
            raise NotationError("expected the beginning of a definition")
        return self.current[-1]

    def _head(self, line: str) -> Union[Definition, WordList]:
        found = re.match(r"(@?)([A-Za-z0-9]+)(!?)(?: < ([A-Za-z0-9]+))?\s*(?:\(((?:[^()]|\([^()]*\))*)\))?\s*([:=])\s*(.*)", line)
        if not found:
            raise NotationError("expected `name: description`, `name = type` or `@name: description`")
        is_words, name, answer, parent, attributes, mark, rest = found.groups()
        if is_words:
            words = WordList(name, rest, read_attributes(attributes), file=self.file, place=self._place("@" + name))
            if self.dialect.words.setdefault(name, words) is not words:
                raise NotationError(f"@{name} is there already")
            return words
        definition = Definition(
            name, parent=parent, is_answer=bool(answer), attributes=read_attributes(attributes), file=self.file,
            place=self._place(name),
        )
        if mark == "=":
            type, _, description = rest.partition(" -- ")
            definition.type, definition.description = read_type(type), description.strip()
        else:
            definition.description = rest
        if self.dialect.definitions.setdefault(name, definition) is not definition:
            raise NotationError(f"{name} is there already")
        return definition

    def _place(self, name: str) -> str:
        return f"{self.file}.dialect:{self.number}: {name}"

    def _word(self, words: WordList, line: str) -> None:
        if line.startswith("~ "):
            word, _, others = line[2:].partition(":")
            words.aliases += [(other, word) for other in others.split()]
            return
        text, _, description = line.partition(" -- ")
        value, _, names = text.partition(" = ")
        name, *kit = names.split() or [value.strip()]
        words.words.append((value.strip(), name, description.strip()))
        words.kit[value.strip()] = kit[0] if kit else name

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
        elif mark == ">":
            found = re.fullmatch(r"> (?:([a-z() ]+) )?([A-Za-z0-9]+): (.*?)(?: -- (.*))?", line)
            if not found:
                raise NotationError("expected `> name: Type -- description`")
            access, name, type, description = found.groups()
            definition.properties.append(Property(name, type, description or "", access or "", len(definition.members)))
        elif mark == ".":
            definition.attributes[rest[0]] = " ".join(rest[1:])
        elif mark == "~":
            name = rest[0].rstrip(":")
            member = definition.members.get(name)
            if member is None:
                raise NotationError(f"{definition.name} has no member {name}{meant(name, definition.members)}")
            member.aliases += rest[1:]
        else:
            for member in read_members(line):
                member.place = self._place(f"{definition.name}.{member.name}")
                if "ours" in member.attributes:
                    member.description += OURS
                    member.marked += OURS
                if definition.members.setdefault(member.name, member) is not member:
                    raise NotationError(f"{member.name} is there already")
