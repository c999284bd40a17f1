import SDJSON

/// Tags: only those of the core schema (YAML 1.2, section 10.3) are accepted.
extension YAMLComposer {
    private static let prefix = "tag:yaml.org,2002:"

    mutating func check(_ properties: YAMLEvent.Properties, allowed: String, _ event: YAMLEvent) throws(YAMLError) {
        guard let tag = properties.tag, tag != "!", tag != Self.prefix + allowed else { return }
        try passOver(unknownTag(tag, event))
    }

    mutating func value(
        of scalar: YAMLEvent.Scalar, _ event: YAMLEvent, isKey: Bool = false
    ) throws(YAMLError) -> JSONValue {
        let text = scalar.text
        if takesTexts { return .string(text) }
        guard let tag = scalar.properties.tag else {
            guard scalar.isPlain, !isKey else { return .string(text) }
            if let value = YAMLScalar.value(ofPlain: text) { return value }
            try passOver(
                error(
                    event, "JSON has no number \(text)", expected: "a number, or the text in quotes", found: text))
            return .string(text)
        }
        switch tag {
        case "!", Self.prefix + "str": return .string(text)
        case Self.prefix + "null", Self.prefix + "bool", Self.prefix + "int", Self.prefix + "float":
            let kind = String(tag.dropFirst(Self.prefix.count))
            guard let value = YAMLScalar.value(ofPlain: text), Self.fits(value, kind) else {
                try passOver(
                    error(
                        event, "the value does not match its tag !!\(kind)",
                        found: JSONValue.string(text).compactText))
                return .string(text)
            }
            return value
        default:
            try passOver(unknownTag(tag, event))
            return .string(text)
        }
    }

    private static func fits(_ value: JSONValue, _ kind: String) -> Bool {
        switch kind {
        case "null": value.isNull
        case "bool": value.boolValue != nil
        case "int": value.numberValue.map { Int($0.text) != nil || !$0.text.contains { ".eE".contains($0) } } ?? false
        default: value.numberValue != nil
        }
    }

    private func unknownTag(_ tag: String, _ event: YAMLEvent) -> YAMLError {
        let shown = tag.hasPrefix(Self.prefix) ? "!!" + tag.dropFirst(Self.prefix.count) : tag
        return error(
            event, "the tag \(shown) is not supported",
            expected: "no tag, or one of !!str, !!null, !!bool, !!int, !!float, !!seq, !!map that fits")
    }
}
