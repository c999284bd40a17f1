"""The types of stubs for TypeScript, by which editors complete, explain and check what a test says."""

import json
from typing import Dict, List

from clients import ClientTypes, sentence, wrapped
from json_schema import PLACES, stands
from notation import Definition, Dialect
from type_notation import (
    ListOf, Literal, MapOf, Member, OneOf, Pattern, Range, Reference, Type, Word, Words, parts_of,
)

PATH = "packaging/npm/stuntdouble-server/lib/dialect.d.ts"
HEAD = """// Made by `make dialect` of Sources/Dialect/Table; do not edit.

// Without it `Needs` were exported, too.
export {};

/** A text, or what stands for one. */
export type Scalar = string | number | boolean | null;
/** Whatever is a key of it must be there. */
type Needs<Whole, Keys extends keyof Whole> = Keys extends unknown ? Required<Pick<Whole, Keys>> : never;
"""
WORDS = {"any": "unknown", "text": "Scalar", "integer": "number", "flag": "Flag", "int": "Int"}
# What patterns of texts are here, by the definition or as they stand; others take any text.
TEXTS = {
    "^[0-9][0-9.]*%$": "`${number}%`",
    "^[0-9]+$": "`${number}`",
    "^[0-9]{3}$": "`${number}`",
    "^[+-]?[0-9]+$": '`${"" | "+" | "-"}${number}`',
    r"^\S+[ \t]+\S": "`${string} ${string}`",
    "flag": '"true" | "false" | ""',
    "int": '`${number}` | ""',
    "duration": '`${number}${"" | " "}${"ms" | "s" | "m" | "h"}`',
    "size": '`${number}${"" | " "}${"B" | "kB" | "KB" | "MB" | "GB" | "KiB" | "MiB" | "GiB" | "bit" | "kbit" | "Kbit" | "Mbit" | "Gbit"}`',
    "rate": '`${Size & string}/s`',
    "share": "`${number}%`",
}


class Printer:
    def __init__(self, dialect: Dialect) -> None:
        self.types = ClientTypes(dialect)

    def type(self, type: Type, text: str = "string") -> str:
        parts: List[str] = []
        for one in parts_of(type):
            parts += [part for part in [self._part(one, text)] if part not in parts]
        if "string" in parts and any(isinstance(one, (Literal, Words)) for one in parts_of(type)):
            # The words are proposed, and any text is taken.
            parts[parts.index("string")] = "(string & {})"
        return "unknown" if "unknown" in parts else " | ".join(parts)

    def _part(self, type: Type, text: str) -> str:
        if isinstance(type, Literal):
            return json.dumps(type.text)
        if isinstance(type, Pattern):
            return TEXTS.get(type.text, text)
        if isinstance(type, Words):
            return self.types.name("@" + type.name)
        if isinstance(type, Reference):
            return self.types.name(type.name)
        if isinstance(type, Range):
            return "number"
        if isinstance(type, ListOf):
            return f"ReadonlyArray<{self.type(type.elements)}>"
        if isinstance(type, MapOf):
            return f"{{ [name: string]: {self.type(type.values)} }}"
        if isinstance(type, OneOf):
            return self.type(type, text)
        return WORDS.get(type.name, type.name)

    def definition(self, one: Definition) -> str:
        name = self.types.name(one.name)
        if one.type:
            alias = self.type(one.type, TEXTS.get(one.name, "string"))
            return comment([one.description]) + f"export type {name} = {alias};\n"
        parent = "matcher" if "$ref" in one.further else None if one.taken else one.parent
        above = f" extends {self.types.name(parent)}" if parent else ""
        out = comment([one.description]) + f"export interface {name}{above} {{\n"
        for member in self.types.members(one) if one.taken else one.members.values():
            out += self.member(member, member.name in one.required)
        if one.is_open:
            out += "    [key: string]: unknown;\n"
        elif "patternProperties" in one.further:
            out += "    [key: `x-${string}` | `.${string}`]: unknown;\n"
        return out + "}\n"

    def member(self, member: Member, is_required: bool) -> str:
        type = self.type(member.type)
        if "bytes" in member.attributes:
            type += " | Uint8Array"
        described = [member.description] if member.description else self._meaning(member.type)
        mark = "" if is_required else "?"
        return comment(described, "    ") + f"    {json.dumps(member.name) if '$' in member.name else member.name}{mark}: {type};\n"

    def _meaning(self, type: Type) -> List[str]:
        """What the type of a member says that says nothing itself."""
        named = [one for one in parts_of(type) if isinstance(one, Reference) and one.name in self.types.dialect.definitions]
        return [self.types.dialect[one.name].description for one in named[:1]]

    def routes(self) -> str:
        return """
/** Routes by their keys, METHOD /path, as a file has them. */
export interface Routes {
    $schema?: unknown;
    /** Values for all of these routes. */
    defaults?: Defaults;
    cors?: Cors;
    /** OpenAPI documents that are served below the routes. */
    openapi?: string | ContractDocument | ReadonlyArray<string | ContractDocument>;
    /** Sets of faults by their names, which a session switches on and off. */
    chaos?: { [name: string]: SessionFault | ReadonlyArray<SessionFault> };
    [key: `${string} ${string}`]: Route | ReadonlyArray<Route> | RouteResource | string | null;
    [key: `x-${string}`]: any;
}

/** A stub mapping in WireMock's form, or routes. */
export type StubElement = StubMapping | Routes;
"""

    def all(self) -> str:
        out = HEAD
        for words in self.types.words:
            union = " | ".join(json.dumps(word) for word, _, _ in words.words)
            out += "\n" + comment(self.types.explained(words)) + f"export type {self.types.name('@' + words.name)} = {union};\n"
        for one in self.types.definitions:
            out += "\n" + self.definition(one)
        for kind, place in PLACES.items():
            operators = self.types.dialect["matcher"].members.values()
            names = " | ".join(json.dumps(one.name) for one in operators if stands(one.attributes, place))
            out += f"\nexport type {self.types.name(kind)} = Matcher & Needs<Matcher, {names}>;\n"
        return out + self.routes()


def comment(sentences: List[str], margin: str = "") -> str:
    lines = [line for text in sentences if text for line in wrapped(sentence(text).replace("*/", "*\\/"), 124 - len(margin))]
    if len(lines) < 2:
        return f"{margin}/** {lines[0]} */\n" if lines else ""
    return f"{margin}/**\n" + "".join(f"{margin} * {line}\n" for line in lines) + f"{margin} */\n"


def files(dialect: Dialect) -> Dict[str, str]:
    return {PATH: Printer(dialect).all()}
