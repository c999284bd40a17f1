import SDPlatform

/// A format of strings. An unknown format is an annotation without effect.
///
/// Every draft checks every format, including those that it does not define, as in WireMock's validator.
struct SchemaFormat: Sendable {
    let name: String
    let isValid: @Sendable (String) -> Bool

    init?(named name: String) {
        guard let check = Self.checks[name] else { return nil }
        self.name = name
        isValid = check
    }

    /// A format of OpenAPI schemas, whatever their version.
    init?(ofOpenAPI name: String, _ draft: JSONSchema.Draft) {
        switch name {
        case "time" where draft <= .v7:
            // Before 3.1 it was undefined, and is used with and without an offset.
            self.init(name: name) { text in
                DateFormats.isTime(Array(text.utf8)[...]) || DateFormats.isTime(Array((text + "Z").utf8)[...])
            }
        case "byte": self.init(name: name) { ContentCheck(isBase64: true).accepts($0) }
        case "ip-address", "alpha", "alphanumeric": return nil
        default: self.init(named: name)
        }
    }

    private init(name: String, isValid: @escaping @Sendable (String) -> Bool) {
        self.name = name
        self.isValid = isValid
    }

    private static let checks: [String: @Sendable (String) -> Bool] = [
        "date": { DateFormats.isDate(Array($0.utf8)[...]) },
        "time": { DateFormats.isTime(Array($0.utf8)[...]) },
        "date-time": { DateFormats.isDateTime(Array($0.utf8)[...]) },
        "duration": { DateFormats.isDuration(Array($0.utf8)[...]) },
        "email": { HostFormats.isEmail($0, allowsUnicode: false) },
        "idn-email": { HostFormats.isEmail($0, allowsUnicode: true) },
        "hostname": { HostFormats.isHostname(Array($0.utf8)[...]) },
        "idn-hostname": InternationalHostname.isValid,
        "ipv4": { HostFormats.isIPv4(Array($0.utf8)[...]) },
        "ip-address": { HostFormats.isIPv4(Array($0.utf8)[...]) },
        "ipv6": { HostFormats.isIPv6(Array($0.utf8)[...]) },
        "uri": { URIFormats.isReference($0, allowsUnicode: false, needsScheme: true) },
        "uri-reference": { URIFormats.isReference($0, allowsUnicode: false, needsScheme: false) },
        "iri": { URIFormats.isReference($0, allowsUnicode: true, needsScheme: true) },
        "iri-reference": { URIFormats.isReference($0, allowsUnicode: true, needsScheme: false) },
        "uri-template": URIFormats.isTemplate,
        "json-pointer": { TextFormats.isJSONPointer(Array($0.utf8)[...]) },
        "relative-json-pointer": { TextFormats.isRelativeJSONPointer(Array($0.utf8)[...]) },
        "regex": { (try? SchemaPattern($0)) != nil },
        "uuid": { TextFormats.isUUID(Array($0.utf8)) },
        "alpha": { $0.utf8.allSatisfy(\.isLetter) },
        "alphanumeric": { $0.utf8.allSatisfy { $0.isLetter || $0.isDigit } },
    ]
}

/// Formats with a short grammar.
enum TextFormats {
    /// Whether the text is a JSON pointer (RFC 6901, section 3).
    static func isJSONPointer(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first else { return true }
        guard first == UInt8(ascii: "/") else { return false }
        return text.indices.allSatisfy { place in
            guard text[place] == UInt8(ascii: "~") else { return true }
            let next = place + 1 < text.endIndex ? text[place + 1] : 0
            return next == UInt8(ascii: "0") || next == UInt8(ascii: "1")
        }
    }

    /// Whether the text is a number of levels followed by a pointer or `#`.
    static func isRelativeJSONPointer(_ text: ArraySlice<UInt8>) -> Bool {
        let levels = text.prefix(while: \.isDigit)
        guard let first = levels.first, first != UInt8(ascii: "0") || levels.count == 1 else { return false }
        let rest = text.dropFirst(levels.count)
        return rest.elementsEqual("#".utf8) || isJSONPointer(rest)
    }

    /// Whether the text is a UUID (RFC 9562, section 4).
    static func isUUID(_ text: [UInt8]) -> Bool {
        text.count == 36
            && text.enumerated().allSatisfy { place, byte in
                switch place {
                case 8, 13, 18, 23: byte == UInt8(ascii: "-")
                default: PercentEncoding.hexadecimalValue(byte) != nil
                }
            }
    }
}

extension UInt8 {
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
}
