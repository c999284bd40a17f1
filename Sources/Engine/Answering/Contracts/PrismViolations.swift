package import SDContracts
package import SDJSON
import SDStubModel

/// Violations in Prism's format: `[{"location": ["request", "query", "limit"], "severity": "Error", …}]`.
package struct PrismViolations: Sendable {
    package enum Side: String, Sendable {
        case request, response
    }

    private struct Entry: Sendable {
        let side: Side
        /// The path within the request or the answer.
        let place: [String]
        let isError: Bool
        let code: JSONValue?
        let message: String
    }

    private var entries: [Entry]

    private init(entries: [Entry]) {
        self.entries = entries
    }

    package init(_ violations: [Violation], in side: Side) {
        entries = violations.map { violation in
            Entry(
                side: side, place: Self.place(of: violation), isError: Self.isError(violation),
                code: Self.code(of: violation), message: Self.message(of: violation, in: side))
        }
    }

    /// A proxied request for which the document has no operation.
    package init(_ unknown: ProblemDetails) {
        entries = [
            Entry(
                side: .request, place: [], isError: false, code: .number(JSONNumber(unknown.status)),
                message: unknown.title)
        ]
    }

    package static let none = PrismViolations(entries: [])

    package static func + (one: PrismViolations, other: PrismViolations) -> PrismViolations {
        PrismViolations(entries: one.entries + other.entries)
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// The errors of one side.
    package func errors(in side: Side) -> PrismViolations {
        PrismViolations(entries: entries.filter { $0.side == side && $0.isError })
    }

    // MARK: Texts

    /// The violations; their locations start with the side.
    package var json: JSONValue { json { [$0.side.rawValue] + $0.place } }

    /// The violations of a request; their locations are relative to it.
    package var placedInRequest: JSONValue { json(\.place) }

    private func json(_ place: (Entry) -> [String]) -> JSONValue {
        .array(
            entries.map { entry in
                var object: JSONObject = [
                    "location": .array(place(entry).map(JSONValue.string)),
                    "severity": .string(entry.isError ? "Error" : "Warning"),
                ]
                object["code"] = entry.code
                object["message"] = .string(entry.message)
                return .object(object)
            })
    }

    /// The largest number of characters of the header field; clients refuse longer ones.
    private static let maxCharacters = (8 << 10) - 100

    /// The value of the header field `sl-violations`, in ASCII.
    package var headerText: String {
        var text = ""
        for scalar in json.compactText.unicodeScalars {
            if scalar.isASCII {
                text.unicodeScalars.append(scalar)
            } else {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
                }
            }
        }
        return text.utf8.count > Self.maxCharacters
            ? "Too many violations! " + text.prefix(Self.maxCharacters) : text
    }

    // MARK: Locations

    /// The location of a violation; for a missing parameter, that of its container.
    private static func place(of violation: Violation) -> [String] {
        let part: String
        switch violation.location {
        case .security, .method, .status: return []
        case .contentType: return ["header", "content-type"]
        default: part = violation.location.rawValue
        }
        guard let name = violation.name, !isMissing(violation) else { return [part] + violation.pointer.tokens }
        return [part, violation.location == .header ? name.lowercased() : name] + violation.pointer.tokens
    }

    /// Whether a whole parameter is missing.
    private static func isMissing(_ violation: Violation) -> Bool {
        violation.keyword == "required" && violation.name != nil && violation.pointer.tokens.isEmpty
            && violation.found == "none"
    }

    /// An undeclared error status of a server is not reported as an error.
    private static func isError(_ violation: Violation) -> Bool {
        violation.location != .status || violation.found?.hasPrefix("2") == true
    }

    private static func code(of violation: Violation) -> JSONValue? {
        switch violation.location {
        case .security: .number(JSONNumber(401))
        case .contentType: .number(JSONNumber(415))
        default: violation.keyword.map(JSONValue.string)
        }
    }

    private static func message(of violation: Violation, in side: Side) -> String {
        let expected = violation.expected ?? ""
        switch violation.location {
        case .security: return "Invalid security scheme used"
        case .contentType where side == .request: return "Supported content types: \(expected)"
        case .contentType:
            return "The received media type \(violation.found ?? "") does not match the one specified in the current "
                + "response: \(expected)"
        case .status:
            return "Unable to match the returned status code with those defined in the document: \(expected)"
        default: break
        }
        let subject = (side == .request ? "Request " : "Response ") + violation.location.rawValue
        if isMissing(violation), let name = violation.name {
            let shown = violation.location == .header ? name.lowercased() : name
            return "\(subject) must have required property '\(shown)'"
        }
        var place = violation.name.map { " parameter \($0)" } ?? ""
        if !violation.pointer.tokens.isEmpty {
            let member = violation.pointer.tokens.joined(separator: ".")
            place = violation.name.map { " parameter \($0).\(member)" } ?? " property \(member)"
        }
        guard !expected.isEmpty else { return "\(subject)\(place): \(violation.message)" }
        let found = violation.found.map { ", found \($0)" } ?? ""
        if violation.keyword == "required" {
            let name = expected.split(separator: "\"", omittingEmptySubsequences: false).dropFirst().first
            return "\(subject)\(place) must have required property" + (name.map { " '\($0)'" } ?? "")
        }
        return "\(subject)\(place) must be \(expected)\(found)"
    }
}
