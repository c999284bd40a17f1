/// The comparisons in an XPath expression that affect its cost.
struct XPathComparisons {
    /// Whether any comparison may be between two sets of many nodes. One with a literal, a number, a function's value,
    /// `.` or an attribute of the context node is not.
    private(set) var comparesSets = false

    init(_ expression: String) {
        let tokens = Self.tokens(Array(expression.utf8))
        for (index, token) in tokens.enumerated() where Self.comparisons.contains(token) {
            let left = Self.operand(tokens[..<index].reversed(), opening: [")", "]"], closing: ["(", "["])
            let right = Self.operand(tokens[(index + 1)...], opening: ["(", "["], closing: [")", "]"])
            if Self.mayBeMany(left.reversed()), Self.mayBeMany(right) { comparesSets = true }
        }
    }

    private static let comparisons: Set<String> = ["=", "!=", "<", "<=", ">", ">="]
    private static let ends = comparisons.union(["and", "or", "|", ",", "+", "-"])
    /// Functions whose value is not a set of nodes.
    private static let functions: Set<String> = [
        "boolean", "ceiling", "concat", "contains", "count", "false", "floor", "lang", "last", "local-name", "name",
        "namespace-uri", "normalize-space", "not", "number", "position", "round", "starts-with", "string",
        "string-length", "substring", "substring-after", "substring-before", "sum", "translate", "true",
    ]

    /// The operand at the start of these tokens.
    private static func operand(_ tokens: some Sequence<String>, opening: [String], closing: [String]) -> [String] {
        var operand: [String] = []
        var depth = 0
        for token in tokens {
            if opening.contains(token) { depth += 1 }
            if closing.contains(token) { depth -= 1 }
            if depth < 0 || (depth == 0 && ends.contains(token)) { break }
            operand.append(token)
        }
        return operand
    }

    private static func mayBeMany(_ operand: [String]) -> Bool {
        guard let first = operand.first, let byte = first.utf8.first else { return false }
        if operand.count == 1 {
            let isLiteral = byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") || (0x30...0x39).contains(byte)
            return !(isLiteral || first == "." || first == "..")
        }
        if operand.count == 2, first == "@" { return false }
        return !(operand[1] == "(" && functions.contains(first))
    }

    private static func tokens(_ bytes: [UInt8]) -> [String] {
        var tokens: [String] = []
        var place = 0
        while place < bytes.count {
            let start = place
            let byte = bytes[place]
            place += 1
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: continue
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                while place < bytes.count, bytes[place] != byte { place += 1 }
                place = min(place + 1, bytes.count)
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "!"):
                if place < bytes.count, bytes[place] == UInt8(ascii: "=") { place += 1 }
            case UInt8(ascii: "."):
                if place < bytes.count, bytes[place] == byte { place += 1 }
            case _ where isName(byte):
                while place < bytes.count, isName(bytes[place]) || bytes[place] == UInt8(ascii: "-") { place += 1 }
            default: break
            }
            tokens.append(String(decoding: bytes[start..<place], as: UTF8.self))
        }
        return tokens
    }

    private static func isName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
