import SDJSON

/// Parses a template: text, tags and blocks.
struct TemplateParser {
    let bytes: [UInt8]
    var index: Int
    var end: Int
    /// Whether the template is a JSON document in open form.
    let isJSON: Bool
    /// The end of the string that contains the last tag; computed once for all tags of a string.
    private var stringEnd = -1
    /// The position after the last tag.
    private let tagsEnd: Int
    /// The braces that open and close a tag.
    var open = Array("{{".utf8)
    var close = Array("}}".utf8)
    /// Text that was read but not yet added to a node.
    var text: [UInt8] = []
    /// Whether white space is dropped up to the next other text.
    var dropsSpace = false
    var depth = 0

    /// The maximum nesting depth of blocks and sub-expressions.
    static let deepest = 100
    static let tooDeep = "blocks and sub-expressions are nested deeper than \(deepest)"

    /// - Parameter range: the range to parse as a template; in a JSON document, only its end matters, after which no
    ///   tag starts.
    init(_ bytes: [UInt8], _ range: Range<Int>, isJSON: Bool = false) {
        self.bytes = bytes
        self.isJSON = isJSON
        index = isJSON ? 0 : range.lowerBound
        end = isJSON ? bytes.count : range.upperBound
        tagsEnd = range.upperBound
    }

    /// Parses the whole template.
    /// - Throws: `TemplateError` for the first tag that is invalid, or that ends or divides no block.
    mutating func template() throws(TemplateError) -> [TemplateNode] {
        let (nodes, stop) = try nodes()
        switch stop {
        case .end: return nodes
        case .close(let name, let offset):
            throw problem("`\(Self.brace)/\(name)}}` closes no block", at: offset)
        case .otherwise(_, let offset): throw problem("`else` stands in no block", at: offset)
        }
    }

    static let brace = "{{"

    func problem(_ message: String, at offset: Int) -> TemplateError {
        TemplateError(message, at: offset, in: bytes)
    }

    // MARK: - Nodes

    /// What ends a list of nodes.
    enum Stop {
        case end
        /// `{{/name}}`.
        case close(String, at: Int)
        /// `{{else}}` or `{{^}}`, or `{{else name …}}`, whose tag is not parsed yet.
        case otherwise(Tag?, at: Int)
    }

    /// The content of a tag.
    struct Tag {
        var content: Range<Int>
        let offset: Int
    }

    mutating func nodes() throws(TemplateError) -> ([TemplateNode], Stop) {
        var nodes: [TemplateNode] = []
        while index < end {
            guard index < tagsEnd, starts(with: open) else {
                takeTextByte()
                continue
            }
            if takeEscaped() { continue }
            if let stop = try readTag(into: &nodes) {
                flush(into: &nodes)
                return (nodes, stop)
            }
        }
        flush(into: &nodes)
        return (nodes, .end)
    }

    mutating func takeTextByte() {
        let byte = bytes[index]
        index += 1
        if dropsSpace, TagReader.isSpace(byte) { return }
        dropsSpace = false
        text.append(byte)
    }

    /// Takes an escaped tag as text.
    mutating func takeEscaped() -> Bool {
        guard text.last == UInt8(ascii: "\\") else { return false }
        text.removeLast()
        let stop = find(close, from: index + open.count).map { $0 + close.count } ?? end
        text += bytes[index..<stop]
        index = stop
        return true
    }

    mutating func flush(into nodes: inout [TemplateNode]) {
        if !text.isEmpty { nodes.append(.text(text)) }
        text = []
    }

    func starts(with token: [UInt8], at place: Int? = nil) -> Bool {
        let place = place ?? index
        return place + token.count <= end && bytes[place..<(place + token.count)].elementsEqual(token)
    }

    func find(_ token: [UInt8], from start: Int) -> Int? {
        var place = start
        while place + token.count <= end {
            if starts(with: token, at: place) { return place }
            place += 1
        }
        return nil
    }

    // MARK: - Tags

    /// Parses a tag.
    /// - Throws: `TemplateError` if the tag is unterminated or invalid.
    /// - Returns: what the tag ends; nil if nothing.
    mutating func readTag(into nodes: inout [TemplateNode]) throws(TemplateError) -> Stop? {
        let offset = index
        index += open.count
        let trimsBefore = consume(UInt8(ascii: "~"))
        if trimsBefore { trimTextEnd() }
        guard index < end else { throw problem("the tag does not end: expected `}}`", at: offset) }
        switch bytes[index] {
        case UInt8(ascii: "!"):
            try skipComment(offset)
            return nil
        case UInt8(ascii: "{") where open.count == 2 && starts(with: Array("{{".utf8)):
            try readRaw(offset, into: &nodes)
            return nil
        case UInt8(ascii: "{"):
            index += 1
            try output(try tripleContent(offset), into: &nodes)
            return nil
        case UInt8(ascii: "="):
            try readDelimiters(offset)
            return nil
        case UInt8(ascii: "&"):
            index += 1
            try output(try content(offset, closing: close), into: &nodes)
            return nil
        case UInt8(ascii: "#"):
            index += 1
            let tag = try content(offset, closing: close)
            flush(into: &nodes)
            nodes.append(try block(tag))
            return nil
        case UInt8(ascii: "^"):
            index += 1
            let tag = try content(offset, closing: close)
            if isBlank(tag) { return .otherwise(nil, at: offset) }
            flush(into: &nodes)
            nodes.append(try inverted(tag))
            return nil
        case UInt8(ascii: "/"):
            index += 1
            let tag = try content(offset, closing: close)
            return .close(trimmedText(tag), at: offset)
        case UInt8(ascii: ">"):
            index += 1
            let tag = try content(offset, closing: close)
            flush(into: &nodes)
            nodes.append(.partial(try partial(tag, fallback: nil)))
            return nil
        default:
            var tag = try content(offset, closing: close)
            if takeElse(&tag) {
                return .otherwise(isBlank(tag) ? nil : tag, at: offset)
            }
            try output(tag, into: &nodes)
            return nil
        }
    }

