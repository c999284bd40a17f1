/// The place of a value within a JSON document, by RFC 6901: `/request/bodyPatterns/1`.
public struct JSONPointer: Sendable, Hashable {
    /// Member names and array indices from the root on, not escaped. Empty for the whole document.
    public var tokens: [String]

    public static let root = JSONPointer([])

    public init(_ tokens: [String]) {
        self.tokens = tokens
    }

    /// Reads `/a~1b/0`. Nil if the text is neither empty nor starts with `/`, or if a `~` is followed by neither 0 nor 1.
    public init?(text: String) {
        guard !text.isEmpty else {
            self = .root
            return
        }
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        var tokens: [String] = []
        for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            var token = ""
            var characters = part.unicodeScalars.makeIterator()
            while let scalar = characters.next() {
                guard scalar == "~" else {
                    token.unicodeScalars.append(scalar)
                    continue
                }
                switch characters.next() {
                case "0": token += "~"
                case "1": token += "/"
                default: return nil
                }
            }
            tokens.append(token)
        }
        self.tokens = tokens
    }

    /// The text form, `~` and `/` within a token escaped.
    public var text: String {
        var text = ""
        for token in tokens {
            text += "/"
            for scalar in token.unicodeScalars {
                switch scalar {
                case "~": text += "~0"
                case "/": text += "~1"
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        return text
    }

    /// The form for people: `request.headers.Accept[0]`; names that are no plain words stand in quotes.
    public var keyPath: String {
        var path = ""
        for token in tokens {
            let isWord = token.utf8.allSatisfy { byte in
                switch UInt8(byte) {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "$"):
                    true
                default: false
                }
            }
            if Self.arrayIndex(token) != nil {
                path += "[\(token)]"
            } else if isWord && !token.isEmpty {
                path += path.isEmpty ? token : ".\(token)"
            } else {
                path += "[\(JSONValue.string(token).compactText)]"
            }
        }
        return path
    }

    public func appending(_ token: String) -> JSONPointer {
        JSONPointer(tokens + [token])
    }

    public func appending(_ index: Int) -> JSONPointer {
        JSONPointer(tokens + [String(index)])
    }

    public func appending(_ pointer: JSONPointer) -> JSONPointer {
        JSONPointer(tokens + pointer.tokens)
    }

    /// The pointer of the enclosing value; nil for the root.
    public var parent: JSONPointer? {
        tokens.isEmpty ? nil : JSONPointer(tokens.dropLast())
    }

    /// RFC 6901 section 4: digits without a leading zero.
    static func arrayIndex(_ token: String) -> Int? {
        guard !token.isEmpty, token.utf8.allSatisfy(JSONNumber.isDigit) else { return nil }
        guard token == "0" || token.utf8.first != UInt8(ascii: "0") else { return nil }
        return Int(token)
    }
}

extension JSONPointer: CustomStringConvertible {
    public var description: String { text }
}
