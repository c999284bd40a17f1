/// Values that look like secrets but are not: words, phrases, names of variables, dates, types.
///
/// Used where a name and its value are only guessed, in prose and code, and before a value is searched for everywhere
/// else: a common word would be hidden in unrelated documents.
enum CommonValues {
    /// The words for no value in various languages.
    static let absent: Set<String> = ["none", "null", "nil", "undefined", "true", "false"]
    /// Words that describe a secret.
    private static let remarks: Set<String> = absent.union([
        "yes", "no", "required", "optional", "missing", "invalid", "wrong", "expired", "unknown", "empty", "hidden",
        "disabled", "enabled", "default", "string", "str", "text", "char", "bytes", "number", "integer", "int",
        "boolean", "bool", "object", "array", "list", "any", "void", "unauthorized", "forbidden",
    ])
    /// The kinds of media types.
    private static let mediaKinds: Set<String> = [
        "application", "audio", "font", "image", "message", "model", "multipart", "text", "video",
    ]
    /// The length from which a word is no longer an ordinary one.
    private static let longestWord = 11

    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// The value without the punctuation around it.
    private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var value = value
        while let last = value.last, ".,;:!?()[]{}\"'`".utf8.contains(last) { value.removeLast() }
        while let first = value.first, "([{\"'`".utf8.contains(first) { value.removeFirst() }
        return value
    }

    /// Whether a value is a word: a few letters, all lower case, all upper case, or capitalized.
    static func isWord(_ value: ArraySlice<UInt8>) -> Bool {
        let value = trimmed(value)
        guard !value.isEmpty, value.count <= longestWord, value.allSatisfy(isLetter) else { return false }
        let rest = value.dropFirst()
        return rest.allSatisfy { $0 & 0x20 != 0 } || value.allSatisfy { $0 & 0x20 == 0 }
    }

    /// Whether a text is several words, with short numbers and signs between them.
    static func isPhrase(_ text: ArraySlice<UInt8>) -> Bool {
        let words = text.split(maxSplits: 32) { $0 == 0x20 || $0 == 0x09 }
        guard words.count > 1, isWord(words[0]) || isExpression(words[0]) else { return false }
        return words.prefix(4).allSatisfy { word in
            let bare = trimmed(word).filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "'") }
            return isWord(bare[...]) || isExpression(word) || bare.allSatisfy { !isLetter($0) && !isDigit($0) }
                || bare.count < 5 && bare.allSatisfy(isDigit)
        }
    }

    /// Whether a value is empty, or a placeholder: `None`, `$password`, `{{token}}`, `...`.
    static func isPlaceholder(_ value: ArraySlice<UInt8>) -> Bool {
        if isVariable(value) { return true }
        let bare = trimmed(value)
        guard bare.contains(where: { isLetter($0) || isDigit($0) || $0 >= 0x80 }) else { return true }
        return bare.count <= longestWord && absent.contains(String(decoding: bare, as: UTF8.self).lowercased())
    }

    /// Whether a value describes a secret: `required`.
    static func isRemark(_ value: ArraySlice<UInt8>) -> Bool {
        let bare = trimmed(value)
        return bare.count <= 12 && remarks.contains(String(decoding: bare, as: UTF8.self).lowercased())
    }

    /// Whether a value refers to another: `$name`, `${name}`, `{{name}}`, `<name>`, `%s`.
    private static func isVariable(_ value: ArraySlice<UInt8>) -> Bool {
        guard let first = value.first else { return false }
        let rest = value.dropFirst().prefix { !"),;".utf8.contains($0) }
        switch first {
        case UInt8(ascii: "$"):
            return rest.allSatisfy { isLetter($0) || $0 == UInt8(ascii: "_") } || rest.first == UInt8(ascii: "{")
        case UInt8(ascii: "{"): return value.starts(with: "{{".utf8)
        case UInt8(ascii: "<"): return value.last == UInt8(ascii: ">")
        case UInt8(ascii: "%"): return rest.count == 1 || rest.first == UInt8(ascii: "{")
        default: return false
        }
    }

    /// Whether a value is code: a call, or names with dots between them, such as `document.cookie`.
    static func isExpression(_ value: ArraySlice<UInt8>) -> Bool {
        var (letters, isChain, isFirst) = (0, false, true)
        for byte in value {
            switch byte {
            case _ where isLetter(byte), UInt8(ascii: "_") where !isFirst: letters += 1
            case UInt8(ascii: "(") where letters > 0: return true
            case UInt8(ascii: "."), UInt8(ascii: "["):
                guard letters > 0, letters < 20 else { return false }
                (letters, isChain) = (0, true)
            case UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: ")"), UInt8(ascii: "]"): return isChain
            default: return false
            }
            isFirst = false
        }
        return isChain && letters > 0 && letters < 20
    }

    /// Whether a value is so common that it is not searched for.
    /// - Parameter isLoose: whether it was only guessed to be a secret; then it must look like one.
    static func mayStandAnywhere(_ value: [UInt8], isLoose: Bool) -> Bool {
        if isWord(value[...]) || isPhrase(value[...]) || isPlaceholder(value[...]) || isRemark(value[...]) {
            return true
        }
        if isDate(value) || isMediaType(value) { return true }
        if value.allSatisfy({ isLetter($0) || $0 == UInt8(ascii: ".") }), isExpression(value[...]) { return true }
        var seen = (UInt64(0), UInt64(0))
        for byte in value { if byte < 64 { seen.0 |= 1 << byte } else { seen.1 |= 1 << (byte & 63) } }
        if seen.0.nonzeroBitCount + seen.1.nonzeroBitCount < 4 { return true }
        guard isLoose else { return false }
        return !value.contains(where: isDigit) || !value.contains(where: isLetter)
            || value.contains { $0 <= 0x20 || "(){}[]<>,;".utf8.contains($0) }
    }

    /// Whether a value is a date, with or without a time, or an address such as `127.0.0.1`.
    private static func isDate(_ value: [UInt8]) -> Bool {
        guard value.allSatisfy({ isDigit($0) || "-:./TZ+ ".utf8.contains($0) }) else { return false }
        let numbers = value.split(omittingEmptySubsequences: false) { !isDigit($0) }
        guard numbers.count > 2 else { return false }
        return numbers[0].count == 4 && numbers[1].count == 2 && numbers[2].count == 2
            || numbers.count > 3 && numbers.prefix(4).allSatisfy { (1...3).contains($0.count) }
    }

    private static func isMediaType(_ value: [UInt8]) -> Bool {
        guard let slash = value.prefix(12).firstIndex(of: UInt8(ascii: "/")) else { return false }
        return mediaKinds.contains(String(decoding: value[..<slash], as: UTF8.self).lowercased())
    }
}
