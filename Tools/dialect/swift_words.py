"""Names, words and the schema as Swift: what readers of `SDStubModel` and `SDShorthand` look names up in."""

import json
from typing import Dict, List, Tuple

from json_schema import PLACES, stub_schema
from notation import Dialect, NotationError, WordList

HEAD = "// Made by `make dialect` of Sources/Dialect/Table; do not edit.\n// swift-format-ignore-file\n"
MODEL = "Sources/Dialect/StubModel/Generated"
# What calls alone have is not read by these.
CALLS = "Calls/"


def files(dialect: Dialect) -> Dict[str, str]:
    return {
        f"{MODEL}/DialectNames.swift": _names(dialect),
        f"{MODEL}/DialectWords.swift": _words(dialect),
        f"{MODEL}/ValueMatcher+Operator.swift": _operators(dialect),
        "Sources/Dialect/StubFiles/Generated/StubSchema+Text.swift": _schema(dialect),
        "Sources/Matching/Matching/Generated/PatternCompiler+Tests.swift": _tests(dialect),
    }


def literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def identifier(name: str) -> str:
    words = {"repeat", "default", "for", "operator", "case", "in", "is", "as"}
    return f"`{name}`" if name in words else name


def doc(text: str, margin: str = "", width: int = 120) -> str:
    """A doc comment in lines of the house's width."""
    lines: List[str] = []
    for word in text.split():
        if lines and len(margin) + 4 + len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return "".join(f"{margin}/// {line}\n" for line in lines)


def sentence(text: str) -> str:
    return text if not text or text[-1] in ".!?…" else text + "."


def _names(dialect: Dialect) -> str:
    out = HEAD + "\n/// The names of the members of the dialect's objects, in the order of its table.\npackage enum DialectNames {\n"
    for definition in dialect.definitions.values():
        if definition.type is not None or definition.file.startswith(CALLS):
            continue
        members = dialect.members(definition.name)
        names = ", ".join(literal(name) for name in members if name != "$schema")
        out += f"    package static let {definition.name}: [String] = [{names}]\n"
        ours = ", ".join(literal(one.name) for one in definition.members.values() if "ours" in one.attributes)
        if ours:
            out += f"    /// Those that WireMock does not have.\n    package static let {definition.name}Additions: Set<String> = [{ours}]\n"
        for other in dict.fromkeys(one.attributes["of"] for one in definition.members.values() if "of" in one.attributes):
            same = ", ".join(literal(one.name) for one in definition.members.values() if one.attributes.get("of") == other)
            out += f"    /// Those that are read as members of `{other}`.\n"
            out += f"    package static let {definition.name}Of{other.capitalize()}: [String] = [{same}]\n"
        aliases = [(alias, one.name) for one in members.values() for alias in one.aliases]
        if aliases:
            pairs = ", ".join(f"{literal(alias)}: {literal(name)}" for alias, name in aliases)
            out += f"    /// What other tools call them.\n    package static let {definition.name}Aliases: [String: String] = [{pairs}]\n"
    for words in dialect.words.values():
        if words.aliases:
            pairs = ", ".join(f"{literal(alias)}: {literal(word)}" for alias, word in words.aliases)
            out += f"    package static let {words.name}Aliases: [String: String] = [{pairs}]\n"
        if "swift" not in words.attributes and not words.file.startswith(CALLS):
            out += f"    package static let {words.name}: [String] = [{', '.join(literal(word) for word, _, _ in words.words)}]\n"
    return out + "}\n"


def _words(dialect: Dialect) -> str:
    """Lists of words with a type, `(swift Outer.Name)`, and the names of an object's members: `(names Name)`."""
    out = HEAD
    for words in dialect.words.values():
        if "swift" in words.attributes:
            access = "package" if "package" in words.attributes else "public"
            out += "\n" + enumeration(words.attributes["swift"], words.description, words.words, access)
    for one in dialect.definitions.values():
        if "names" in one.attributes:
            members = [(member.name, member.name, member.description) for member in one.members.values()]
            out += "\n" + enumeration(one.attributes["names"], one.description, members)
    return out


def enumeration(type: str, description: str, words: List[Tuple[str, str, str]], access: str = "public", more: str = "") -> str:
    """The words, each with its name and description, and what stands below them."""
    outer, _, name = type.rpartition(".")
    margin = "    " if outer else ""
    body = doc(sentence(description), margin) + f"{margin}{access} enum {name}: String, Sendable, Hashable, CaseIterable {{\n"
    for word, case, meaning in words:
        body += doc(sentence(meaning), margin + "    ")
        body += f"{margin}    case {identifier(case)}" + (f" = {literal(word)}\n" if word != case else "\n")
    body += more + f"{margin}}}\n"
    return f"extension {outer} {{\n{body}}}\n" if outer else body


