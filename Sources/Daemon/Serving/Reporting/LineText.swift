/// The most characters of one text in a line: a line of the log is bounded, whatever a client or a file puts into it.
private let longestText = 8_192

/// The text on one line, with control characters escaped, so that input cannot forge a line of the log or control the
/// terminal, nor command whoever reads it as the log of a job: by two colons at its beginning, or by `##[error]`. It is cut to
/// 8,192 characters.
package func singleLine(_ text: String) -> String {
    let (kept, omission) = bounded(text)
    var isCommand = text.utf8.drop { $0 == 0x20 || $0 == 0x09 }.starts(with: "::".utf8)
    guard !omission.isEmpty || isCommand || kept.contains(where: { isControl($0) || $0 == "#" }) else { return text }
    var result = ""
    var last: Unicode.Scalar?
    for scalar in kept {
        defer { last = scalar }
        switch scalar {
        case ":" where isCommand:
            isCommand = false
            result += "\\u{3a}"
        case "#" where last == "#": result += "\\u{23}"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        case _ where isControl(scalar): result += "\\u{" + String(scalar.value, radix: 16) + "}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + omission
}

/// The part of a text that a line shows, and what it says of the rest; empty if that is all.
private func bounded(_ text: String) -> (kept: Substring.UnicodeScalarView, omission: String) {
    let scalars = text.unicodeScalars
    let end = scalars.index(scalars.startIndex, offsetBy: longestText, limitedBy: scalars.endIndex) ?? scalars.endIndex
    let omission =
        end == text.endIndex ? "" : "… (\(text.utf8.distance(from: end, to: text.endIndex)) more bytes)"
    return (scalars[..<end], omission)
}

/// Whether a character is a control character of ASCII or Latin 1, a line separator of Unicode, or one that changes the
/// direction of the text behind it, and so what a line seems to say.
private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f...0x9f, 0x2028, 0x2029: true
    case 0x061c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
}

/// A value in a log line or the ready line.
public enum LogValue: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case string(String)
    case integer(Int)
    case decimal(Double)
    case bool(Bool)
    case null
    case list([LogValue])
    case object([LogField])

    public init(stringLiteral value: String) {
        self = .string(value)
    }

    public init(integerLiteral value: Int) {
        self = .integer(value)
    }

    /// The value as JSON on one line.
    var json: String {
        switch self {
        case .string(let text): jsonString(text)
        case .integer(let number): String(number)
        case .decimal(let number): number.isFinite ? "\(number)" : "null"
        case .bool(let isTrue): isTrue ? "true" : "false"
        case .null: "null"
        case .list(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
        case .object(let fields): "{" + fields.map(\.json).joined(separator: ",") + "}"
        }
    }

    /// The value as text. Strings of more than a word are quoted.
    var text: String {
        guard case .string(let string) = self else { return json }
        let isWord =
            !string.isEmpty && string.utf8.count <= longestText
            && string.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x3d && $0 < 0x7f }
        return isWord ? string : jsonString(string)
    }
}

/// A name with its value.
public struct LogField: Sendable, Hashable {
    public var name: String
    public var value: LogValue

    public init(_ name: String, _ value: LogValue) {
        self.name = name
        self.value = value
    }

    var json: String { jsonString(name) + ":" + value.json }
}

/// A JSON string (RFC 8259, section 7), also without control characters beyond ASCII, and cut like `singleLine`.
private func jsonString(_ text: String) -> String {
    let (kept, omission) = bounded(text)
    var result = "\""
    for scalar in kept {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        case _ where isControl(scalar):
            let digits = String(scalar.value, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + omission + "\""
}
