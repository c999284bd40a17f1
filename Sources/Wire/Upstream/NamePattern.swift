/// The name of a server in both its forms.
struct TargetName: Sendable {
    let ascii: [Character]
    /// With the letters that `xn--…` stands for.
    let readable: [Character]

    /// - Parameter text: in lower case and ASCII.
    init(_ text: String) {
        ascii = Array(text)
        readable = Array(DomainName.readable(text) ?? text)
    }
}

/// A name in which `*` stands for one character or more. The case of letters, the dot of the root, and whether letters are
/// written in Unicode or as `xn--…`, make no difference.
struct NamePattern: Sendable {
    private let ascii: [Character]
    private let readable: [Character]

    static let any = NamePattern(ascii: ["*"], readable: ["*"])
    static let none = NamePattern(ascii: [], readable: [])

    private init(ascii: [Character], readable: [Character]) {
        (self.ascii, self.readable) = (ascii, readable)
    }

    /// - Returns: nil for a text that no name can match.
    init?(_ text: String) {
        guard let readable = DomainName.readable(text), readable.unicodeScalars.allSatisfy(Self.isPart) else {
            return nil
        }
        if !readable.contains("*") {
            guard !readable.contains(":"), !DomainName.endsInNumber(readable) else { return nil }
        }
        self.readable = Array(readable)
        // What stands for letters beyond ASCII is known of whole labels only.
        ascii = text.utf8.allSatisfy { $0 < 0x80 } ? DomainName.ascii(text).map(Array.init) ?? [] : []
    }

    /// Whether it may stand in a name, or in the text of an address.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII, let byte = UInt8(exactly: scalar.value) else { return true }
        return scalar == "*" || scalar == "." || scalar == ":" || TargetHost.isNameByte(byte)
    }

    func matches(_ name: TargetName) -> Bool {
        Self.matches(ascii, name.ascii) || Self.matches(readable, name.readable)
    }

    /// Each `*` is tried at its last place first only where the text behind it fits, which names are short enough for.
    private static func matches(_ pattern: [Character], _ name: [Character]) -> Bool {
        // The place of the last star, and what it has taken so far.
        var star: (pattern: Int, name: Int)?
        var at = 0
        var place = 0
        while place < name.count {
            if at < pattern.count, pattern[at] == "*" {
                star = (at + 1, place + 1)
                at += 1
                place += 1
            } else if at < pattern.count, pattern[at] == name[place] {
                at += 1
                place += 1
            } else if let last = star {
                star = (last.pattern, last.name + 1)
                at = last.pattern
                place = last.name + 1
            } else {
                return false
            }
        }
        return at == pattern.count
    }
}
