"""The Swift types of definitions with `(swift Type)`: their stored properties, and how members are read and written. attributes.py says
how.
"""

from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

from notation import Definition, Dialect, NotationError
from swift_words import HEAD, MODEL, doc, identifier, literal, sentence
from type_notation import ListOf, Literal, MapOf, Member, Range, Reference, Type, Word, Words, parts_of

# Of plain types: the Swift type, and what makes it of `value`.
PLAIN = {
    "text": ("String?", "reader.string(value)"),
    "string": ("String?", "reader.string(value)"),
    "flag": ("Bool?", "reader.bool(value)"),
    "boolean": ("Bool = false", "reader.flag(value)"),
    "number": ("Double?", 'reader.double(value, javaType: "java.lang.Double")'),
    "int": ("Int?", "reader.integer(value, .boxedInt)"),
    "any": ("JSONValue?", "value.isNull ? nil : value"),
    "object": ("JSONObject?", "reader.object(value, .parameters)"),
}
# Those that find nothing where a value is wrong.
OPTIONAL = {by for type, by in PLAIN.values() if type.endswith("?")} | {"reader.strings"}
MATCHERS = {
    Reference("valueMatcher"): ("ValueMatcher?", "value.isNull ? nil : ValueMatcher.read(value, .single, &reader)"),
    Reference("bodyMatcher"): ("ValueMatcher?", "value.isNull ? nil : ValueMatcher.read(value, .body, &reader)"),
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
        self.outer, _, self.type = self.attributes.get("swift", "").rpartition(".")
        self.access = self.attributes.get("access", "public")
        members = [one for name, one in dialect.members(definition.name).items() if name != "$schema"]
        self.fields = [self._field(one) for one in members]

    def text(self) -> str:
        types = [one.type for one in self.fields] + [one.type for one in self.definition.properties]
        isWritten = not {"ownJSON", "readOnly"} & self.attributes.keys() or "asWritten" in self.attributes
        isShown = self.access == "public" and (isWritten or any("JSON" in type for type in types))
        access = "public" if isShown else "package"
        out = HEAD + f"\n{access} import SDJSON\n"
        if "in" in self.attributes:
            out += f"{access} import SDStubModel\n"
        if "uses" in self.attributes:
            out += f"{access} import {self.attributes['uses']}\n"
        if any("UUID" in type for type in types):
            out += f"#if canImport(FoundationEssentials)\n{access} import FoundationEssentials\n"
            out += f"#else\n{access} import Foundation\n#endif\n"
        margin = "    " if self.outer else ""
        body = "\n".join(margin + line if line else "" for line in self._structure().split("\n")).rstrip(" ")
        out += f"\nextension {self.outer} {{\n{body}}}\n" if self.outer else "\n" + body
        return out + "\n" + self._extension()

    def _structure(self) -> str:
        isDraft = "readOnly" in self.attributes and "asWritten" not in self.attributes
        traits = "Sendable" if isDraft or "ownEquality" in self.attributes else "Sendable, Hashable"
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
        if "asWritten" in self.attributes:
            out += f"    /// What it was read from.\n    {self.access} internal(set) var json: JSONValue = .null\n"
        made = f"    /// Makes one without any member.\n    {self.access} " if "empty" in self.attributes else "    "
        return out + f"\n{made}init() {{}}\n" + (self._made() if "made" in self.attributes else "") + "}\n"

    def _made(self) -> str:
        known = {one.name: (one.type, one.first) for one in self.fields}
        for one in self.definition.properties:
            type, _, first = (part.strip() for part in one.type.partition("="))
            known[one.name] = (type, first)
        parameters, changes = [], ""
        for text in self.attributes["made"].split(","):
            label, _, name = text.strip().rpartition(" ")
            type, first = known[name.rstrip("!")]
            value = "" if name.endswith("!") else f" = {first or 'nil'}"
            name = name.rstrip("!")
            parameters.append(f"{label} {identifier(name)}: {type}{value}".strip())
            changes += f"        self.{name} = {identifier(name)}\n"
        if "asWritten" in self.attributes:
            changes += "        json = .object(members)\n"
        return f"\n    /// Makes one of these.\n    {self.access} init({', '.join(parameters)}) {{\n{changes}    }}\n"

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
        skipped = "!member.value.isNull" if "blank" in self.attributes else ""
        skipped = 'member.key != "$schema"' if "$schema" in members else skipped
        java = self.attributes.get("java")
        guard = f"let index = {self.index()}" + (", !member.value.isNull" if "skipsNull" in self.attributes else "")
        head = ", _ javaClass: JavaClass" if java == "" else ""
        whole = f"{self.outer}.{self.type}" if self.outer else self.type
        out = f"extension {whole} {{\n    package static var names: [String] {{ {names} }}\n"
        for group in self.attributes.get("groups", "").split():
            grouped = ", ".join(literal(name) for name, one in members.items() if group in one.attributes)
            out += f"    package static let {group}Names: [String] = [{grouped}]\n"
        out += self._shortness() if "short" in self.attributes else ""
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

    def _shortness(self) -> str:
        types = {one.name: one.type for one in self.fields if one.type and one.name != "no"}
        types.update((one.name, one.type.partition("=")[0].strip()) for one in self.definition.properties)
        kept = self.attributes["short"].split()
        absent = []
        for name in types:
            if name in kept:
                continue
            if not types[name].endswith("?") and not types[name].startswith("["):
                raise NotationError(f"{self.definition.place}: {name} cannot be absent: expected it behind `. short`")
            absent.append(f"{name} == nil" if types[name].endswith("?") else f"{name}.isEmpty")
        return f"    /// Whether it has nothing but {', '.join(kept)}.\n    package var isShort: Bool {{\n        " + (
            "\n            && ".join(absent) + "\n    }\n"
        )

    def index(self) -> str:
        """What finds the index of `member` among the names, and reports another one."""
        names = f"DialectNames.{self.definition.name}"
        java = self.attributes.get("java")
        if java is not None:
            return f"reader.index(of: member, class: {'.' + java if java else 'javaClass'}, in: {names})"
        members = self.dialect.members(self.definition.name).values()
        aliases = f", otherNames: {names}Aliases" if any(one.aliases for one in members) else ""
        return f"reader.{self.attributes.get('index', 'index')}(of: member, in: {names}{aliases})"

    def _writers(self) -> str:
        out = "    /// The members that there are, in WireMock's order.\n    package var members: JSONObject {\n"
        out += "        var object = JSONObject()\n"
        out += "".join(f"        object[{literal(one.member.name)}] = {one.writing}\n" for one in self._written())
        out += "        return object\n    }\n"
        if not {"ownJSON", "asWritten"} & self.attributes.keys():
            out += f"\n    /// The document that it is read from.\n    {self.access} var json: JSONValue {{ .object(members) }}\n"
        return out + "}\n"

    def _reading(self) -> str:
        """Reads an object with all required members."""
        attributes, example = self.attributes, literal(self.attributes["example"])
        out = "\n    /// Reads an object; nil for one with a problem.\n"
        out += "    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {\n"
        out += "        if value.isNull { return nil }\n" if "orNull" in attributes else ""
        refused = f", {literal(attributes['refused'])}" if "refused" in attributes else ""
        isEmpty = ", isEmpty: false" if "nonEmpty" in attributes else ""
        object = f"reader.object(value, .{attributes['java']})" if "java" in attributes else f"reader.fields(value, {example}{refused}{isEmpty})"
        out += f"        guard let object = {object} else {{ return nil }}\n        let known = reader.problems.count\n"
        out += "        var made = Self()\n        made.readMembers(of: object, &reader)\n"
        out += f"        guard reader.problems.count == known{self.requirement()} else {{ return nil }}\n"
        out += "        made.json = value\n" if "asWritten" in attributes else ""
        if "finish" not in attributes:
            return out + "        return made\n    }\n\n"
        return out + "        made.finish(object, &reader)\n        return reader.problems.count == known ? made : nil\n    }\n\n"

    def requirement(self, besides: str = "") -> str:
        """The condition that an object has all required members, where WireMock has no other; the first that is missing is reported."""
        if "java" in self.attributes:
            return ""
        required = ", ".join(literal(name) for name in self.definition.required if name != besides)
        return f", reader.has([{required}], in: object, {literal(self.attributes['example'])})" if required else ""

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
        if isinstance(member.type, Literal):
            return Field(member, "no", "", None, "break", None)
        kinds = [one for one in parts_of(member.type) if one != Word("null")]
        attributes = {**self._of_type(member.type), **member.attributes}
        if not {"swift", "by", "read", "what"} & attributes.keys():
            attributes.update(_meant(kinds))
        name = attributes.get("name", member.name)
        type, _, first = (part.strip() for part in attributes.get("swift", "").partition("="))
        if type == "Bool?" and "default" in attributes:
            type, first = "Bool", attributes["default"]
        if not type and "read" not in attributes and "what" not in attributes:
            raise NotationError(
                f"{member.place}: its type does not say what it is in Swift: expected (what a number from …), or (swift T, by f)"
            )
        by = attributes.get("by", "")
        if len(kinds) > 1 and not {"by", "read"} & member.attributes.keys() and not _meant(kinds):
            raise NotationError(f"{member.place}: it has several types: expected (by f), which reads all of them")
        if "what" in attributes:
            bounds = kinds[0]
            if not isinstance(bounds, Range) or not bounds.is_whole or bounds.least is None:
                raise NotationError(f"{member.place}: (what …) is for a range of whole numbers, such as 1..9 or 0..")
            most = "Int(Int32.max)" if bounds.most is None else str(bounds.most)
            by, type = f"reader.whole(value, {bounds.least}...{most}, {literal(attributes['what'])})", type or "Int?"
            by = f"value.isNull ? nil : {by}" if Word("null") in parts_of(member.type) else by
        if not by and "read" not in attributes:
            if type.startswith(("[", "(")):
                raise NotationError(f"{member.place}: expected (by f), which makes a {type}")
            by = f"{type.rstrip('?')}.read"
        given = self._context()[1] if "with" in member.attributes else ""
        if "read" in attributes:
            method = attributes["read"]
            reading = "break" if method == "no" else method if "(" in method else f"{method}(value{given}, &reader)"
        else:
            if by.startswith("value.") or "value" in by and "(" in by:
                made = by
            elif by.startswith("reader."):
                made = f"{by}(value)"
            else:
                made = f"{by if '.' in by else 'Self.' + by}(value{given}, &reader)"
            otherwise = first or ("[]" if type.startswith("[") and not type.endswith("?") else "")
            isOptional = "optional" in attributes or "what" in attributes or by in OPTIONAL
            own = f"self.{name}" if name in ("value", "index", "reader") else identifier(name)
            reading = f"{own} = {made}" + (f" ?? {otherwise}" if otherwise and isOptional else "")
        if type.startswith("[") and not type.endswith("?") and not first:
            first = "[]"
        if type == "":
            name = ""
        return Field(member, name, type, first or None, reading, self._writing(identifier(name), type, attributes))

    def written(self, name: str, field: Field) -> Optional[str]:
        """The JSON of a value of the field's type, but for nil."""
        return self._writing(name, field.type.rstrip("?"), {**self._of_type(field.member.type), **field.member.attributes})

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
        only = parts[0] if parts else type
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
            other = self.dialect[only.elements.name].attributes
            swift = other.get("swift")
            by = f"reader.list(value, {swift}.read)" if "example" in other else f"{swift}.readList"
            return {"swift": f"[{swift}]", "by": by} if swift else {}
        if isinstance(only, ListOf) and only.elements in (Word("text"), Word("string")):
            return {"swift": "[String]", "by": "reader.strings"}
        if isinstance(only, Words) and "swift" in self.dialect.words[only.name].attributes:
            words = self.dialect.words[only.name]
            others = f", DialectNames.{words.name}Aliases" if words.aliases else ""
            isBlank = "value.isNull ? nil : " if Word("null") in parts_of(type) else ""
            return {"swift": words.attributes["swift"] + "?", "by": f"{isBlank}reader.word(value{others})"}
        if isinstance(only, Word) and only.name in PLAIN:
            swift, by = PLAIN[only.name]
            return {"swift": swift, "by": by}
        return {}


def _meant(kinds: List[Type]) -> Dict[str, str]:
    """What a number within bounds, or one of some words, says of itself."""
    only = kinds[0] if len(kinds) == 1 else None
    if isinstance(only, Range) and only.is_whole and only.least is not None:
        most = "" if only.most is None else f" to {only.most}"
        return {"what": f"a whole number from {only.least}{most}"}
    if all(isinstance(one, Literal) for one in kinds):
        words = ", ".join(literal(one.text) for one in kinds if isinstance(one, Literal))
        return {"swift": "String?", "by": f"reader.choice(value, [{words}])"}
    return {}
