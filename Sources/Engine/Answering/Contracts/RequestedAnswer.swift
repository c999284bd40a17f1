import SDBasics
package import SDContracts
package import SDHTTPTransport
import SDStubModel

/// What a request asks for in the answer of a contract: `Prefer: code=404, example=cat, dynamic=true`, and in Prism
/// mode the query parameters `__code`, `__example` and `__dynamic`.
package struct RequestedAnswer: Sendable, Equatable {
    package var code: Int?
    package var example: String?
    package var isDynamic: Bool?

    /// - Parameter readsQuery: whether query parameters count too.
    package init(_ request: Request, readsQuery: Bool) {
        if readsQuery, let query = request.query {
            for pair in query.split(separator: UInt8(ascii: "&")) where pair.starts(with: "__".utf8) {
                let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                let value = parts.count > 1 ? Self.decoded(parts[1]) : ""
                take(String(decoding: parts[0].dropFirst(2), as: UTF8.self), value)
            }
        }
        // RFC 7240: several fields form one list, separated by commas or semicolons.
        request.forEachHeaderValue(Array("prefer".utf8)) { value in
            for part in String(decoding: value, as: UTF8.self).split(whereSeparator: { $0 == "," || $0 == ";" }) {
                let halves = part.split(separator: "=", maxSplits: 1).map { String($0).trimmingBlanks }
                guard halves.count == 2 else { continue }
                var value = halves[1]
                if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
                    value = String(value.dropFirst().dropLast())
                }
                take(halves[0].lowercased(), value)
            }
            return true
        }
    }

    private mutating func take(_ name: String, _ value: String) {
        switch name {
        case "code": code = Int(value) ?? code
        case "example": example = value.isEmpty ? example : value
        case "dynamic": isDynamic = value.isEmpty ? isDynamic : value.lowercased() == "true"
        default: break
        }
    }

    /// Copies what it asks for into `wishes`.
    package func apply(to wishes: inout AnswerPreferences) {
        if let code { wishes.status = code }
        if let example { wishes.example = example }
        if let isDynamic { wishes.source = isDynamic ? .made : .examples }
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
