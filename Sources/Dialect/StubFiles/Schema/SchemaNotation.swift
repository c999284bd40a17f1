import SDBasics
import SDJSON

/// Makes definitions of a JSON Schema of lines such as `delay: #duration | #uniform -- The wait before the first byte.`
///
/// A line without a margin begins a definition, `name: description` that of an object and `name = type` that of anything
/// else; `name < other: …` takes what it does not say from another. The lines below it are an object's members,
/// `key: type -- description`, and:
///
///     ! a b         members that it must have
///     ^ a b c       members of which it has one at most
///     / a: b c      members that cannot stand beside another
///     *             that it may have others
///     + {…}         further keywords
///
/// Types are words of JSON Schema, `text` (a scalar), `flag` and `int` (as lenient as the reader), `any`; `'word'`,
/// `` `pattern` ``, `@enumeration`, `#definition`, `1..9`, `[elements]` (`[elements]+`: one at least), `{values}`, and
/// `|` between several.
struct SchemaNotation {
    /// The names of an object's members, by definition: those that the reader knows.
    let tables: [String: [String]]
    /// The values of enumerations, by name.
    let enumerations: [String: [String]]
    private(set) var definitions = JSONObject()
    /// The members as they are written, by definition.
    private var members: [String: JSONObject] = [:]

    init(tables: [String: [String]], enumerations: [String: [String]]) {
        self.tables = tables
        self.enumerations = enumerations
    }

    /// Adds the definitions of a text.
    mutating func add(_ text: String) {
        var lines: [Substring] = []
        for line in text.split(separator: "\n" as Character) {
            if line.first != " ", !lines.isEmpty {
                define(lines)
                lines = []
            }
            lines.append(line)
        }
        if !lines.isEmpty { define(lines) }
    }

    private mutating func define(_ lines: [Substring]) {
        let head = lines[0]
        let mark = head.firstIndex { $0 == ":" || $0 == "=" } ?? head.endIndex
        let names = head[..<mark].split(separator: " " as Character).map { String($0) }
        let rest = head[mark...].dropFirst().drop { $0 == " " }
        if head[mark...].first == "=" {
            definitions[names[0]] = .object(typed(rest))
        } else {
            definitions[names[0]] = .object(
                object(names[0], like: names.count > 2 ? names[2] : nil, String(rest), lines.dropFirst()))
        }
    }

    private mutating func object(
        _ name: String, like parent: String?, _ description: String, _ lines: ArraySlice<Substring>
    ) -> JSONObject {
        var own = parent.flatMap { members[$0] } ?? JSONObject()
        var excluded = JSONObject()
        var further = JSONObject()
        var isOpen = false
        for line in lines {
            let line = line.drop { $0 == " " }
            let words = line.dropFirst().split(separator: " " as Character).map { String($0) }
            switch line.first {
            case "!": further["required"] = .array(words.map(JSONValue.string))
            case "^":
                for (index, word) in words.enumerated() where index + 1 < words.count {
                    excluded[word] = Self.excluding(words[(index + 1)...])
                }
            case "/": excluded[String(words[0].dropLast())] = Self.excluding(words[1...])
            case "*": isOpen = true
            case "+":
                for member in (try? JSONValue(parsing: line.dropFirst().utf8))?.objectValue?.members ?? [] {
                    further[member.key] = member.value
                }
            default:
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                own[String(line[..<colon])] = .object(typed(line[colon...].dropFirst().drop { $0 == " " }))
            }
        }
        members[name] = own
        var schema = JSONObject()
        schema["description"] = .string(description)
        schema["type"] = ["object", "null"]
        let names = tables[name] ?? own.keys
        schema["properties"] = .object(JSONObject(names.map { ($0, own[$0] ?? true) }))
        if !isOpen { schema["additionalProperties"] = false }
        if !excluded.isEmpty { schema["dependentSchemas"] = .object(excluded) }
        for member in further.members { schema[member.key] = member.value }
        return schema
    }

    private static func excluding(_ names: ArraySlice<String>) -> JSONValue {
        ["properties": .object(JSONObject(names.map { ($0, false) }))]
    }

    /// The schema for `type -- description`.
    private func typed(_ text: Substring) -> JSONObject {
        let dash = text.firstRange(ofText: " -- ")
        var parser = SchemaTypeParser(text[..<(dash?.lowerBound ?? text.endIndex)], enumerations)
        var schema = parser.union()
        if let dash { schema["description"] = .string(String(text[dash.upperBound...])) }
        return schema
    }
}

/// Reads the types of `SchemaNotation`.
private struct SchemaTypeParser {
    private var rest: Substring
    private let enumerations: [String: [String]]

    init(_ text: Substring, _ enumerations: [String: [String]]) {
        rest = text
        self.enumerations = enumerations
    }

    mutating func union() -> JSONObject {
        var parts = [item()]
        while take("|") { parts.append(item()) }
        return Self.merged(parts)
    }

    private mutating func item() -> JSONObject {
        if take("'") { return ["enum": [.string(through("'"))]] }
        if take("`") { return ["type": "string", "pattern": .string(through("`"))] }
        if take("@") { return ["enum": .array((enumerations[word()] ?? []).map(JSONValue.string))] }
        if take("#") { return ["$ref": .string("#/$defs/" + word())] }
        if take("[") {
            let elements = union()
            _ = take("]")
            var list: JSONObject = ["type": "array", "items": .object(elements)]
            if take("+") { list["minItems"] = 1 }
            return list
        }
        if take("{") {
            let values = union()
            _ = take("}")
            return ["type": "object", "additionalProperties": .object(values)]
        }
        let word = word()
        if let dots = word.firstRange(ofText: "..") {
            var range: JSONObject = ["type": "integer"]
            range["minimum"] = Int(word[..<dots.lowerBound]).map { .number(JSONNumber($0)) }
            range["maximum"] = Int(word[dots.upperBound...]).map { .number(JSONNumber($0)) }
            return range
        }
        switch word {
        case "any": return [:]
        case "text": return ["type": ["string", "number", "boolean", "null"]]
        case "flag", "int": return ["$ref": .string("#/$defs/" + word)]
        default: return ["type": .string(word)]
        }
    }

    private mutating func take(_ mark: Character) -> Bool {
        rest = rest.drop { $0 == " " }
        guard rest.first == mark else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func through(_ mark: Character) -> String {
        let text = rest.prefix { $0 != mark }
        rest = rest[text.endIndex...].dropFirst()
        return String(text)
    }

    private mutating func word() -> String {
        rest = rest.drop { $0 == " " }
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "." }
        rest = rest[word.endIndex...]
        return String(word)
    }

    /// Several schemas of which one must hold: literals as one enumeration, plain types as one list of them.
    private static func merged(_ parts: [JSONObject]) -> JSONObject {
        var values: [JSONValue] = []
        var types: [JSONValue] = []
        var others: [JSONObject] = []
        for part in parts {
            if part.count == 1, let more = part["enum"]?.arrayValue {
                values += more
            } else if part.count == 1, let type = part["type"] {
                types += type.arrayValue ?? [type]
            } else {
                others.append(part)
            }
        }
        if !values.isEmpty { others.insert(["enum": .array(values)], at: 0) }
        if !types.isEmpty { others.append(["type": types.count == 1 ? types[0] : .array(types)]) }
        return others.count == 1 ? others[0] : ["anyOf": .array(others.map(JSONValue.object))]
    }
}
