import SDJSON
import SDRegularExpressions

/// A value as compact JSON for messages, shortened to fit into a sentence. The rest of a large value is not visited.
struct JSONPreview {
    /// The approximate length, in characters.
    private static let longest = 80

    private var text = ""
    private var isFull: Bool { text.utf8.count >= Self.longest }

    static func text(_ value: JSONValue) -> String {
        var shown = JSONPreview()
        shown.write(value)
        return shown.text
    }

    static func text(_ value: JSONExpectation) -> String {
        var shown = JSONPreview()
        shown.write(value)
        return shown.text
    }

    private mutating func write(_ value: JSONValue) {
        switch value {
        case .array(let elements): write(elements, "[", "]") { $0.write($1) }
        case .object(let object):
            write(object.members, "{", "}") { shown, member in
                shown.write(member.key)
                shown.text += ":"
                shown.write(member.value)
            }
        case .string(let string): write(string)
        default: text += value.compactText
        }
    }

    private mutating func write(_ value: JSONExpectation) {
        switch value.kind {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .number(let number, _): text += number.text
        case .string(let string): write(string)
        case .placeholder(let placeholder): text += placeholder.shown
        case .array(let elements): write(elements, "[", "]") { $0.write($1) }
        case .object(let members):
            write(members.list, "{", "}") { shown, member in
                shown.write(member.key)
                shown.text += ":"
                shown.write(member.value)
            }
        }
    }

    private mutating func write(_ string: String) {
        let isLong = string.utf8.count > Self.longest
        text += JSONValue.string(isLong ? String(string.prefix(Self.longest)) + "…" : string).compactText
    }

    private mutating func write<Element>(
        _ elements: [Element], _ opening: String, _ closing: String,
        _ body: (inout JSONPreview, Element) -> Void
    ) {
        text += opening
        for (place, element) in elements.enumerated() {
            if place > 0 { text += "," }
            if isFull {
                text += "…"
                break
            }
            body(&self, element)
        }
        text += closing
    }
}

extension JSONExpectation {
    /// The expected value, for a sentence.
    var shown: String { JSONPreview.text(self) }
}

extension JSONPlaceholder {
    /// The placeholder as text.
    var shown: String {
        switch self {
        case .ignore, .ignoreElement: "any value"
        case .anyString: "any text"
        case .anyNumber: "any number"
        case .anyBoolean: "true or false"
        case .missingOrNull: "null"
        case .regex(let regex): "a text that matches `\(regex.pattern)`"
        case .namedMatcher: "what a matcher that is not registered accepts"
        }
    }
}
