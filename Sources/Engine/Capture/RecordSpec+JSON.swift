import SDBasics
package import SDJSON
package import SDStubModel

extension RecordSpec {
    /// Parses a document as WireMock does.
    /// - Throws: all problems.
    package init(json: JSONValue) throws(ModelProblems) {
        self.init()
        var reader = ModelReader()
        if let object = reader.object(json, .recordSpec) { readMembers(of: object, &reader) }
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
    }

    static func readTarget(_ value: JSONValue, _ reader: inout ModelReader) -> String? {
        reader.string(value).flatMap { $0.isEmpty ? nil : $0 }
    }

    static func readHeaders(
        _ value: JSONValue, _ reader: inout ModelReader
    ) -> [(name: String, caseInsensitive: Bool?)] {
        guard let object = reader.object(value, .captureHeaders) else { return [] }
        return object.members.map { header in
            let options = reader.within(header.key) { reader in
                var isLoose: Bool?
                for member in reader.object(header.value, .captureHeader)?.members ?? [] {
                    reader.member(member, class: .captureHeader, of: ["caseInsensitive"]) {
                        isLoose = $0.bool(member.value)
                    }
                }
                return isLoose
            }
            return (header.key, options)
        }
    }

    static func readFormat(_ value: JSONValue, _ reader: inout ModelReader) -> Bool {
        guard let text = reader.string(value) else { return false }
        switch text.lowercased() {
        case "full": return false
        case "ids": return true
        default:
            reader.report(
                detail: "Invalid output format", message: "unknown format", expected: "FULL or IDS",
                found: value.shortDescription)
            return false
        }
    }
}

extension RecordSpec.Filters {
    /// Parses the members of a request pattern, and two more; as in WireMock, others are ignored.
    static func read(_ value: JSONValue, _ reader: inout ModelReader) -> RecordSpec.Filters {
        var filters = RecordSpec.Filters()
        guard let object = reader.object(value, .recordFilters) else { return filters }
        var pattern = JSONObject()
        for member in object.members {
            switch member.key {
            case "ids":
                filters.ids = reader.within(member.key) { reader in
                    reader.array(member.value, elementOf: "java.util.UUID")?.enumerated().compactMap { index, id in
                        reader.within(String(index)) { StubMapping.readID(id, &$0) }
                    }
                }
            case "allowNonProxied":
                filters.allowsNonProxied = reader.within(member.key) { $0.primitiveBool(member.value) } ?? false
            default:
                if RequestPattern.names.contains(member.key) { pattern[member.key] = member.value }
            }
        }
        filters.pattern = RequestPattern.read(.object(pattern), &reader)
        return filters
    }
}

extension RecordSpec.BodyMatcher {
    static func read(_ value: JSONValue, _ reader: inout ModelReader) -> RecordSpec.BodyMatcher {
        let kind = value["matcher"]?.stringValue ?? "auto"
        let (javaClass, names): (JavaClass, [String]) =
            switch kind {
            case "equalTo": (.bodyFactory("EqualTo"), ["caseInsensitive"])
            case "equalToJson": (.bodyFactory("EqualToJson"), ["ignoreArrayOrder", "ignoreExtraElements"])
            case "equalToXml": (.bodyFactory("EqualToXml"), [])
            default: (.bodyFactory("Automatic"), ["ignoreArrayOrder", "ignoreExtraElements", "caseInsensitive"])
            }
        var flags: [String: Bool] = [:]
        guard let object = reader.object(value, javaClass) else { return .auto() }
        for member in object.members where member.key != "matcher" {
            reader.member(member, class: javaClass, of: names) { flags[member.key] = $0.bool(member.value) }
        }
        let (order, extra) = (flags["ignoreArrayOrder"], flags["ignoreExtraElements"])
        switch kind {
        case "equalTo": return .equalTo(caseInsensitive: flags["caseInsensitive"])
        case "equalToJson": return .equalToJson(ignoreArrayOrder: order, ignoreExtraElements: extra)
        case "equalToXml": return .equalToXml
        default:
            return .auto(
                ignoreArrayOrder: order ?? true, ignoreExtraElements: extra ?? true,
                caseInsensitive: flags["caseInsensitive"] ?? false)
        }
    }
}

