/// Parses XML and HTML, valid or not, for elements with names of secrets: their whole content is secret. So is that of
/// `<entry key="password">` and `<p name="password" value="…">`.
struct MarkupSecrets {
    private static let nameAttributes: Set<String> = ["name", "key", "field", "param"]
    /// HTML elements without an end tag.
    private static let voids: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]

    private let text: [UInt8]
    private let isSecret: (ArraySlice<UInt8>) -> Bool
    private(set) var places: [SecretLocation] = []
    /// Texts and attribute values that are not secrets, but may contain some.
    private(set) var texts: [Range<Int>] = []
    /// The tags that are not entirely secret.
    private(set) var tags: [Range<Int>] = []
    /// The contents of scripts and style sheets.
    private(set) var codes: [Range<Int>] = []
    /// The last end tag of each element; nil until it is needed.
    private var ends: [ArraySlice<UInt8>: Int]?

    /// A tag.
    private struct Tag {
        var name: Range<Int>
        var end: Int
        var isClosing = false
        var isEmpty = false
        var isNamedSecret = false
        var values: [(name: Range<Int>, value: Range<Int>)] = []
    }

    /// - Parameter isMarkup: whether the text is known to be markup. In other texts, such as `Usage: login <password>`,
    ///   only an element with an end tag counts.
    init(_ text: [UInt8], isMarkup: Bool, isSecret: @escaping (ArraySlice<UInt8>) -> Bool) {
        self.text = text
        self.isSecret = isSecret
        var index = 0
        /// The number of open elements in a secret one; 0 outside.
        var depth = 0
        var lastOpening: ArraySlice<UInt8> = []
        while let start = text[index...].firstIndex(of: UInt8(ascii: "<")) {
            take(index..<start, isHidden: depth > 0)
            if has("<![CDATA[", at: start) {
                let end = offset(of: "]]>", from: start + 9)
                take((start + 9)..<end, isHidden: depth > 0)
                index = min(end + 3, text.count)
                continue
            }
            if has("<!--", at: start) {
                index = min(offset(of: "-->", from: start + 4) + 3, text.count)
                texts.append((start + 4)..<index)
                continue
            }
            guard let tag = tag(start) else {
                // A `<` that starts no tag.
                if depth > 0 { add(start..<(start + 1)) }
                index = start + 1
                continue
            }
            index = tag.end
            if tag.isClosing {
                // The rest of an end tag, which may not be one at all: `</path?token=…>`.
                tags.append(start..<tag.end)
                if depth > 0 {
                    depth -= 1
                } else if isMarkup, lastOpening != text[tag.name], isSecret(text[local(tag.name)]),
                    let last = texts.last,
                    last.upperBound == start
                {
                    // The start tag is malformed.
                    let value = text[last].lastIndex(of: UInt8(ascii: ">")).map { ($0 + 1)..<start } ?? last
                    add(value)
                }
                continue
            }
            lastOpening = text[tag.name]
            let isHidden = depth > 0 || tag.isNamedSecret || isSecret(text[local(tag.name)])
            if depth == 0 {
                // The attributes of a secret element are judged by their own names, as in any other.
                tags.append(start..<tag.end)
                texts += tag.values.map(\.value)
            }
            guard isHidden, depth > 0 || tag.isEmpty || isMarkup || hasEnd(tag) else {
                if isMarkup, !tag.isEmpty, let end = endOfCode(tag) {
                    codes.append(index..<end)
                    index = end
                }
                continue
            }
            for (name, value) in tag.values where depth > 0 || isValue(name) { add(value) }
            if !tag.isEmpty { depth += 1 }
        }
        take(index..<text.count, isHidden: depth > 0)
    }

    private mutating func take(_ range: Range<Int>, isHidden: Bool) {
        if isHidden { add(range) } else if !range.isEmpty { texts.append(range) }
    }

    /// The end of the code in a script or style sheet, in which no tag starts; nil for another element.
    private func endOfCode(_ tag: Tag) -> Int? {
        let name = String(decoding: text[tag.name], as: UTF8.self).lowercased()
        guard name == "script" || name == "style" else { return nil }
        var index = tag.end
        while index < text.count {
            if has("</", at: index), text[(index + 2)...].prefix(name.utf8.count).map({ $0 | 0x20 }) == Array(name.utf8)
            {
                break
            }
            index += 1
        }
        return index
    }

    private mutating func hasEnd(_ tag: Tag) -> Bool {
        if ends == nil {
            var found: [ArraySlice<UInt8>: Int] = [:]
            var index = 0
            while index + 1 < text.count {
                if text[index] == UInt8(ascii: "<"), text[index + 1] == UInt8(ascii: "/") {
                    let name = text[(index + 2)...].prefix(128).prefix(while: isNameByte)
                    found[name] = index
                    index = name.endIndex
                } else {
                    index += 1
                }
            }
            ends = found
        }
        return ends?[text[tag.name]].map { $0 >= tag.end } ?? false
    }

    /// Adds a text without surrounding white space.
    private mutating func add(_ range: Range<Int>) {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, text[start] <= 0x20 { start += 1 }
        while end > start, text[end - 1] <= 0x20 { end -= 1 }
        if start < end { places.append(SecretLocation(start..<end)) }
    }

    private func has(_ word: StaticString, at index: Int) -> Bool {
        let count = word.utf8CodeUnitCount
        return index + count <= text.count
            && text[index..<(index + count)].elementsEqual(String(describing: word).utf8)
    }

    private func offset(of word: StaticString, from start: Int) -> Int {
        var index = min(start, text.count)
        while index < text.count, !has(word, at: index) { index += 1 }
        return index
    }

    /// A name without its namespace.
    private func local(_ name: Range<Int>) -> Range<Int> {
        guard let colon = text[name].lastIndex(of: UInt8(ascii: ":")) else { return name }
        return (colon + 1)..<name.upperBound
    }

    private func isValue(_ name: Range<Int>) -> Bool {
        ["value", "val", "content"].contains(String(decoding: text[name], as: UTF8.self).lowercased())
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        byte > 0x20 && !"<>/=\"'".utf8.contains(byte)
    }

    /// The tag that starts here; nil for anything else. An unterminated tag extends to the next.
    private func tag(_ start: Int) -> Tag? {
        var index = start + 1
        let isClosing = index < text.count && text[index] == UInt8(ascii: "/")
        if isClosing { index += 1 }
        guard index < text.count else { return nil }
        let first = text[index]
        let isLetter = (0x61...0x7A).contains(first | 0x20) || first == UInt8(ascii: "_") || first >= 0x80
        guard isLetter || first == UInt8(ascii: "?") || first == UInt8(ascii: "!") else { return nil }
        let nameStart = index
        while index < text.count, isNameByte(text[index]) { index += 1 }
        var tag = Tag(name: nameStart..<index, end: index)
        tag.isClosing = isClosing
        tag.isEmpty = !isLetter || Self.voids.contains(String(decoding: text[tag.name], as: UTF8.self).lowercased())
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: ">") {
                if text[index - 1] == UInt8(ascii: "/") { tag.isEmpty = true }
                index += 1
                break
            }
            if byte == UInt8(ascii: "<") { break }
            guard isNameByte(byte) else {
                index += 1
                continue
            }
            let name = index
            while index < text.count, isNameByte(text[index]) { index += 1 }
            let nameEnd = index
            while index < text.count, text[index] <= 0x20 { index += 1 }
            guard index < text.count, text[index] == UInt8(ascii: "=") else { continue }
            index += 1
            while index < text.count, text[index] <= 0x20 { index += 1 }
            guard index < text.count else { break }
            let value: Range<Int>
            if text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "'") {
                let quote = text[index]
                let end = text[(index + 1)...].firstIndex { $0 == quote || $0 == UInt8(ascii: "<") } ?? text.count
                let isClosed = end < text.count && text[end] == quote
                let tagEnd = isClosed ? nil : text[(index + 1)..<end].firstIndex(of: UInt8(ascii: ">"))
                value = (index + 1)..<(tagEnd ?? end)
                index = isClosed ? end + 1 : tagEnd ?? end
            } else {
                let end = text[index...].firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: ">") } ?? text.count
                value = index..<end
                index = end
            }
            tag.values.append((name..<nameEnd, value))
            let isName = Self.nameAttributes.contains(
                String(decoding: text[local(name..<nameEnd)], as: UTF8.self).lowercased())
            if isName, isSecret(text[value]) { tag.isNamedSecret = true }
        }
        tag.end = index
        return tag
    }
}
