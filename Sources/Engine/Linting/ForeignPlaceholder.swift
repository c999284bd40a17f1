import SDBasics
import SDJSON

/// Finds texts and objects in an expected JSON document that other tools treat as placeholders, but that are compared
/// literally here.
struct ForeignPlaceholder {
    /// The path in the document, the message, and what was meant.
    typealias Found = (path: [String], message: String, expected: String, suggestion: String?)

    private(set) var found: [Found] = []
    private var path: [String] = []
    private static let most = 20

    static func find(in document: JSONValue) -> [Found] {
        var search = ForeignPlaceholder()
        search.look(at: document)
        return search.found
    }

    /// Whether a document may have a placeholder: a fast textual check that excludes most.
    static func mayBe(in text: String) -> Bool {
        text.contains(text: "\"*") || text.contains(text: "\"<") || text.contains(text: "\"#")
            || text.contains(text: "\"{")
            || text.contains(text: "\"$") || text.contains(text: "\"^") || text.contains(text: ".*")
            || text.contains(text: ".+") || text.contains(text: "\\d") || text.contains(text: "\\w")
            || text.contains(text: "[0-9]") || matchers.contains { text.contains(text: "\"\($0)\"") }
    }

    private mutating func look(at value: JSONValue) {
        guard found.count < Self.most else { return }
        switch value {
        case .string(let text): look(at: text)
        case .array(let elements):
            for (index, element) in elements.enumerated() { within(String(index)) { $0.look(at: element) } }
        case .object(let object):
            if !path.isEmpty, object.count == 1, let key = object.keys.first, Self.matchers.contains(key) {
                add(
                    "this requires an object with the member \"\(key)\", and is no condition",
                    expected: "a matchesJsonPath with the condition: {\"expression\": \"\(jsonPath)\", \"\(key)\": …}",
                    suggestion: nil)
                return
            }
            for member in object.members { within(member.key) { $0.look(at: member.value) } }
        case .null, .bool, .number: return
        }
    }

    /// Names of matchers that are unlikely to be the only member of an object.
    private static let matchers = [
        "equalTo", "matches", "doesNotMatch", "contains", "doesNotContain", "matchesJsonPath", "matchesJsonSchema",
        "absent",
        "anything", "regex", "caseInsensitive",
    ]

    private static let anyValues: Set = [
        "*", "**", "***", "%", "<any>", "{any}", "{*}", "<*>", "#ignore", "#present", "#notnull", "{{any}}", "{{*}}",
        "$any",
        "${any}", "#any", "*any*", "any()", "<ignore>", "{ignore}", "${ignore}",
    ]
    private static let anyTexts: Set = [
        "#string", "<string>", "{string}", "${string}", "#uuid", "<uuid>", "{uuid}", "${uuid}",
    ]
    private static let anyNumbers: Set = [
        "#number", "<number>", "{number}", "${number}", "<int>", "<integer>", "{int}",
    ]
    private static let anyBooleans: Set = ["#boolean", "<boolean>", "{boolean}", "${boolean}", "<bool>"]

    private mutating func look(at text: String) {
        let meant: String
        if Self.anyValues.contains(text) {
            meant = "${json-unit.ignore}"
        } else if Self.anyTexts.contains(text) {
            meant = "${json-unit.any-string}"
        } else if Self.anyNumbers.contains(text) {
            meant = "${json-unit.any-number}"
        } else if Self.anyBooleans.contains(text) {
            meant = "${json-unit.any-boolean}"
        } else if text.hasPrefix("{{"), text.hasSuffix("}}") {
            add(
                "\"\(text.prefix(60))\" is compared as a text: what a request must have is no template",
                expected: "a value, or a placeholder such as ${json-unit.any-string}", suggestion: "${json-unit.ignore}"
            )
            return
        } else if Self.looksLikeExpression(text) {
            meant = "${json-unit.regex}\(text)"
        } else {
            return
        }
        add(
            "\"\(text.prefix(60))\" is compared as a text",
            expected: "a value, or a placeholder such as ${json-unit.any-string}", suggestion: meant)
    }

    private static func looksLikeExpression(_ text: String) -> Bool {
        guard text.utf8.count < 200, !text.contains(text: "json-unit."), !text.contains(text: "://") else {
            return false
        }
        if text.hasPrefix("^"), text.hasSuffix("$"), text.utf8.count > 2 { return true }
        return [".*", ".+", "\\d+", "\\d{", "\\w+", "[0-9]+", "[a-z]+"].contains { text.contains(text: $0) }
            && !text.contains(" ")
    }

    /// The path as a JSONPath.
    private var jsonPath: String {
        path.reduce("$") { $0 + (Int($1) == nil ? ".\($1)" : "[\($1)]") }
    }

    private mutating func add(_ message: String, expected: String, suggestion: String?) {
        found.append((path, message, expected, suggestion))
    }

    private mutating func within(_ token: String, _ look: (inout ForeignPlaceholder) -> Void) {
        path.append(token)
        look(&self)
        path.removeLast()
    }
}