extension RecordSpec.Thresholds {
    static func read(_ value: JSONValue, _ reader: inout ModelReader) -> RecordSpec.Thresholds? {
        if value.isNull { return nil }
        var sizes = RecordSpec.Thresholds()
        // WireMock reports an invalid size at the criteria.
        reader.anchored(at: reader.pointer) { reader in
            if let given = value["textSizeThreshold"] {
                sizes.text = reader.within("textSizeThreshold") { size(given, &$0) } ?? .max
            }
            if let given = value["binarySizeThreshold"] {
                sizes.binary = reader.within("binarySizeThreshold") { size(given, &$0) } ?? .max
            }
        }
        return sizes

        func size(_ value: JSONValue, _ reader: inout ModelReader) -> Int? {
            switch value {
            case .null: return nil
            case .number(let number):
                return number.intValue ?? Int(clamping: Int64(max(min(number.doubleValue, 9e18), -9e18)))
            case .string(let text):
                do throws(SizeProblem) {
                    return try Self.size(text)
                } catch {
                    reader.report(
                        detail: error.detail, message: "not a size", expected: "a number of bytes, or such as 10 KB",
                        found: value.shortDescription)
                }
            default:
                reader.report(
                    detail: "Cannot invoke \"String.trim()\" because \"in\" is null", message: "not a size",
                    expected: "a number of bytes, or such as 10 KB", found: value.shortDescription)
            }
            return nil
        }
    }

    struct SizeProblem: Error {
        let detail: String
    }

    /// Parses a size such as `2048`, `10 KB` or `1.5M`; a decimal comma is accepted, too.
    static func size(_ text: String) throws(SizeProblem) -> Int {
        let cleaned = text.trimmingBlanks.map { $0 == "," ? "." : $0 }
        let digits = cleaned.prefix { "0123456789.".contains($0) }
        var unit = String(cleaned.dropFirst(digits.count)).trimmingBlanks.uppercased()
        if unit.count > 1, unit.hasSuffix("B") { unit.removeLast() }
        guard let number = Double(String(digits)), unit.count <= 1 else {
            throw SizeProblem(detail: "Invalid size string: \"\(text)\"")
        }
        let scale: Double
        switch unit {
        case "", "B": scale = 1
        case "K": scale = 0x1p10
        case "M": scale = 0x1p20
        case "G": scale = 0x1p30
        default: throw SizeProblem(detail: "Invalid size unit: \(unit)")
        }
        return Int(min((number * scale).rounded(), 9e18))
    }
}

extension ModelReader {
    /// Parses Java's primitive boolean, for which Jackson has another message.
    fileprivate mutating func primitiveBool(_ value: JSONValue) -> Bool? {
        guard let text = value.stringValue, !["", "true", "True", "TRUE", "false", "False", "FALSE"].contains(text)
        else { return bool(value) }
        report(
            detail: "Cannot deserialize value of type `boolean` from String \(quoted(text)): only "
                + "\"true\"/\"True\"/\"TRUE\" or \"false\"/\"False\"/\"FALSE\" recognized",
            message: "not a boolean", expected: "true or false", found: value.shortDescription)
        return nil
    }
}

extension JavaClass {
    private static let home = "com.github.tomakehurst.wiremock.recording."

    static let recordSpec = JavaClass(home + "RecordSpec")
    fileprivate static let recordFilters = JavaClass(home + "ProxiedServeEventFilters")
    fileprivate static let captureHeader = JavaClass(home + "CaptureHeadersSpec")
    fileprivate static let captureHeaders = JavaClass(
        "java.util.LinkedHashMap", generic: "java.util.LinkedHashMap<java.lang.String,\(home)CaptureHeadersSpec>",
        isMap: true)

    fileprivate static func bodyFactory(_ kind: String) -> JavaClass {
        JavaClass("\(home)RequestBody\(kind)PatternFactory")
    }
}
