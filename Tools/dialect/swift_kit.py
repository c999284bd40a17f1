"""The words of the Swift kit that only say a field: members and lists of words with `(kit)`, or `(kit otherName)`."""

from typing import Dict, List, Tuple

from notation import Definition, Dialect, WordList
from swift_words import HEAD, doc, enumeration, identifier, literal, sentence
from type_notation import ListOf, Literal, Member, NotationError, Reference, Word, parts_of

FOLDER = "Sources/Kit/StuntDoubleClient/Language/Generated"
# A definition's type in the kit, how a copy of it is changed, and what a word does with what its description names.
RECEIVERS = {
    "response": ("Stub.Answer", "changing", "Sets"), "mapping": ("Stub.Answer", "changingStub", "Sets"),
    "request": ("Stub.Request", "changing", "Requires"),
}
# Descriptions that begin so say themselves what a word does.
VERBS = ("Calls", "Leaves", "Lets", "Sends", "Takes")
# The parameters of a word by the field's type, and what becomes of the field.
CHANGES: Dict[str, Tuple[str, str]] = {
    "flag": ("_ isOn: Bool = true", "{0} = isOn"),
    "int": ("_ number: Int", "{0} = number"),
    "text": ("_ text: String", "{0} = text"),
    "[text]": ("_ names: String...", "{0} += names"),
    "object": ("_ values: [String: Stub.JSON]", "{0} = JSONObject(values)"),
    "#headers": ("_ name: String, _ values: String...", "{0}.set(name, values)"),
    "#duration": ("_ duration: Duration", "{0}Milliseconds = duration.wholeMilliseconds"),
    "#valueMatcher": ("_ matcher: Stub.Match", "{0} = matcher.model"),
}
# The same of matchers, and their operands.
MATCHERS: Dict[str, Tuple[str, str]] = {
    "string": ("_ text: String", "text"),
    "number|string": ("_ number: Double", "number"),
}
# The same of faults, whose changes have the names of their fields.
FAULTS: Dict[str, Tuple[str, str]] = {
    "boolean": ("", "{0}"),
    "#rate": ("_ rate: Stub.Rate", "{0}(rate.model)"),
    "#duration": ("_ duration: Duration", "{0}(duration.wholeMilliseconds)"),
}


def files(dialect: Dialect) -> Dict[str, str]:
    return {
        f"{FOLDER}/Match+Words.swift": _matchers(dialect),
        f"{FOLDER}/Fault+Words.swift": _faults(dialect),
        f"{FOLDER}/Stub+Words.swift": _fields(dialect),
        f"{FOLDER}/Enumerations.swift": _enumerations(dialect),
    }


def chosen(definition: Definition) -> List[Tuple[Member, str]]:
    """The members with a word in the kit, and that."""
    return [(one, one.attributes["kit"] or one.name) for one in definition.members.values() if "kit" in one.attributes]


def _kind(member: Member) -> str:
    """The type of a member as it stands in the table, but for null."""
    plain = [one for one in parts_of(member.type) if one != Word("null") and not isinstance(one, Literal)]
    if len(plain) == 1 and isinstance(plain[0], Reference):
        return "#" + plain[0].name
    return "[text]" if plain == [ListOf(Word("text"))] else "|".join(getattr(one, "name", "?") for one in plain)


def shape(shapes: Dict[str, Tuple[str, str]], member: Member) -> Tuple[str, str]:
    if _kind(member) not in shapes:
        raise NotationError(f"{member.place}: a word of the kit has a field of {', '.join(shapes)}")
    return shapes[_kind(member)]


def _explained(text: str, verb: str = "") -> str:
    if verb and not text.startswith(VERBS):
        text = f"{verb} {text[0].lower()}{text[1:]}"
    return doc(sentence(_plain(text)), "    ")


def _plain(text: str) -> str:
    """What is an addition to WireMock is none to the kit."""
    return text.replace(" An addition to WireMock.", "")


def _matchers(dialect: Dialect) -> str:
    out = HEAD + "import SDStubModel\n\nextension Stub.Match {\n"
    for member, name in chosen(dialect["matcher"]):
        parameters, value = shape(MATCHERS, member)
        out += _explained(member.description)
        out += f"    public static func {name}({parameters}) -> Stub.Match {{ Stub.Match(.{identifier(member.name)}, {value}) }}\n\n"
    out += "    /// The words that are no names of operators, by these.\n    static let words: [String: String] = [\n"
    for member in dialect["matcher"].members.values():
        word = member.attributes.get("word") or member.attributes.get("kit")
        out += f"        {literal(member.name)}: {literal(word)},\n" if word else ""
    return out + "    ]\n}\n"


def _faults(dialect: Dialect) -> str:
    out = HEAD + "import SDStubModel\n\nextension Stub.Fault {\n"
    for words in dialect.words.values():
        if words.attributes.get("kit") == "Stub.Fault.Kind":
            for text, _, description in words.words:
                case = words.kit[text]
                out += _explained(description) + f"    public static var {case}: Stub.Fault {{ kind(.{case}) }}\n\n"
    for member, name in chosen(dialect["fault"]):
        parameters, change = shape(FAULTS, member)
        head = f"func {name}({parameters}) ->" if parameters else f"var {name}:"
        out += _explained(member.description)
        out += f"    public static {head} Stub.Fault {{ changing(.{change.format(member.name)}) }}\n\n"
    return out.rstrip("\n") + "\n}\n"


def _fields(dialect: Dialect) -> str:
    out = HEAD + "import SDJSON\nimport SDStubModel\n"
    for definition, (type, change, verb) in RECEIVERS.items():
        out += f"\nextension {type} {{\n"
        for member, name in chosen(dialect[definition]):
            parameters, set = shape(CHANGES, member)
            out += _explained(member.description, verb) + f"    public func {name}({parameters}) -> {type} {{\n"
            out += f"        {change} {{ $0.{set.format(member.name)} }}\n    }}\n\n"
            if parameters.endswith("Stub.Match"):
                out += _explained(member.description, verb)
                out += f"    public func {name}(_ text: String) -> {type} {{ {name}(.equal(text)) }}\n\n"
        out = out.rstrip("\n") + "\n}\n"
    return out


def _enumerations(dialect: Dialect) -> str:
    """Lists of words, `(kit Outer.Name)`; with `codes` their numbers, and with `model` the same of `SDStubModel`. And what names the
    members of an object."""
    out = HEAD + "import SDStubModel\n"
    for words in dialect.words.values():
        if "kit" in words.attributes:
            out += "\n" + (_codes(words) if "codes" in words.attributes else _words(words))
    for one in dialect.definitions.values():
        if "kit" in one.attributes:
            members = [(member.name, member.name, member.description) for member in one.members.values()]
            out += "\n" + enumeration(one.attributes["kit"], _plain(one.description), members)
    return out


def _words(words: WordList) -> str:
    more = ""
    if "model" in words.attributes:
        cases = "".join(f"            case .{words.kit[text]}: .{model}\n" for text, model, _ in words.words)
        more = f"\n        var model: SDStubModel.{words.attributes['swift']} {{\n            switch self {{\n{cases}            }}\n        }}\n"
    cases = [(text, words.kit[text], description) for text, _, description in words.words]
    return enumeration(words.attributes["kit"], _plain(words.description), cases, more=more)


def _codes(words: WordList) -> str:
    type = words.attributes["kit"]
    out = f"extension {type} {{\n"
    for code, (text, _, description) in enumerate(words.words):
        out += _explained(description) + f"    public static let {words.kit[text]} = {type}(rawValue: {code})\n"
    return out + "}\n"
