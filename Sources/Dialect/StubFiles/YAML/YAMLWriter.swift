package import SDJSON

extension JSONValue {
    /// The value as YAML that parses to the same value, with multi-line strings as blocks.
    /// - Parameters:
    ///   - isSpaced: whether to separate top-level elements with blank lines.
    ///   - comments: lines of comments, by the path of the value below them.
    package func yamlText(isSpaced: Bool = false, comments: [[String]: [String]] = [:]) -> String {
        var writer = YAMLWriter(isSpaced: isSpaced, comments: comments)
        writer.writeDocument(self)
        return writer.text
    }
}

/// Writes JSON values as YAML 1.2 in block style.
private struct YAMLWriter {
    private(set) var text = ""
    private let isSpaced: Bool
    private let comments: [[String]: [String]]
    /// The path of the current value; only tracked if there are comments.
    private var path: [String] = []

    init(isSpaced: Bool, comments: [[String]: [String]]) {
        self.isSpaced = isSpaced
        self.comments = comments
    }

    /// Writes the comment of the value at the current path.
    private mutating func writeComment(indent: Int) {
        for line in comments[path] ?? [] {
            if !line.isEmpty {
                addIndent(indent)
                text += "# " + line
            }
            text += "\n"
        }
    }

    private mutating func within(_ token: String, _ write: (inout YAMLWriter) -> Void) {
        guard !comments.isEmpty else { return write(&self) }
        path.append(token)
        write(&self)
        path.removeLast()
    }

    mutating func writeDocument(_ value: JSONValue) {
        writeComment(indent: 0)
        switch value {
        case .object(let object) where !object.isEmpty: write(object, indent: 0)
        case .array(let elements) where !elements.isEmpty: write(elements, indent: 0)
        default:
            writeInline(value, indent: 0)
            text += "\n"
        }
    }

    private mutating func write(_ object: JSONObject, indent: Int, startsInLine: Bool = false) {
        for (index, member) in object.members.enumerated() {
            if index > 0, indent == 0, isSpaced { text += "\n" }
            within(member.key) { writer in
                if index > 0 || !startsInLine {
                    writer.writeComment(indent: indent)
                    writer.addIndent(indent)
                }
                writer.writeKey(member.key, indent: indent)
                writer.writeValue(member.value, indent: indent)
            }
        }
    }

    /// Writes a key with its colon. A long key gets a `?` before it, and the colon on its own line.
    private mutating func writeKey(_ key: String, indent: Int) {
        let key = Self.scalar(key)
        guard key.unicodeScalars.count > Self.longestKey else {
            text += key + ":"
            return
        }
        text += "? " + key + "\n"
        addIndent(indent)
        text += ":"
    }

    private mutating func write(_ elements: [JSONValue], indent: Int) {
        for (index, element) in elements.enumerated() {
            if index > 0, indent == 0, isSpaced { text += "\n" }
            within(String(index)) { writer in
                writer.writeComment(indent: indent)
                // A comment of the first member would separate the dash from it.
                if let first = element.objectValue?.keys.first {
                    writer.within(first) { $0.writeComment(indent: indent) }
                }
                writer.addIndent(indent)
                writer.text += "-"
                if case .object(let object) = element, !object.isEmpty {
                    writer.text += " "
                    writer.write(object, indent: indent + 2, startsInLine: true)
                } else {
                    writer.writeValue(element, indent: indent)
                }
            }
        }
    }

    /// Writes a value after a key or a dash.
    private mutating func writeValue(_ value: JSONValue, indent: Int) {
        switch value {
        case .object(let object) where !object.isEmpty:
            text += "\n"
            write(object, indent: indent + 2)
        case .array(let elements) where !elements.isEmpty:
            text += "\n"
            write(elements, indent: indent + 2)
        default:
            text += " "
            writeInline(value, indent: indent + 2)
            text += "\n"
        }
    }

    private mutating func writeInline(_ value: JSONValue, indent: Int) {
        switch value {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .number(let number): text += number.text
        case .object: text += "{}"
        case .array: text += "[]"
        case .string(let string):
            if let block = Self.block(string, indent: max(indent, 2)) {
                text += block
            } else {
                text += Self.scalar(string)
            }
        }
    }

    private mutating func addIndent(_ count: Int) {
        text += String(repeating: " ", count: count)
    }

    // MARK: Texts

    /// The maximum length of a key without `?`, in characters. YAML allows 1,024 up to the colon.
    private static let longestKey = 1_018

    /// A string as a literal block; nil if it has only one line, or would not parse back unchanged: empty lines at its
    /// end, for example, would merge with a blank line after the block.
    private static func block(_ string: String, indent: Int) -> String? {
        let bytes = Array(string.utf8)
        guard let end = bytes.firstIndex(of: 0x0a), end < bytes.count - 1 || bytes.count > 1,
            let first = bytes.first, first != 0x20, first != 0x09, first != 0x0a,
            string.unicodeScalars.allSatisfy({ $0 == "\n" || $0 == "\t" || isPrintable($0) })
        else { return nil }
        let trailing = bytes.reversed().prefix { $0 == 0x0a }.count
        guard trailing < 2 else { return nil }
        var lines = string.split(separator: "\n" as Character, omittingEmptySubsequences: false)
        lines.removeLast(trailing)
        let margin = String(repeating: " ", count: indent)
        let head = trailing == 0 ? "|-" : "|"
        return ([head] + lines.map { $0.isEmpty ? "" : margin + $0 }).joined(separator: "\n")
    }

    /// A string on one line, quoted only if needed.
    private static func scalar(_ string: String) -> String {
        isPlain(string) ? string : quoted(string)
    }

    /// The string in JSON quotes, which is valid YAML; invisible characters are escaped.
    private static func quoted(_ string: String) -> String {
        var text = ""
        for scalar in JSONValue.string(string).compactText.unicodeScalars {
            if isPrintable(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let (mark, width) = scalar.value > 0xFFFF ? ("\\U", 8) : ("\\u", 4)
                text += mark + String(repeating: "0", count: width - digits.count) + digits
            }
        }
        return text
    }

    private static func isPlain(_ string: String) -> Bool {
        guard let first = string.unicodeScalars.first, let last = string.unicodeScalars.last else { return false }
        guard first != " ", last != " ", last != ":", !"-?:,[]{}#&*!|>'\"%@`=<~".unicodeScalars.contains(first)
        else { return false }
        guard string.unicodeScalars.allSatisfy(isPrintable) else { return false }
        var former: Unicode.Scalar = " "
        for scalar in string.unicodeScalars {
            if former == ":" && scalar == " " || former == " " && scalar == "#" { return false }
            former = scalar
        }
        // Older parsers read these as booleans.
        if ["yes", "no", "on", "off", "y", "n"].contains(string.lowercased()) { return false }
        return YAMLScalar.value(ofPlain: string) == .string(string)
    }

    /// Whether the character is readable and needs no escape in YAML.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFDCF, 0xFDF0...0xFEFE, 0xFF00...0xFFFD: true
        case 0x1_0000...0x10_FFFF: scalar.value & 0xFFFE != 0xFFFE
        default: false
        }
    }
}