def _operators(dialect: Dialect) -> str:
    """The operators of matchers: members of `matcher` without `(option)`, each with its options, `(options a b)`."""
    members = dialect["matcher"].members.values()
    operators = [one for one in members if "option" not in one.attributes]
    for one in operators:
        if not {"test", "plain"} & one.attributes.keys():
            raise NotationError(f"{one.place}: an operator of matchers has (test T), or is an (option)")
        for place in one.attributes.get("in", "").split():
            if place not in PLACES.values():
                raise NotationError(f"{one.place}: a matcher stands in {', '.join(PLACES.values())}, not in {place}")
    out = HEAD + "\nextension ValueMatcher {\n    /// The operators by their names in JSON.\n"
    out += "    public enum Operator: String, Sendable, Hashable, CaseIterable {\n"
    for one in operators:
        out += doc(sentence(one.description), "        ") + f"        case {identifier(one.name)}\n"
    out += "    }\n}\n\nextension ValueMatcher.Operator {\n    /// The names of the operator's options.\n"
    out += "    public var options: [String] {\n        switch self {\n"
    for one in operators:
        if "options" in one.attributes:
            names = ", ".join(literal(name) for name in one.attributes["options"].split())
            out += f"        case .{one.name}: [{names}]\n"
    out += "        default: []\n        }\n    }\n\n    /// Whether the operator decides at a position of matchers.\n"
    out += "    package func isAllowed(at position: ValueMatcher.Position) -> Bool {\n        switch self {\n"
    places = {"single": ".single", "several": ".multiValue", "body": ".body", "within": ".withinBody"}
    for one in operators:
        if "in" in one.attributes:
            named = " || ".join(f"position == {places[place]}" for place in one.attributes["in"].split())
            out += f"        case .{one.name}: {named}\n"
    out += "        default: true\n        }\n    }\n"
    for name, attribute, text in (
        ("mayPassAbsence", "absence", "Whether a missing value may pass, whatever the operand"),
        ("isSpeltAsPath", "path", "Whether the operand, in a condition of a path, is spelt as clients send paths"),
        ("passesItsOperand", "example", "Whether the operand itself passes"),
        ("passesOneValue", "one", "Whether one value alone passes, however it is written"),
        ("takesNumber", "number", "Whether the operand is a number"),
    ):
        cases = [f".{one.name}" for one in operators if attribute in one.attributes]
        out += f"\n    /// {text}.\n    package var {name}: Bool {{\n        switch self {{\n"
        out += f"        case {', '.join(cases)}: true\n        default: false\n        }}\n    }}\n"
    for kind in ("flag", "text"):
        names = ", ".join(literal(one.name) for one in members if one.attributes.get("option") == kind)
        out += f"\n    /// The options whose value is a {kind}.\n    static let {kind}Options: Set<String> = [{names}]\n"
    return out + "}\n"


def _tests(dialect: Dialect) -> str:
    """The tests of matchers with files of their own: `(test GlobTest)`."""
    out = HEAD + "internal import SDStubModel\n\nextension PatternCompiler {\n    /// The test of a matcher with a file of its own.\n"
    out += "    mutating func ownTest(_ matcher: ValueMatcher, at place: PatternPlace, depth: Int) -> ValueTest? {\n"
    out += "        switch matcher.operator {\n"
    tests: Dict[str, List[str]] = {}
    for one in dialect["matcher"].members.values():
        if "test" in one.attributes:
            tests.setdefault(one.attributes["test"], []).append(one.name)
    for test, names in tests.items():
        cases = ", ".join(f".{name}" for name in names)
        out += f"        case {cases}: return {test}.compile(matcher, at: place, depth: depth, &self)\n"
    return out + "        default: return nil\n        }\n    }\n}\n"


def _schema(dialect: Dialect) -> str:
    """The schema in compact form, a line a definition."""
    schema = stub_schema(dialect)
    definitions = schema.pop("$defs")
    compact = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))[:-1]
    lines = [compact + ',"$defs":{']
    for index, (name, value) in enumerate(definitions.items()):
        end = "," if index + 1 < len(definitions) else "}}"
        lines.append(f"{literal(name)}:" + json.dumps(value, ensure_ascii=False, separators=(",", ":")) + end)
    text = "\n".join(lines)
    marks = "##"
    return HEAD + f'\nextension StubSchema {{\n    /// The schema without blanks.\n    static let compactText = {marks}"""\n{text}\n"""{marks}\n}}\n'
