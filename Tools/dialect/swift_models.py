"""The Swift types of definitions with `(swift Type)`: their stored properties, and how members are read and written.

Of a definition:

    swift T       the type; of `name = type` one that is written by hand, with `T.read(value, &reader)` and `json`
    hand          an object's type is written by hand, too
    java x        unknown members are reported as WireMock does of this `JavaClass`; `java` alone: of one that is passed on
    with x: T     what the caller tells about the place, which members with `with` are read by
    blank         null is passed over, whatever the name; with `skipsNull` that of a known member is
    index f       the method of the reader that finds the index of a member and reports unknown ones
    empty         anybody may make one without members
    . example x   it is read as an object like this one, which has all required members
    . groups a b  the names of the members with `a`, as `aNames`
    named         members are read by their names, too
    readOnly      it is never written
    ownJSON, ownEquality, access ACCESS, in FOLDER

Of a member, where it does not follow from the type:

    name x        the property's name, or `no` if there is none
    swift T = x   its type
    what x        what is expected in place of a number that is out of range
    by f          the function that makes its value of a JSON value: `reader.f` or a static one
    read f        the method that reads it
    as f          the function that makes JSON of the value
    write x       the property with its JSON, or `no`
    boxed         kept in a box, since few have it
    access x      its access, if not that of the type
"""

from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

from notation import Definition, Dialect, NotationError
from swift_words import HEAD, MODEL, doc, identifier, literal, sentence
from type_notation import ListOf, MapOf, Member, Range, Reference, Type, Word, Words, parts_of

# Of plain types: the Swift type, and what makes it of `value`.
PLAIN = {
    "text": ("String?", "reader.string(value)"),
    "string": ("String?", "reader.string(value)"),
    "flag": ("Bool?", "reader.bool(value)"),
    "boolean": ("Bool?", "reader.bool(value)"),
    "int": ("Int?", "reader.integer(value, .boxedInt)"),
    "any": ("JSONValue?", "value.isNull ? nil : value"),
    "object": ("JSONObject?", "reader.object(value, .parameters)"),
}
# Those that find nothing where a value is wrong.
OPTIONAL = {by for _, by in PLAIN.values()} | {"reader.strings"}
MATCHERS = {
    Reference("valueMatcher"): ("ValueMatcher?", "value.isNull ? nil : ValueMatcher.read(value, .single, &reader)"),
    MapOf(Reference("valueMatcher")): ("[NamedMatcher]", "RequestPattern.readMatchers(value, .single, &reader)"),
    MapOf(Reference("multiValueMatcher")): ("[NamedMatcher]", "RequestPattern.readMatchers(value, .multiValue, &reader)"),
    ListOf(Reference("bodyMatcher")): ("[ValueMatcher]", "RequestPattern.readBodyPatterns"),
}


@dataclass
class Field:
    """A member as a property: its name, type and first value, and the code that reads and writes it."""
    member: Member
    name: str
    type: str
    first: Optional[str]
    reading: str
    writing: Optional[str]


def files(dialect: Dialect) -> Dict[str, str]:
    made: Dict[str, str] = {}
    for definition in dialect.definitions.values():
        if definition.type is None and "swift" in definition.attributes and "hand" not in definition.attributes:
            folder = definition.attributes.get("in", MODEL)
            name = definition.attributes["swift"]
            made[f"{folder}/{name.replace('.', '+')}+Members.swift"] = Model(dialect, definition).text()
    return made


