package import SDContracts
package import SDJSON

/// Violations as Prism writes them: `[{"location": ["request", "query", "limit"], "severity": "Error", …}]`.
package struct PrismViolations {
    package enum Side: String, Sendable {
        case request, response
    }

    package let json: JSONValue

    package init(_ violations: [Violation], in side: Side) {
        json = .array(
            violations.map { violation in
                .object([
                    "location": .array(Self.location(of: violation, in: side).map(JSONValue.string)),
                    "severity": "Error", "code": .string(violation.keyword ?? violation.location.rawValue),
                    "message": .string(Self.message(of: violation, in: side)),
                ])
            })
    }

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
        return text
    }

    private static func location(of violation: Violation, in side: Side) -> [String] {
        let part: String
        switch violation.location {
        case .contentType: part = "header"
        case .security: part = "header"
        case .method, .status: part = violation.location.rawValue
        default: part = violation.location.rawValue
        }
        let isHeader = violation.location == .header
        let name = violation.location == .contentType ? "content-type" : violation.name
        return [side.rawValue, part] + (name.map { [isHeader ? $0.lowercased() : $0] } ?? []) + violation.pointer.tokens
    }

    private static func message(of violation: Violation, in side: Side) -> String {
        let text = violation.message
        return "\(side == .request ? "Request" : "Response") \(text)"
    }
}