    /// Adds the output of a tag.
    /// - Throws: `TemplateError` if the tag is invalid.
    private mutating func output(_ tag: Tag, into nodes: inout [TemplateNode]) throws(TemplateError) {
        let expression = try expression(tag)
        // A member name is always a text.
        let isWhole =
            isJSON && text.last == OpenJSON.quote && starts(with: [OpenJSON.quote])
            && !starts(with: [OpenJSON.quote, UInt8(ascii: ":")])
        if isWhole {
            text.removeLast()
            index += 1
        }
        flush(into: &nodes)
        nodes.append(isWhole ? .json(expression) : .output(expression))
    }

    mutating func consume(_ byte: UInt8) -> Bool {
        guard index < end, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    mutating func trimTextEnd() {
        while let last = text.last, TagReader.isSpace(last) { text.removeLast() }
    }

    /// The content of `{{{…}}}`, or `{{~{…}~}}`.
    /// - Throws: `TemplateError` if the tag does not end.
    mutating func tripleContent(_ offset: Int) throws(TemplateError) -> Tag {
        let start = self
        do throws(TemplateError) {
            let tag = try content(offset, closing: Array("}}}".utf8))
            dropsSpace = false
            return tag
        } catch {
            self = start
            guard let tag = try? content(offset, closing: Array("}~}}".utf8)) else { throw error }
            dropsSpace = true
            return tag
        }
    }

    /// The content of a tag up to its closing braces, which may appear inside quotes. Moves past the tag.
    /// - Throws: `TemplateError` if the tag is unterminated.
    mutating func content(_ offset: Int, closing: [UInt8]) throws(TemplateError) -> Tag {
        let start = index
        // The first closing braces after the previous quote, whether inside quotes or not.
        var tagEnd: Int?
        let whole = end
        // A tag cannot extend beyond its string.
        if isJSON {
            if stringEnd < index { stringEnd = bytes[index..<end].firstIndex(of: OpenJSON.quote) ?? end }
            end = stringEnd
        }
        defer { end = whole }
        while index < end {
            let byte = bytes[index]
            if starts(with: closing) {
                var stop = index
                index += closing.count
                dropsSpace = stop > start && bytes[stop - 1] == UInt8(ascii: "~")
                if dropsSpace { stop -= 1 }
                return Tag(content: start..<stop, offset: offset)
            }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                let open = index
                index = TagReader.closingQuote(of: bytes, at: index, end: end) ?? end
                // A backslash before the last quote of the tag is part of the text.
                if tagEnd ?? start <= open { tagEnd = find(closing, from: open) ?? end }
                if let tagEnd, tagEnd < end, index >= tagEnd,
                    let inside = TagReader.closingQuote(of: bytes, at: open, end: tagEnd)
                {
                    index = inside
                }
            } else if byte == UInt8(ascii: "[") {
                while index < end, bytes[index] != UInt8(ascii: "]") { index += 1 }
            }
            index += 1
        }
        throw problem("the tag does not end: expected `\(String(decoding: closing, as: UTF8.self))`", at: offset)
    }

    func reader(_ tag: Tag) -> TagReader {
        TagReader(bytes: bytes, index: tag.content.lowerBound, end: tag.content.upperBound, depth: depth)
    }

    func isBlank(_ tag: Tag) -> Bool { bytes[tag.content].allSatisfy(TagReader.isSpace) }

    func trimmedText(_ tag: Tag) -> String {
        let content = bytes[tag.content].drop(while: TagReader.isSpace)
        return String(
            decoding: content.prefix(content.count - content.reversed().prefix(while: TagReader.isSpace).count),
            as: UTF8.self)
    }

    /// Removes `else` from the start of a tag.
    func takeElse(_ tag: inout Tag) -> Bool {
        var reader = reader(tag)
        reader.skipSpace()
        let word = Array("else".utf8)
        guard reader.index + word.count <= reader.end,
            bytes[reader.index..<(reader.index + word.count)].elementsEqual(word)
        else { return false }
        reader.index += word.count
        guard reader.isAtEnd || TagReader.isSpace(bytes[reader.index]) else { return false }
        reader.skipSpace()
        tag.content = reader.index..<tag.content.upperBound
        return true
    }

    func expression(_ tag: Tag) throws(TemplateError) -> TemplateExpression {
        var reader = reader(tag)
        let expression = try reader.expression()
        try expectEnd(&reader)
        return expression
    }

    func expectEnd(_ reader: inout TagReader) throws(TemplateError) {
        reader.skipSpace()
        guard reader.isAtEnd else {
            let rest = String(decoding: bytes[reader.index..<reader.end].prefix(20), as: UTF8.self)
            throw reader.problem("expected the end of the tag, found `\(rest)`")
        }
    }
}
