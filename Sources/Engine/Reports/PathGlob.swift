/// A pattern of paths: `*` matches any text without a slash, `**` any text, `?` one character. A pattern without a
/// slash is compared with the last segment: `favicon.ico`, `*.map`.
public struct PathGlob: Sendable, Hashable {
    public let text: String
    private let tokens: [Token]
    private let isName: Bool

    private enum Token: Hashable, Sendable {
        case byte(UInt8)
        /// One character except a slash.
        case one
        /// Any text without a slash.
        case segment
        case anything
    }

    public init(_ text: String) {
        self.text = text
        isName = !text.utf8.contains(UInt8(ascii: "/")) && text != "**"
        var tokens: [Token] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "*"):
                if tokens.last == .segment || tokens.last == .anything {
                    tokens[tokens.count - 1] = .anything
                } else {
                    tokens.append(.segment)
                }
            case UInt8(ascii: "?"): tokens.append(.one)
            default: tokens.append(.byte(byte))
            }
        }
        self.tokens = tokens
    }

    /// Whether a path, without a query, matches.
    public func matches(_ path: some Collection<UInt8>) -> Bool {
        let bytes = Array(path)
        guard isName else { return matches(bytes[...]) }
        return matches(bytes[((bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...])
    }

    private func matches(_ path: ArraySlice<UInt8>) -> Bool {
        let slash = UInt8(ascii: "/")
        var place = path.startIndex
        var token = 0
        // Where to resume with one more byte in the last wildcard of each kind.
        var segment: (token: Int, place: Int)?
        var anything: (token: Int, place: Int)?
        while place < path.endIndex || token < tokens.count {
            if token < tokens.count {
                switch tokens[token] {
                case .anything:
                    anything = (token, place)
                    segment = nil
                    token += 1
                    continue
                case .segment:
                    segment = (token, place)
                    token += 1
                    continue
                case .one where place < path.endIndex && path[place] != slash,
                    .byte where place < path.endIndex && tokens[token] == .byte(path[place]):
                    token += 1
                    place += 1
                    continue
                default: break
                }
            }
            if let last = segment, last.place < path.endIndex, path[last.place] != slash {
                segment = (last.token, last.place + 1)
                (token, place) = (last.token + 1, last.place + 1)
            } else if let last = anything, last.place < path.endIndex {
                segment = nil
                anything = (last.token, last.place + 1)
                (token, place) = (last.token + 1, last.place + 1)
            } else {
                return false
            }
        }
        return true
    }
}
