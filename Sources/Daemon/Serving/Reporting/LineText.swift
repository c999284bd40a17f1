import SDBasics

/// The maximum number of characters of one text in a line: log lines are bounded, whatever a client or a file contains.
private let longestText = 8_192

/// The text as one printable line (see `Printable`): input cannot forge log lines, control the terminal, or issue
/// commands to a CI job that reads the log. Cut to 8,192 characters.
package func singleLine(_ text: String) -> String {
    let (kept, omission) = bounded(text)
    return Printable.line(kept) + omission
}

/// The shown part of a text, and a note about the omitted rest; empty if there is none.
private func bounded(_ text: String) -> (kept: Substring, omission: String) {
    let scalars = text.unicodeScalars
    let end = scalars.index(scalars.startIndex, offsetBy: longestText, limitedBy: scalars.endIndex) ?? scalars.endIndex
    let omission =
        end == text.endIndex ? "" : "… (\(text.utf8.distance(from: end, to: text.endIndex)) more bytes)"
    return (text[..<end], omission)
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

    /// The value as text. Strings with more than one word are quoted.
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

/// A JSON string (RFC 8259, section 7) made printable and cut like `singleLine`.
private func jsonString(_ text: String) -> String {
    let (kept, omission) = bounded(text)
    var result = "\""
    Printable.read(kept) { scalar, meaning in
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        case _ where meaning != .plain: result += Printable.jsonCode(scalar)
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + omission + "\""
}
