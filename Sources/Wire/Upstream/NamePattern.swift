/// A server's name in both of its forms.
struct TargetName: Sendable {
    let ascii: [Character]
    /// With `xn--…` decoded.
    let readable: [Character]

    /// - Parameter text: in lower case and ASCII.
    init(_ text: String) {
        ascii = Array(text)
        readable = Array(DomainName.readable(text) ?? text)
    }
}

/// A name in which `*` stands for one or more characters. Ignores case, a trailing dot, and whether letters are in
/// Unicode or as `xn--…`.
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
        // The ASCII form is only known for whole labels.
        ascii = text.utf8.allSatisfy { $0 < 0x80 } ? DomainName.ascii(text).map(Array.init) ?? [] : []
    }

    /// Whether a character may occur in a name, or in the text of an address.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII, let byte = UInt8(exactly: scalar.value) else { return true }
        return scalar == "*" || scalar == "." || scalar == ":" || TargetHost.isNameByte(byte)
    }

    func matches(_ name: TargetName) -> Bool {
        Self.matches(ascii, name.ascii) || Self.matches(readable, name.readable)
    }

    /// Tries each `*` with backtracking to the latest one only, which is fast enough for names.
    private static func matches(_ pattern: [Character], _ name: [Character]) -> Bool {
        // The position of the latest `*`, and how much it has matched.
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
