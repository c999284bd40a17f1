/// Looks through any text, whole or broken, for what looks like a name and its value: `name: value`, `name=value`,
/// `"name": "value"`, `<name>value</name>`, and users of URLs.
struct PairSecrets {
    private static let longestName = 128
    /// Names before whose values a blank ends nothing, as they are a list or begin with a scheme.
    private static let schemes: Set<String> = [
        "bearer", "basic", "token", "digest", "negotiate", "apikey", "hmac", "aws4-hmac-sha256", "jwt", "oauth", "dpop",
    ]

    let text: [UInt8]
    let isSecret: (ArraySlice<UInt8>) -> Bool
    private(set) var places: [SecretPlace] = []
    /// Up to where a `value` belongs to a `name` before it that is that of a secret.
    private var namedUpTo = 0

    /// The bytes that were read of lists and objects without an end.
    private var wasted = 0
    /// Whether a list or object may end with the text.
    private let mayBeCut: Bool

    init(_ text: [UInt8], mayBeCut: Bool = true, isSecret: @escaping (ArraySlice<UInt8>) -> Bool) {
        self.text = text
        self.mayBeCut = mayBeCut
        self.isSecret = isSecret
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: ":"), UInt8(ascii: "="): index = max(index + 1, pair(index))
            case UInt8(ascii: "/"):
                if index > 0, text[index - 1] == UInt8(ascii: "/") { user(index + 1) }
                index += 1
            default: index += 1
            }
        }
    }

    private func byte(_ index: Int) -> UInt8 { text.indices.contains(index) ? text[index] : 0x0A }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    // MARK: Names

    /// How a name stands before its sign.
    private struct Name {
        var range: Range<Int>
        var isQuoted = false
        /// Whether nothing but a mark stands before it in its line.
        var beginsLine = false
        /// Whether it stands in the query of a URL.
        var isInQuery = false
        /// Whether a list of cookies or a scheme may stand behind it.
        var isHeader = false
    }

    /// The name that ends before the sign at `sign`, if it is that of a secret.
    private mutating func name(_ sign: Int) -> Name? {
        let least = max(sign - Self.longestName, 0)
        var end = sign
        while end > least, text[end - 1] <= 0x20 { end -= 1 }
        guard end > least else { return nil }
        if let quoted = quotedName(end, least) {
            return isSecret(text[quoted]) || isValue(quoted, sign) ? Name(range: quoted, isQuoted: true) : nil
        }
        guard end > sign - 8, end == sign || !text[end..<sign].contains(0x0A) else { return nil }
        var start = end
        // A name may have blanks: the last word, the last two, the last three.
        for _ in 0..<3 {
            while start > least, Self.isName(text[start - 1]) { start -= 1 }
            if start < end, isSecret(text[start..<end]) { break }
            guard start > least + 1, text[start - 1] == 0x20, Self.isName(text[start - 2]) else { return nil }
            start -= 1
        }
        guard start < end, isSecret(text[start..<end]) else { return nil }
        var name = Name(range: start..<end)
        name.isInQuery = byte(start - 1) == UInt8(ascii: "?") || byte(start - 1) == UInt8(ascii: "&")
        var before = start
        while before > 0, isBlank(text[before - 1]) || "-><*".utf8.contains(text[before - 1]) { before -= 1 }
        name.beginsLine = before == 0 || text[before - 1] == 0x0A || text[before - 1] == 0x0D
        let last = String(decoding: text[start..<end], as: UTF8.self).lowercased()
        name.isHeader = last.hasSuffix("cookie") || last.hasSuffix("authorization")
        return name
    }

    /// Whether a name is the `value` of `"name": "password", "value": …`, of which the first half is noted.
    private mutating func isValue(_ range: Range<Int>, _ sign: Int) -> Bool {
        guard range.count <= 10, range.count >= 3, text[sign] == UInt8(ascii: ":") else { return false }
        let key = String(decoding: text[range], as: UTF8.self).lowercased()
        if sign < namedUpTo, JSONSecrets.valueKeys.contains(key) { return true }
        guard JSONSecrets.nameKeys.contains(key) else { return false }
        var start = sign + 1
        while start < text.count, text[start] <= 0x20 || text[start] == UInt8(ascii: "\\") { start += 1 }
        guard byte(start) == UInt8(ascii: "\"") else { return false }
        let (last, next) = quoted(start, depth: backslashes(before: start))
        if last > start, isSecret(text[(start + 1)..<last]) { namedUpTo = next + 256 }
        return false
    }

    /// The name in the quotes that close before `end`, whatever they are escaped with.
    private func quotedName(_ end: Int, _ least: Int) -> Range<Int>? {
        let quote = text[end - 1]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") || quote == UInt8(ascii: "`") else {
            return nil
        }
        let depth = backslashes(before: end - 1)
        let last = end - 1 - depth
        var start = last - 1
        while start >= least {
            if text[start] == quote, backslashes(before: start) <= depth { return (start + 1)..<max(last, start + 1) }
            if text[start] == 0x0A { break }
            start -= 1
        }
        // The quote that opens is missing.
        start = last
        while start > least, Self.isName(text[start - 1]) { start -= 1 }
        return start..<last
    }

    private func backslashes(before index: Int) -> Int {
        var count = 0
        while count < 64, index - count > 0, text[index - count - 1] == UInt8(ascii: "\\") { count += 1 }
        return count
    }

    static func isName(_ byte: UInt8) -> Bool {
        byte > 0x20 && !"?&;#=:,{}()<>\"'`/|@".utf8.contains(byte)
    }

    // MARK: Values

    /// Takes up the value behind the sign, if a secret's name stands before it.
    /// - Returns: where to go on.
    private mutating func pair(_ sign: Int) -> Int {
        let isColon = text[sign] == UInt8(ascii: ":")
        guard let name = name(sign) else { return 0 }
        var start = sign + 1
        if start < text.count, text[start] == UInt8(ascii: isColon ? "=" : ">") { start += 1 }
        let first = start
        while start < text.count, name.isQuoted ? text[start] <= 0x20 : isBlank(text[start]) { start += 1 }
        // A broken byte hides no value.
        if byte(start) >= 0x80, "\"{['".utf8.contains(byte(start + 1)) { start += 1 }
        guard start < text.count else { return start }
        var opening = start
        while opening < text.count, text[opening] == UInt8(ascii: "\\") { opening += 1 }
        let quote = byte(opening)
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") || quote == UInt8(ascii: "`") {
            let (end, next) = quoted(opening, depth: opening - start)
            add((opening + 1)..<end)
            return next
        }
        if quote == UInt8(ascii: "{") || quote == UInt8(ascii: "["), isColon || name.isQuoted || start > first {
            if let end = container(opening, isCut: mayBeCut && name.isQuoted) { return end }
        }
        if name.isQuoted, isColon { return word(start) }
        let isLine = name.beginsLine && (isColon || start > first)
        let end = isLine ? lineEnd(start, name) : valueEnd(start, name)
        add(start..<end)
        return end
    }

    private mutating func add(_ range: Range<Int>, _ kind: SecretPlace.Kind = .text) {
        if !range.isEmpty { places.append(SecretPlace(range, kind)) }
    }

    /// The end of the text in quotes that begin at `opening`, which `depth` backslashes escape, and what follows it.
    private func quoted(_ opening: Int, depth: Int) -> (end: Int, next: Int) {
        let quote = text[opening]
        var index = opening + 1
        while index < text.count, text[index] != 0x0A {
            if text[index] == quote {
                let count = min(backslashes(before: index), index - opening - 1)
                if depth == 0 ? count % 2 == 0 : count <= depth {
                    return (depth == 0 ? index : index - count, index + 1)
                }
            }
            index += 1
        }
        return (index, index)
    }

    /// Takes up the number, word or broken text behind a name in quotes.
    private mutating func word(_ start: Int) -> Int {
        var end = start
        while end < text.count, JSONSecrets.isWord(text[end]) { end += 1 }
        let word = String(decoding: text[start..<end], as: UTF8.self)
        let isEnd = end == text.count || text[end] <= 0x20 || ",}]".utf8.contains(text[end])
        if isEnd, !word.isEmpty {
            if word == "null" || word == "undefined" || word == "None" { return end }
            if word == "true" || word == "false" {
                add(start..<end, .boolean)
                return end
            }
            if word.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) {
                add(start..<end, .number)
                return end
            }
        }
        while end < text.count, text[end] != 0x0A, !",}]".utf8.contains(text[end]) { end += 1 }
        add(trimmed(start, end))
        return end
    }

    private func trimmed(_ start: Int, _ end: Int) -> Range<Int> {
        var end = end
        while end > start, text[end - 1] <= 0x20 { end -= 1 }
        return start..<end
    }

    /// The end of a value that takes the rest of its line, but for another name with its value.
    private func lineEnd(_ start: Int, _ name: Name) -> Int {
        var index = start
        while index < text.count, text[index] != 0x0A, text[index] != 0x0D {
            if text[index] == UInt8(ascii: "<"), isTag(index) { break }
            if !name.isHeader, ",;}& ".utf8.contains(text[index]), isPair(index + 1) { break }
            index += 1
        }
        return trimmed(start, index).upperBound
    }

    private func isTag(_ index: Int) -> Bool {
        let next = byte(index + 1) | 0x20
        return byte(index + 1) == UInt8(ascii: "/") || byte(index + 1) == UInt8(ascii: "!")
            || (0x61...0x7A).contains(next)
    }

    /// Whether a name and a sign stand here.
    private func isPair(_ start: Int) -> Bool {
        var index = start
        while isBlank(byte(index)), index < start + 4 { index += 1 }
        if byte(index) == UInt8(ascii: "\"") || byte(index) == UInt8(ascii: "'") { index += 1 }
        let first = index
        while index < text.count, index < first + Self.longestName, Self.isName(text[index]) { index += 1 }
        guard index > first else { return false }
        if byte(index) == UInt8(ascii: "\"") || byte(index) == UInt8(ascii: "'") { index += 1 }
        while isBlank(byte(index)) { index += 1 }
        return byte(index) == UInt8(ascii: "=") || byte(index) == UInt8(ascii: ":")
    }

    /// The end of a value among others: at a blank, at what ends a parameter, a string or a tag.
    private func valueEnd(_ start: Int, _ name: Name) -> Int {
        var index = start
        loop: while index < text.count, text[index] > 0x20 {
            switch text[index] {
            case UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "`"):
                break loop
            case UInt8(ascii: "'"):
                let next = byte(index + 1)
                if next <= 0x20 || ">,;)]}/&".utf8.contains(next) { break loop }
            case UInt8(ascii: "#"): if name.isInQuery { break loop }
            case UInt8(ascii: ";"), UInt8(ascii: ","):
                if byte(index + 1) <= 0x20 || isPair(index + 1) { break loop }
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                if byte(index + 1) <= 0x20 { break loop }
            default: break
            }
            index += 1
        }
        let isScheme = Self.schemes.contains(String(decoding: text[start..<index], as: UTF8.self).lowercased())
        guard isScheme, byte(index) == 0x20, byte(index + 1) > 0x20 else { return index }
        return valueEnd(index + 1, name)
    }

    /// Takes up all texts, numbers and words of a list or object, whole or broken.
    /// - Parameter isCut: whether it may end with the text; nil is returned for another that has no end.
    private mutating func container(_ start: Int, isCut: Bool) -> Int? {
        // Many that have no end would each be read to the end of the text.
        guard isCut || wasted < 4 * text.count else { return nil }
        let count = places.count
        var depth = 0
        var index = start
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                index += 1
                if depth == 0 { return index }
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let (end, next) = quoted(index, depth: backslashes(before: index))
                if !isKey(next) { add((index + 1)..<max(end, index + 1)) }
                index = next
            case let byte where byte <= 0x20 || ",:=\\>".utf8.contains(byte): index += 1
            default:
                let first = index
                while index < text.count, text[index] > 0x20, !"{}[],:\"'".utf8.contains(text[index]) { index += 1 }
                if !isKey(index), index > first { bare(first..<index) }
            }
        }
        if !isCut {
            places.removeSubrange(count...)
            wasted += index - start
            return nil
        }
        return index
    }

    private mutating func bare(_ range: Range<Int>) {
        switch String(decoding: text[range], as: UTF8.self) {
        case "null", "undefined", "None": break
        case "true", "false": add(range, .boolean)
        default:
            let isNumber = text[range].allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
            add(range, isNumber ? .number : .text)
        }
    }

    private func isKey(_ end: Int) -> Bool {
        var index = end
        while index < text.count, text[index] <= 0x20 { index += 1 }
        return byte(index) == UInt8(ascii: ":")
    }

    // MARK: Users

    /// Takes up the user and password of a URL whose authority begins at `start`.
    private mutating func user(_ start: Int) {
        var at: Int?
        var index = start
        while index < text.count, index < start + 4_096, text[index] > 0x20 {
            switch text[index] {
            case UInt8(ascii: "@"): at = index
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "<"),
                UInt8(ascii: ">"), UInt8(ascii: "\\"):
                index = text.count + 1
            default: break
            }
            index += 1
        }
        if let at {
            if at > start { add(start..<at) }
            return
        }
        // The text is cut before the sign behind the password.
        guard index == text.count, let colon = text[start...].firstIndex(of: UInt8(ascii: ":")) else { return }
        if !text[(colon + 1)...].allSatisfy({ (0x30...0x39).contains($0) }), text[start] != UInt8(ascii: "[") {
            add((colon + 1)..<index)
        }
    }
}
