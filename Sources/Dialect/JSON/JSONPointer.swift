/// The path to a value in a JSON document by RFC 6901: `/request/bodyPatterns/1`.
public struct JSONPointer: Sendable, Hashable {
    /// The member names and array indices from the root, unescaped; empty for the whole document.
    public var tokens: [String]

    /// The pointer to the whole document, whose text is empty.
    public static let root = JSONPointer([])

    /// Makes a pointer from unescaped member names and array indices.
    public init(_ tokens: [String]) {
        self.tokens = tokens
    }

    /// Parses a pointer such as `/a~1b/0`. Nil if the text is not empty and does not start with `/`, or if a `~` is not
    /// followed by 0 or 1.
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

    /// The pointer as text, with `~` and `/` in tokens escaped.
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

    /// The path in a readable form: `request.headers.Accept[0]`. Names that are not plain words are quoted.
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

    /// The pointer to a member of this value; the name is unescaped.
    public func appending(_ token: String) -> JSONPointer {
        JSONPointer(tokens + [token])
    }

    /// The pointer to an element of this array, from 0.
    public func appending(_ index: Int) -> JSONPointer {
        JSONPointer(tokens + [String(index)])
    }

    /// This pointer followed by a relative one.
    public func appending(_ pointer: JSONPointer) -> JSONPointer {
        JSONPointer(tokens + pointer.tokens)
    }

    /// The pointer to the enclosing value; nil for the root.
    public var parent: JSONPointer? {
        tokens.isEmpty ? nil : JSONPointer(tokens.dropLast())
    }

    /// The array index that a token spells: digits without a leading zero (RFC 6901, section 4). Nil for any other
    /// token.
    static func arrayIndex(_ token: String) -> Int? {
        guard !token.isEmpty, token.utf8.allSatisfy(JSONNumber.isDigit) else { return nil }
        guard token == "0" || token.utf8.first != UInt8(ascii: "0") else { return nil }
        return Int(token)
    }
}

extension JSONPointer: CustomStringConvertible {
    public var description: String { text }
}
