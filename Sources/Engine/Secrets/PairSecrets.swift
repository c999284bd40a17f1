/// Searches any text, valid or not, for names with values: `name: value`, `name=value`, `"name": "value"`,
/// `<name>value</name>`, and user information in URLs.
///
/// Quoted text is a value. Unquoted text is one unless it is prose: `password: required` and `token = parser.next()`
/// are no pairs. In code, only quoted text counts, and values in queries and headers.
struct PairSecrets {
    /// The kind of a text.
    enum Style {
        case plain, prose, code
        /// Mostly binary bytes, in which short names and URL characters occur by chance.
        case bytes
    }

    private static let longestName = 128

    let text: [UInt8]
    let style: Style
    let isSecret: (ArraySlice<UInt8>) -> Bool
    private(set) var places: [SecretLocation] = []
    /// Up to this index, a `value` belongs to the preceding secret `name`.
    private var namedUpTo = 0

    /// The number of bytes read in unterminated lists and objects.
    private var wasted = 0
    /// The number of bytes read, counting repetitions.
    private(set) var work = 0
    /// Whether a list or object may be cut off at the end of the text.
    private let mayBeCut: Bool

    init(
        _ text: [UInt8], _ style: Style = .plain, mayBeCut: Bool = true,
        isSecret: @escaping (ArraySlice<UInt8>) -> Bool
    ) {
        self.text = text
        self.style = style
        self.mayBeCut = mayBeCut
        self.isSecret = isSecret
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: ":"), UInt8(ascii: "="):
                let end = max(index + 1, pair(index))
                work += end - index
                index = end
            case UInt8(ascii: "/"):
                if index > 0, text[index - 1] == UInt8(ascii: "/") { user(index + 1) }
                index += 1
            default: index += 1
            }
        }
        work += text.count
    }

    private func byte(_ index: Int) -> UInt8 { text.indices.contains(index) ? text[index] : 0x0A }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    // MARK: Names

    /// A name and its context.
    private struct Name {
        var range: Range<Int>
        var isQuoted = false
        /// Whether it starts its line, except for marks.
        var beginsLine = false
        /// Whether it stands in the query of a URL.
        var isInQuery = false
        /// Whether a list of cookies or a scheme may follow.
        var isHeader = false
    }

    /// The name that ends before the sign at `sign`, if it is a secret's.
    private mutating func name(_ sign: Int) -> Name? {
        let least = max(sign - Self.longestName, 0)
        var end = sign
        while end > least, text[end - 1] <= 0x20 { end -= 1 }
        guard end > least else { return nil }
        if let quoted = quotedName(end, least) {
            return isSecret(text[quoted]) || isValue(quoted, sign) ? Name(range: quoted, isQuoted: true) : nil
        }
        guard end > sign - 8, end == sign || !text[end..<sign].contains(0x0A) else { return nil }
        // `The token is: …`
        if end > least + 3, text[(end - 3)..<end].elementsEqual(" is".utf8) { end -= 3 }
        var start = end
        // A name may contain spaces: tries the last word, the last two, the last three.
        for _ in 0..<3 {
            while start > least, Self.isName(text[start - 1]) { start -= 1 }
            if start < end, isSecret(text[start..<end]) { break }
            guard start > least + 1, text[start - 1] == 0x20, Self.isName(text[start - 2]) else { return nil }
            start -= 1
        }
        guard start < end, isSecret(text[start..<end]), style != .bytes || end - start > 4 else { return nil }
        var name = Name(range: start..<end)
        name.isInQuery = byte(start - 1) == UInt8(ascii: "?") || byte(start - 1) == UInt8(ascii: "&")
        var before = start
        while before > 0, isBlank(text[before - 1]) || "-><*".utf8.contains(text[before - 1]) { before -= 1 }
        name.beginsLine = before == 0 || text[before - 1] == 0x0A || text[before - 1] == 0x0D
        let last = String(decoding: text[start..<end], as: UTF8.self).lowercased()
        name.isHeader = last.hasSuffix("cookie") || last.hasSuffix("authorization")
        return name
    }

    /// Whether a name is the `value` of `"name": "password", "value": …`; records the first half.
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

    /// The name in the quotes that close before `end`, at any level of escaping.
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
        // The opening quote is missing.
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

    /// A sign between name and value.
    private struct Sign {
        var isColon: Bool
        /// The index after the sign.
        var end: Int
        /// Whether it is `=>`, as between keys and values in Ruby and PHP.
        var isArrow = false
        /// Whether it is `:=`, which is followed by code.
        var isAssignment = false
    }

    /// The sign that starts here; nil if it is part of another, such as `==`, `!=` or `::`.
    private func sign(_ index: Int) -> Sign? {
        let isColon = text[index] == UInt8(ascii: ":")
        let before = byte(index - 1)
        let next = byte(index + 1)
        if isColon {
            guard before != UInt8(ascii: ":"), next != UInt8(ascii: ":") else { return nil }
            let isAssignment = next == UInt8(ascii: "=")
            return Sign(isColon: true, end: index + (isAssignment ? 2 : 1), isAssignment: isAssignment)
        }
        guard !"=!<>+*^|~".utf8.contains(before), next != UInt8(ascii: "="), next != UInt8(ascii: "~") else {
            return nil
        }
        let isArrow = next == UInt8(ascii: ">")
        return Sign(isColon: false, end: index + (isArrow ? 2 : 1), isArrow: isArrow)
    }

    /// Adds the value after the sign, if a secret's name precedes it.
    /// - Returns: where to continue.
    private mutating func pair(_ index: Int) -> Int {
        guard let sign = sign(index) else { return 0 }
        guard let name = name(index) else { return 0 }
        let first = sign.end
        var start = first
        while start < text.count, name.isQuoted ? text[start] <= 0x20 : isBlank(text[start]) { start += 1 }
        // An invalid byte does not hide a value.
        if byte(start) >= 0x80, "\"{['".utf8.contains(byte(start + 1)) { start += 1 }
        guard start < text.count else { return start }
        var opening = start
        while opening < text.count, text[opening] == UInt8(ascii: "\\") { opening += 1 }
        let quote = byte(opening)
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") || quote == UInt8(ascii: "`") {
            guard !sign.isArrow || name.isQuoted || byte(name.range.lowerBound - 1) == UInt8(ascii: ":") else {
                return 0
            }
            let (end, next) = quoted(opening, depth: opening - start)
            add((opening + 1)..<end)
            return next
        }
        if quote == UInt8(ascii: "{") || quote == UInt8(ascii: "["), sign.isColon || name.isQuoted || start > first {
            if let end = container(opening, isCut: mayBeCut && name.isQuoted) { return end }
        }
        guard !sign.isArrow, !sign.isAssignment else { return 0 }
        if name.isQuoted, sign.isColon { return word(start) }
        let isAttached = !sign.isColon && start == first && index > 0 && text[index - 1] > 0x20
        let isLine = name.beginsLine && (sign.isColon || start > first)
        let end = isLine ? lineEnd(start, name) : valueEnd(start, name)
        guard isValue(start..<end, name, isAttached: isAttached, isLine: isLine) else { return 0 }
        add(start..<end, isLoose: !name.isInQuery && !(name.isHeader && name.beginsLine))
        return end
    }

    /// Whether unquoted text after a secret's name is a value, rather than prose or code.
    private func isValue(_ range: Range<Int>, _ name: Name, isAttached: Bool, isLine: Bool) -> Bool {
        let value = text[range]
        if CommonValues.isPlaceholder(value) { return false }
        if name.isInQuery { return true }
        if name.isHeader, name.beginsLine, style != .code { return true }
        let word = value.prefix { $0 > 0x20 }
        if name.isHeader, KnownSecrets.schemes.contains(String(decoding: word, as: UTF8.self).lowercased()) {
            return true
        }
        if style == .code { return false }
        // `password = password` passes it on.
        if CommonValues.isWord(word), isSecret(word.prefix(while: CommonValues.isLetter)) { return false }
        if isAttached { return true }
        if CommonValues.isRemark(value) || CommonValues.isExpression(word) { return false }
        let line = text[range.lowerBound...].prefix(256).prefix { $0 != 0x0A && $0 != 0x0D }
        if CommonValues.isPhrase(line) { return false }
        return isLine && style == .plain || !CommonValues.isWord(word)
    }

    private mutating func add(_ range: Range<Int>, _ kind: SecretLocation.Kind = .text, isLoose: Bool = false) {
        guard !range.isEmpty else { return }
        var place = SecretLocation(range, kind)
        place.isLoose = isLoose
        places.append(place)
    }

    /// The end of the quoted text that starts at `opening` with `depth` backslashes, and the index after it.
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

    /// Adds the number, word or broken text after a quoted name.
    private mutating func word(_ start: Int) -> Int {
        var end = start
        while end < text.count, JSONSecrets.isWord(text[end]) { end += 1 }
        let word = String(decoding: text[start..<end], as: UTF8.self)
        let isEnd = end == text.count || text[end] <= 0x20 || ",}]".utf8.contains(text[end])
        if isEnd, !word.isEmpty {
            if word != "true", word != "false", CommonValues.absent.contains(word.lowercased()) { return end }
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
        let value = trimmed(start, end)
        guard style != .code, !CommonValues.isPlaceholder(text[value]) else { return start }
        add(value, isLoose: true)
        return end
    }

    private func trimmed(_ start: Int, _ end: Int) -> Range<Int> {
        var end = end
        while end > start, text[end - 1] <= 0x20 { end -= 1 }
        return start..<end
    }

    /// The end of a value that extends to the end of its line, or to another name with a value.
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

    /// Whether a name and a sign start here.
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

    /// The end of a value among others: at white space, or at the end of a parameter, string or tag.
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
        let isScheme = KnownSecrets.schemes.contains(String(decoding: text[start..<index], as: UTF8.self).lowercased())
        guard isScheme, byte(index) == 0x20, byte(index + 1) > 0x20 else { return index }
        return valueEnd(index + 1, name)
    }

    /// Adds all texts, numbers and words of a list or object, valid or not.
    /// - Parameter isCut: whether it may be cut off at the end of the text; otherwise an unterminated one returns nil.
    private mutating func container(_ start: Int, isCut: Bool) -> Int? {
        // Many unterminated ones would each be read to the end of the text.
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
            work += index - start
            return nil
        }
        return index
    }

    private mutating func bare(_ range: Range<Int>) {
        switch String(decoding: text[range], as: UTF8.self) {
        case "true", "false": add(range, .boolean)
        case let word where CommonValues.absent.contains(word.lowercased()): break
        default:
            let isNumber = text[range].allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
            guard isNumber || style != .code else { return }
            add(range, isNumber ? .number : .text, isLoose: true)
        }
    }

    private func isKey(_ end: Int) -> Bool {
        var index = end
        while index < text.count, text[index] <= 0x20 { index += 1 }
        return byte(index) == UInt8(ascii: ":")
    }

    // MARK: Users

    /// Adds the user and password of a URL whose authority starts at `start`. Without a scheme, it may be a step of an
    /// XPath, as in `//user[@id='7']` and `//ns:user`.
    private mutating func user(_ start: Int) {
        let hasScheme = start > 2 && text[start - 3] == UInt8(ascii: ":")
        guard hasScheme || style != .bytes else { return }
        var at: Int?
        var index = start
        while index < text.count, index < start + 4_096, text[index] > 0x20 {
            switch text[index] {
            case UInt8(ascii: "@"): at = index
            case UInt8(ascii: "["), UInt8(ascii: "'"):
                if !hasScheme { index = text.count + 1 }
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
        // The text is cut off before the `@` after the password.
        guard hasScheme, index == text.count, let colon = text[start...].firstIndex(of: UInt8(ascii: ":")) else {
            return
        }
        if !text[(colon + 1)...].allSatisfy({ (0x30...0x39).contains($0) }), text[start] != UInt8(ascii: "[") {
            add((colon + 1)..<index)
        }
    }
}
