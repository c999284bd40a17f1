"""The types of stubs for Python, by which editors complete, explain and check what a test says."""

import json
import keyword
from typing import Dict, List

from clients import ClientTypes, sentence, wrapped
from json_schema import PLACES
from notation import Definition, Dialect
from type_notation import (
    ListOf, Literal, MapOf, Member, OneOf, Pattern, Range, Reference, Type, Word, Words, parts_of,
)

PATH = "packaging/python/src/stuntdouble_server/_dialect.py"
HEAD = '''# Made by `make dialect` of Sources/Dialect/Table; do not edit.
"""What a stub may say, as types: mappings in WireMock's form, routes, and all that they name."""

from typing import Any, Literal, Mapping, Sequence, TypedDict, Union

Scalar = Union[str, float, bool, None]
"""A text, or what stands for one."""
'''
WORDS = {
    "any": "Any", "text": "Scalar", "string": "str", "number": "float", "integer": "int", "boolean": "bool", "null": "None",
    "object": "Mapping[str, Any]", "flag": '"Flag"', "int": '"Int"',
}
RECORDS = '''

class RouteMembers(Route, total=False):
    """What may stand beside a route's key: a response, or a collection of records."""

'''
TAIL = '''

Routes = Mapping[str, Union[Route, Sequence[Route], RouteResource, Defaults, CorsPolicy, bool, str, None]]
"""Routes by their keys, METHOD /path, as a file has them, with its `defaults` and `cors`."""

StubElement = Union[StubMapping, Routes]
"""A stub mapping in WireMock's form, or routes."""
'''


class Printer:
    def __init__(self, dialect: Dialect) -> None:
        self.types = ClientTypes(dialect)

    def type(self, type: Type) -> str:
        words = [json.dumps(one.text) for one in parts_of(type) if isinstance(one, Literal)]
        parts = list(dict.fromkeys(self._part(one) for one in parts_of(type) if not isinstance(one, Literal)))
        if words and not {"str", "Scalar", "Any"}.intersection(parts):
            parts.insert(0, f"Literal[{', '.join(words)}]")
        return "Any" if "Any" in parts else parts[0] if len(parts) == 1 else f"Union[{', '.join(parts)}]"

    def _part(self, type: Type) -> str:
        if isinstance(type, Pattern):
            return "str"
        if isinstance(type, Words):
            return self._quoted("@" + type.name)
        if isinstance(type, Reference):
            return self._quoted(type.name)
        if isinstance(type, Range):
            return "int" if type.is_whole else "float"
        if isinstance(type, ListOf):
            return f"Sequence[{self.type(type.elements)}]"
        if isinstance(type, MapOf):
            return f"Mapping[str, {self.type(type.values)}]"
        if isinstance(type, OneOf):
            return self.type(type)
        assert isinstance(type, Word)
        return WORDS[type.name]

    def _quoted(self, name: str) -> str:
        """A name that may be defined further below; with any others for an object that has others."""
        if name in PLACES:
            return '"Matcher"'
        definition = self.types.dialect.definitions.get(name)
        type = f'"{self.types.name(name)}"'
        return f"Union[{type}, Mapping[str, Any]]" if definition and definition.is_open else type

    def definition(self, one: Definition) -> str:
        name = self.types.name(one.name)
        if one.type:
            return f"\n\n{name} = {self.type(one.type)}\n" + docstring([one.description])
        members = self.types.members(one) if one.taken else list(one.members.values())
        bases = [self.types.name(one.parent)] if one.parent and not one.taken else []
        out = ""
        for is_required in (True, False):
            some = [member for member in members if (member.name in one.required) == is_required]
            # What is no name of Python's stands in a call.
            odd = [member for member in some if not is_name(member.name)]
            total = "" if is_required else ", total=False"
            if odd:
                bases.append(f"_{name}{'Must' if is_required else 'May'}")
                pairs = ", ".join(f"{json.dumps(member.name)}: {self.type(member.type)}" for member in odd)
                out += f'\n\n{bases[-1]} = TypedDict("{bases[-1]}", {{{pairs}}}{total})\n'
            plain = [member for member in some if is_name(member.name)]
            if is_required and plain:
                out += f"\n\nclass _{name}(TypedDict):\n" + "".join(map(self.member, plain))
                bases.append(f"_{name}")
            elif not is_required:
                above = ", ".join(bases) or "TypedDict"
                out += f"\n\nclass {name}({above}, total=False):\n" + docstring([one.description], "    ")
                out += "".join("\n" * (index == 0) + self.member(member) for index, member in enumerate(plain))
        return out

    def member(self, member: Member) -> str:
        type = self.type(member.type)
        if "bytes" in member.attributes:
            type = f"Union[{type}, bytes]"
        return f"    {member.name}: {type}\n" + docstring([member.description], "    ")

    def all(self) -> str:
        out = HEAD
        for words in self.types.words:
            literal = ", ".join(json.dumps(word) for word, _, _ in words.words)
            out += f"\n{self.types.name('@' + words.name)} = Literal[{literal}]\n" + docstring(self.types.explained(words))
        for one in self.types.definitions:
            out += self.definition(one)
        known = self.types.dialect.members("routeResponse")
        others = (one for name, one in self.types.dialect.members("routeResource").items() if name not in known)
        return out + RECORDS + "".join(map(self.member, others)) + TAIL


def is_name(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)


def docstring(sentences: List[str], margin: str = "") -> str:
    lines = [line for text in sentences if text for line in wrapped(sentence(text).replace("\\", "\\\\"), 120 - len(margin))]
    if len(lines) < 2:
        return f'{margin}"""{lines[0]}"""\n' if lines else ""
    return f'{margin}"""' + "".join(f"{margin * (index > 0)}{line}\n" for index, line in enumerate(lines)) + f'{margin}"""\n'


def files(dialect: Dialect) -> Dict[str, str]:
    return {PATH: Printer(dialect).all()}