class Model:
    def __init__(self, dialect: Dialect, definition: Definition) -> None:
        self.dialect = dialect
        self.definition = definition
        self.attributes = definition.attributes
        self.outer, _, self.type = self.attributes["swift"].rpartition(".")
        self.access = self.attributes.get("access", "public")
        members = [one for name, one in dialect.members(definition.name).items() if name != "$schema"]
        self.fields = [self._field(one) for one in members]

    def text(self) -> str:
        types = [one.type for one in self.fields] + [one.type for one in self.definition.properties]
        isWritten = not {"ownJSON", "readOnly"} & self.attributes.keys()
        isShown = self.access == "public" and (isWritten or any("JSON" in type for type in types))
        access = "public" if isShown else "package"
        out = HEAD + f"\n{access} import SDJSON\n"
        if "in" in self.attributes:
            out += f"{access} import SDStubModel\n"
        if any("UUID" in type for type in types):
            out += f"#if canImport(FoundationEssentials)\n{access} import FoundationEssentials\n"
            out += f"#else\n{access} import Foundation\n#endif\n"
        margin = "    " if self.outer else ""
        body = "\n".join(margin + line if line else "" for line in self._structure().split("\n")).rstrip(" ")
        out += f"\nextension {self.outer} {{\n{body}}}\n" if self.outer else "\n" + body
        return out + "\n" + self._extension()

    def _structure(self) -> str:
        traits = "Sendable" if {"ownEquality", "readOnly"} & self.attributes.keys() else "Sendable, Hashable"
        out = doc(sentence(self.definition.description)) + f"{self.access} struct {self.type}: {traits} {{\n"
        apart = list(self.definition.properties)
        written = set()
        for index, field in enumerate([*self.fields, None]):
            while apart and (field is None or apart[0].place <= index):
                one = apart.pop(0)
                out += doc(sentence(one.description), "    ") + f"    {one.access or self.access} var {identifier(one.name)}: {one.type}\n"
            if field is None or field.name in ("", "no") or field.name in written:
                continue
            written.add(field.name)
            out += self._property(field)
        made = f"    /// Makes one without any member.\n    {self.access} " if "empty" in self.attributes else "    "
        return out + f"\n{made}init() {{}}\n}}\n"

    def _property(self, field: Field) -> str:
        access = field.member.attributes.get("access", self.access)
        out = doc(sentence(field.member.description), "    ")
        head = f"    {access} var {identifier(field.name)}: {field.type}"
        if "boxed" not in field.member.attributes:
            return out + head + (f" = {field.first}\n" if field.first else "\n")
        box = "boxed" + field.name[0].upper() + field.name[1:] if field.name != "cors" else "boxedCORS"
        out += head + f" {{\n        get {{ {box}?.value }}\n        set {{ {box} = newValue.map(Boxed.init) }}\n    }}\n"
        return out + f"    private var {box}: Boxed<{field.type.rstrip('?')}>?\n"

    def _extension(self) -> str:
        names = f"DialectNames.{self.definition.name}"
        members = self.dialect.members(self.definition.name)
        given, passed = self._context()
        java = self.attributes.get("java")
        if java is not None:
            found = f"index(of: member, class: {'.' + java if java else 'javaClass'}, in: {names})"
        else:
            aliases = f", otherNames: {names}Aliases" if any(one.aliases for one in members.values()) else ""
            found = f"{self.attributes.get('index', 'index')}(of: member, in: {names}{aliases})"
        skipped = "!member.value.isNull" if "blank" in self.attributes else ""
        skipped = 'member.key != "$schema"' if "$schema" in members else skipped
        guard = f"let index = reader.{found}" + (", !member.value.isNull" if "skipsNull" in self.attributes else "")
        head = ", _ javaClass: JavaClass" if java == "" else ""
        whole = f"{self.outer}.{self.type}" if self.outer else self.type
        out = f"extension {whole} {{\n    package static var names: [String] {{ {names} }}\n"
        for group in self.attributes.get("groups", "").split():
            grouped = ", ".join(literal(name) for name, one in members.items() if group in one.attributes)
            out += f"    package static let {group}Names: [String] = [{grouped}]\n"
        out += self._reading() if "example" in self.attributes else "\n"
        out += "    /// Reads the members of an object; others are reported.\n"
        out += f"    package mutating func readMembers(of object: JSONObject{head}{given}, _ reader: inout ModelReader) {{\n"
        out += f"        for member in object.members{' where ' + skipped if skipped else ''} {{\n"
        out += f"            guard {guard} else {{ continue }}\n"
        out += f"            reader.within(member.key) {{ readMember(index, member.value{passed}, &$0) }}\n        }}\n    }}\n\n"
        out += "    /// Reads the member of this index among `names`.\n"
        out += f"    package mutating func readMember(_ index: Int, _ value: JSONValue{given}, _ reader: inout ModelReader) {{\n"
        out += "        switch index {\n"
        out += "".join(f"        case {index}: {field.reading}\n" for index, field in enumerate(self.fields) if field.reading != "break")
        out += "        default: break\n        }\n    }\n\n"
        if "named" in self.attributes:
            out += "    /// Reads a member by its name; others are passed over.\n"
            out += f"    package mutating func readMember(_ member: JSONObject.Member{given}, _ reader: inout ModelReader) {{\n"
            known = f"let index = {names}.firstIndex(of: member.key)" + guard.partition(", in: " + names)[2].partition(")")[2]
            out += f"        if {known} {{ readMember(index, member.value{passed}, &reader) }}\n    }}\n\n"
        return out + self._writers() if "readOnly" not in self.attributes else out.rstrip("\n") + "\n}\n"

    def _writers(self) -> str:
        out = "    /// The members that there are, in WireMock's order.\n    package var members: JSONObject {\n"
        out += "        var object = JSONObject()\n"
        out += "".join(f"        object[{literal(one.member.name)}] = {one.writing}\n" for one in self._written())
        out += "        return object\n    }\n"
        if "ownJSON" not in self.attributes:
            out += f"\n    /// The document that it is read from.\n    {self.access} var json: JSONValue {{ .object(members) }}\n"
        return out + "}\n"

    def _reading(self) -> str:
        """Reads an object with all required members."""
        required = ", ".join(literal(name) for name in self.definition.required)
        return f"""
    /// Reads an object; nil for one with a problem.
    static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {{
        let example = {literal(self.attributes["example"])}
        guard let object = reader.fields(value, example) else {{ return nil }}
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known else {{ return nil }}
        if let name = [{required}].first(where: {{ object[$0] == nil }}) {{
            reader.report(detail: nil, message: "\\"\\(name)\\" is missing", expected: example)
            return nil
        }}
        return made
    }}

"""

    def _context(self) -> Tuple[str, str]:
        """What the caller tells, as a parameter and as an argument."""
        if "with" not in self.attributes:
            return "", ""
        label, _, type = self.attributes["with"].partition(": ")
        return f", {label}: {type}", f", {label}: {'&' if type.startswith('inout ') else ''}{label}"

    def _written(self) -> List[Field]:
        first = self.attributes.get("order", "").split()
        by_name = {field.member.name: field for field in self.fields}
        rest = [name for name in by_name if name not in first]
        return [by_name[name] for name in [*first, *rest] if by_name[name].writing]

    def _field(self, member: Member) -> Field:
        attributes = {**self._of_type(member.type), **member.attributes}
        name = attributes.get("name", member.name)
        type, _, first = (part.strip() for part in attributes.get("swift", "").partition("="))
        if not type and "read" not in attributes and "what" not in attributes:
            raise NotationError(f"{self.definition.name}.{member.name}: its type does not say what it is in Swift")
        by = attributes.get("by", "")
        if "what" in attributes:
            bounds = next(one for one in parts_of(member.type) if isinstance(one, Range))
            most = "Int(Int32.max)" if bounds.most is None else str(bounds.most)
            by, type = f"reader.whole(value, {bounds.least}...{most}, {literal(attributes['what'])})", type or "Int?"
        given = self._context()[1] if "with" in member.attributes else ""
        if "read" in attributes:
            method = attributes["read"]
            reading = "break" if method == "no" else method if "(" in method else f"{method}(value{given}, &reader)"
        else:
            if "value" in by and ("(" in by or "?" in by):
                made = by
            elif by.startswith("reader."):
                made = f"{by}(value)"
            else:
                made = f"{by if '.' in by else 'Self.' + by}(value{given}, &reader)"
            otherwise = first or ("[]" if type.startswith("[") and not type.endswith("?") else "")
            isOptional = "optional" in attributes or "what" in attributes or by in OPTIONAL
            reading = f"{identifier(name)} = {made}" + (f" ?? {otherwise}" if otherwise and isOptional else "")
        if type.startswith("[") and not type.endswith("?") and not first:
            first = "[]"
        if type == "":
            name = ""
        return Field(member, name, type, first or None, reading, self._writing(identifier(name), type, attributes))

    @staticmethod
    def _writing(name: str, type: str, attributes: Dict[str, str]) -> Optional[str]:
        if "write" in attributes:
            return None if attributes["write"] == "no" else attributes["write"]
        if not name:
            return None
        plain = type.rstrip("?")
        if "as" in attributes:
            return f"{name}.map({attributes['as']})" if type.endswith("?") else f"{attributes['as']}({name})"
        if plain == "JSONValue":
            return name
        if plain in ("[String]", "[ResponseHeader]", "[NamedMatcher]"):
            return f"{name}?.json" if type.endswith("?") else f"{name}.json"
        if plain == "ValueMatcher":
            return f"{name}?.jsonValue"
        if plain == "[ValueMatcher]":
            return f"{name}.isEmpty ? nil : .array({name}.map(\\.jsonValue))"
        if plain.startswith("["):
            return f"{name}.isEmpty ? nil : .array({name}.map(\\.json))"
        return f"{name}?.json" if type.endswith("?") else f"{name}.json"

    def _of_type(self, type: Type) -> Dict[str, str]:
        """What follows from a type: `swift` and `by`."""
        parts = [one for one in parts_of(type) if one not in (Word("null"), Word("number"))]
        only = parts[0]
        if only in MATCHERS:
            swift, by = MATCHERS[only]
            return {"swift": swift, "by": by}
        if isinstance(only, Reference):
            other = self.dialect[only.name]
            found = {key: other.attributes[key] for key in ("by", "as", "optional") if key in other.attributes}
            swift = other.attributes.get("swift")
            if not swift:
                return {}
            found.setdefault("by", f"{swift}.read")
            return {**found, "swift": swift if swift.startswith("[") else f"{swift}?"}
        if isinstance(only, ListOf) and isinstance(only.elements, Reference):
            swift = self.dialect[only.elements.name].attributes.get("swift")
            return {"swift": f"[{swift}]", "by": f"{swift}.readList"} if swift else {}
        if isinstance(only, ListOf) and only.elements in (Word("text"), Word("string")):
            return {"swift": "[String]", "by": "reader.strings"}
        if isinstance(only, Words) and "swift" in self.dialect.words[only.name].attributes:
            return {"swift": self.dialect.words[only.name].attributes["swift"] + "?"}
        if isinstance(only, Word) and only.name in PLAIN:
            swift, by = PLAIN[only.name]
            return {"swift": swift, "by": by}
        return {}
