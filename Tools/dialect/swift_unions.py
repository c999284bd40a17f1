"""The Swift enumerations of objects that a member tells apart: `name (swift Type, union member) = #first | #second`.

An object's case has the word of that member, and its other members as values, which are read and written as those of a
struct. `checked(&reader)`, which is written by hand, sees what was read.
"""

from typing import Dict, List

from notation import Definition, Dialect
from swift_models import Field, Model
from swift_words import HEAD, MODEL, doc, literal, sentence
from type_notation import Literal, Reference, parts_of


def files(dialect: Dialect) -> Dict[str, str]:
    unions = [one for one in dialect.definitions.values() if "union" in one.attributes]
    return {f"{MODEL}/{one.attributes['swift']}+Members.swift": _union(dialect, one) for one in unions}


def _union(dialect: Dialect, union: Definition) -> str:
    key = union.attributes["union"]
    parts = [Model(dialect, dialect[one.name]) for one in parts_of(union.type) if isinstance(one, Reference)]
    kinds = [next(one.type.text for one in part.definition.members.values() if isinstance(one.type, Literal)) for part in parts]
    type = union.attributes["swift"]
    out = HEAD + "\nimport SDJSON\n\n" + doc(sentence(union.description))
    out += f"public enum {type}: Sendable, Hashable {{\n"
    for kind, part in zip(kinds, parts):
        values = ", ".join(f"{one.name}: {one.type}" for one in _values(part))
        out += doc(sentence(part.definition.description), "    ") + f"    case {_case(kind)}" + (f"({values})\n" if values else "\n")
    out += f"}}\n\nextension {type} {{\n    /// The values of `{key}`.\n"
    out += f"    package static let kinds = [{', '.join(map(literal, kinds))}]\n\n    /// Reads an object of a kind; nil for one with a problem.\n"
    out += f"    static func read(_ object: JSONObject, _ kind: String, _ reader: inout ModelReader) -> {type}? {{\n"
    out += "        let known = reader.problems.count\n        switch kind {\n"
    out += "".join(_reading(key, kind, part) for kind, part in zip(kinds, parts))
    out += "        default: return nil\n        }\n    }\n\n    /// The document that it is read from.\n    var json: JSONValue {\n"
    out += "        var object = JSONObject()\n        switch self {\n"
    for kind, part in zip(kinds, parts):
        names = ", ".join(f"let {one.name}" for one in _values(part))
        out += f"        case .{_case(kind)}" + (f"({names})" if names else "") + f":\n            object[{literal(key)}] = {literal(kind)}\n"
        out += "".join(f"            object[{literal(one.member.name)}] = {one.writing}\n" for one in _values(part))
    return out + "        }\n        return .object(object)\n    }\n}\n"


def _case(kind: str) -> str:
    """The word as a name in Swift: `http-stub` is `httpStub`."""
    first, *others = kind.split("-")
    return first + "".join(one.capitalize() for one in others)


def _values(part: Model) -> List[Field]:
    return [one for one in part.fields if one.type]


def _reading(key: str, kind: str, part: Model) -> str:
    out = f"        case {literal(kind)}:\n"
    out += "".join(f"            var {one.name}: {one.type}" + (f" = {one.first}\n" if one.first else "\n") for one in _values(part))
    if not _values(part):
        out += f"            for member in object.members {{ _ = {part.index()} }}\n"
        out += f"            guard reader.problems.count == known else {{ return nil }}\n"
        return out + f"            return Self.{_case(kind)}.checked(&reader)\n"
    out += f"            for member in object.members {{\n                guard let index = {part.index()} else {{ continue }}\n"
    out += "                reader.within(member.key) { reader in\n                    let value = member.value\n"
    out += "                    switch index {\n"
    out += "".join(f"                    case {index}: {one.reading}\n" for index, one in enumerate(part.fields) if one.type)
    out += "                    default: break\n                    }\n                }\n            }\n"
    hasAll = part.requirement(besides=key)
    out += f"            guard reader.problems.count == known{hasAll} else {{ return nil }}\n"
    values = ", ".join(f"{one.name}: {one.name}" for one in _values(part))
    return out + f"            return Self.{_case(kind)}({values}).checked(&reader)\n"
