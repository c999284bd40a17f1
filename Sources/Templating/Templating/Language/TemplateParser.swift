/// Reads a template: texts, tags, and blocks of them.
struct TemplateParser {
    private let bytes: [UInt8]
    private var index: Int
    private let end: Int
    /// The braces that open and close a tag.
    private var open = Array("{{".utf8)
    private var close = Array("}}".utf8)
    /// The text that has been read and belongs to no node yet.
    private var text: [UInt8] = []
    /// Whether white space is dropped up to the next text that is none.
    private var dropsSpace = false
    private var depth = 0

    /// How deep blocks may be nested.
    private static let deepest = 100

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        index = range.lowerBound
        end = range.upperBound
    }

    /// Reads all of it.
    mutating func template() throws(TemplateError) -> [TemplateNode] {
        let (nodes, stop) = try nodes()
        switch stop {
        case .end: return nodes
        case .close(let name, let offset):
            throw problem("`\(Self.brace)/\(name)}}` closes no block", at: offset)
        case .otherwise(_, let offset): throw problem("`else` stands in no block", at: offset)
        }
    }

    private static let brace = "{{"

    private func problem(_ message: String, at offset: Int) -> TemplateError {
        TemplateError(message, at: offset, in: bytes)
    }

    // MARK: - Nodes

    /// What ended a list of nodes.
    private enum Stop {
        case end
        /// `{{/name}}`.
        case close(String, at: Int)
        /// `{{else}}` or `{{^}}`, or `{{else name …}}`, whose tag is still to be read.
        case otherwise(Tag?, at: Int)
    }

    /// A tag's content.
    private struct Tag {
        var content: Range<Int>
        let offset: Int
    }

    private mutating func nodes() throws(TemplateError) -> ([TemplateNode], Stop) {
        var nodes: [TemplateNode] = []
        while index < end {
            guard starts(with: open) else {
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

    private mutating func takeTextByte() {
        let byte = bytes[index]
        index += 1
        if dropsSpace, TagReader.isSpace(byte) { return }
        dropsSpace = false
        text.append(byte)
    }

    /// Takes a tag behind a backslash as text.
    private mutating func takeEscaped() -> Bool {
        guard text.last == UInt8(ascii: "\\") else { return false }
        text.removeLast()
        let stop = find(close, from: index + open.count).map { $0 + close.count } ?? end
        text += bytes[index..<stop]
        index = stop
        return true
    }

    private mutating func flush(into nodes: inout [TemplateNode]) {
        if !text.isEmpty { nodes.append(.text(text)) }
        text = []
    }

    private func starts(with token: [UInt8], at place: Int? = nil) -> Bool {
        let place = place ?? index
        return place + token.count <= end && bytes[place..<(place + token.count)].elementsEqual(token)
    }

    private func find(_ token: [UInt8], from start: Int) -> Int? {
        var place = start
        while place + token.count <= end {
            if starts(with: token, at: place) { return place }
            place += 1
        }
        return nil
    }

    // MARK: - Tags

    /// Reads a tag. Returns what it ends, if it ends something.
    private mutating func readTag(into nodes: inout [TemplateNode]) throws(TemplateError) -> Stop? {
        let offset = index
        index += open.count
        let trimsBefore = take(UInt8(ascii: "~"))
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
            let tag = try tripleContent(offset)
            flush(into: &nodes)
            nodes.append(.output(try expression(tag)))
            return nil
        case UInt8(ascii: "="):
            try readDelimiters(offset)
            return nil
        case UInt8(ascii: "&"):
            index += 1
            let tag = try content(offset, closing: close)
            flush(into: &nodes)
            nodes.append(.output(try expression(tag)))
            return nil
        case UInt8(ascii: "#"):
            index += 1
            let tag = try content(offset, closing: close)
            let trimsAfter = dropsSpace
            flush(into: &nodes)
            dropsSpace = trimsAfter
            nodes.append(try block(tag))
            return nil
        case UInt8(ascii: "^"):
            index += 1
            let tag = try content(offset, closing: close)
            if isBlank(tag) { return .otherwise(nil, at: offset) }
            let trimsAfter = dropsSpace
            flush(into: &nodes)
            dropsSpace = trimsAfter
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
            flush(into: &nodes)
            nodes.append(.output(try expression(tag)))
            return nil
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < end, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func trimTextEnd() {
        while let last = text.last, TagReader.isSpace(last) { text.removeLast() }
    }

    /// The content of `{{{…}}}`, or `{{~{…}~}}`.
    private mutating func tripleContent(_ offset: Int) throws(TemplateError) -> Tag {
        let start = self
        do throws(TemplateError) {
            let tag = try content(offset, closing: Array("}}}".utf8))
            dropsSpace = false
            return tag
        } catch {
            self = start
            let tag = try content(offset, closing: Array("}~}}".utf8))
            dropsSpace = true
            return tag
        }
    }

    /// The content of a tag up to its closing braces; quoted texts may contain these. Goes on behind the tag.
    private mutating func content(_ offset: Int, closing: [UInt8]) throws(TemplateError) -> Tag {
        let start = index
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
                // A backslash before the last quote of the tag is one of the text.
                if let tagEnd = find(closing, from: open), index >= tagEnd,
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

    private func reader(_ tag: Tag) -> TagReader {
        TagReader(bytes: bytes, index: tag.content.lowerBound, end: tag.content.upperBound)
    }

    private func isBlank(_ tag: Tag) -> Bool { bytes[tag.content].allSatisfy(TagReader.isSpace) }

    private func trimmedText(_ tag: Tag) -> String {
        let content = bytes[tag.content].drop(while: TagReader.isSpace)
        return String(
            decoding: content.prefix(content.count - content.reversed().prefix(while: TagReader.isSpace).count),
            as: UTF8.self)
    }

    /// Takes `else` from the beginning of a tag.
    private func takeElse(_ tag: inout Tag) -> Bool {
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

    private func expression(_ tag: Tag) throws(TemplateError) -> TemplateExpression {
        var reader = reader(tag)
        let expression = try reader.expression()
        try expectEnd(&reader)
        return expression
    }

    private func expectEnd(_ reader: inout TagReader) throws(TemplateError) {
        reader.skipSpace()
        guard reader.isAtEnd else {
            let rest = String(decoding: bytes[reader.index..<reader.end].prefix(20), as: UTF8.self)
            throw reader.problem("expected the end of the tag, found `\(rest)`")
        }
    }

    // MARK: - Comments, raw blocks and delimiters

    private mutating func skipComment(_ offset: Int) throws(TemplateError) {
        let dashes = Array("!--".utf8)
        if starts(with: dashes) {
            for closing in ["--}}", "--~}}"] {
                guard let stop = find(Array(closing.utf8), from: index) else { continue }
                // The nearer end counts.
                if closing == "--}}", let other = find(Array("--~}}".utf8), from: index), other < stop { continue }
                index = stop + closing.utf8.count
                dropsSpace = closing.contains("~")
                return
            }
            throw problem("the comment does not end: expected `--}}`", at: offset)
        }
        guard let stop = find(close, from: index) else {
            throw problem("the comment does not end: expected `}}`", at: offset)
        }
        dropsSpace = stop > index && bytes[stop - 1] == UInt8(ascii: "~")
        index = stop + close.count
    }

    /// `{{{{name}}}}…{{{{/name}}}}`, whose body is text.
    private mutating func readRaw(_ offset: Int, into nodes: inout [TemplateNode]) throws(TemplateError) {
        index += 2
        let tag = try content(offset, closing: Array("}}}}".utf8))
        let expression = try expression(tag)
        let name = if case .path(let path) = expression.subject { path.text } else { "" }
        let closing = Array("{{{{/\(name)}}}}".utf8)
        let opening = Array("{{{{".utf8)
        var stop = index
        var open = 1
        while true {
            guard let next = find(opening, from: stop) else {
                throw problem("the raw block does not end: expected `{{{{/\(name)}}}}`", at: offset)
            }
            let isEnd = next + opening.count < end && bytes[next + opening.count] == UInt8(ascii: "/")
            open += isEnd ? -1 : 1
            stop = next
            if open == 0, starts(with: closing, at: next) { break }
            stop = next + opening.count
        }
        flush(into: &nodes)
        let body: [TemplateNode] = stop > index ? [.text(Array(bytes[index..<stop]))] : []
        nodes.append(
            .block(TemplateBlock(expression: expression, blockParameters: [], body: body, inverse: [])))
        index = stop + closing.count
    }

    /// `{{=<% %>=}}`.
    private mutating func readDelimiters(_ offset: Int) throws(TemplateError) {
        index += 1
        guard let stop = find([UInt8(ascii: "=")] + close, from: index) else {
            throw problem("expected `=}}` behind new delimiters", at: offset)
        }
        let parts = bytes[index..<stop].split(whereSeparator: TagReader.isSpace)
        guard parts.count == 2 else { throw problem("expected two delimiters, found \(parts.count)", at: offset) }
        index = stop + 1 + close.count
        (open, close) = (Array(parts[0]), Array(parts[1]))
    }

    // MARK: - Blocks

    private mutating func block(_ tag: Tag) throws(TemplateError) -> TemplateNode {
        var reader = reader(tag)
        reader.skipSpace()
        if reader.take(UInt8(ascii: "*")) { return try decorator(reader, tag) }
        if reader.take(UInt8(ascii: ">")) {
            let tag = Tag(content: reader.index..<reader.end, offset: tag.offset)
            let name = try partial(tag, fallback: []).name
            var partial = try partial(tag, fallback: nil)
            let body = try body(of: Self.name(of: name), tag.offset)
            partial = TemplatePartial(
                name: partial.name, context: partial.context, hash: partial.hash, fallback: body.body,
                offset: partial.offset)
            return .partial(partial)
        }
        let expression = try reader.expression()
        let parameters = try reader.blockParameters()
        try expectEnd(&reader)
        let (body, inverse) = try body(of: Self.name(of: expression.subject), tag.offset)
        return .block(
            TemplateBlock(expression: expression, blockParameters: parameters, body: body, inverse: inverse))
    }

    private mutating func inverted(_ tag: Tag) throws(TemplateError) -> TemplateNode {
        var reader = reader(tag)
        let expression = try reader.expression()
        let parameters = try reader.blockParameters()
        try expectEnd(&reader)
        let (body, inverse) = try body(of: Self.name(of: expression.subject), tag.offset)
        // Its condition is a value, even where a helper has that name.
        var path = expression.subject
        if case .path(var value) = path, value.start == .name {
            value.isValue = true
            path = .path(value)
        }
        return .block(
            TemplateBlock(
                expression: TemplateExpression(subject: path, offset: expression.offset), blockParameters: parameters,
                body: inverse, inverse: body))
    }

    private mutating func decorator(_ start: TagReader, _ tag: Tag) throws(TemplateError) -> TemplateNode {
        var reader = start
        let expression = try reader.expression()
        try expectEnd(&reader)
        guard case .path(let path) = expression.subject, path.text == "inline",
            let name = expression.parameters.first
        else { throw problem("expected `*inline \"name\"`", at: tag.offset) }
        return .inline(name: name, body: try body(of: "inline", tag.offset).body)
    }

    private static func name(of operand: TemplateOperand) -> String {
        switch operand {
        case .path(let path): path.text
        case .literal(let value): value.text
        case .call: ""
        }
    }

    /// The body of a block up to its end, and what stands behind its `else`.
    private mutating func body(
        of name: String, _ offset: Int
    ) throws(TemplateError) -> (body: [TemplateNode], inverse: [TemplateNode]) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else {
            throw problem("blocks are nested deeper than \(Self.deepest)", at: offset)
        }
        let (body, stop) = try nodes()
        switch stop {
        case .end: throw problem("the block does not end: expected `{{/\(name)}}`", at: offset)
        case .close(let closed, let place):
            try expect(closed, closes: name, at: place)
            return (body, [])
        case .otherwise(nil, _):
            // Of several `{{else}}`, the last one counts.
            let rest = try self.body(of: name, offset)
            return (body, rest.inverse.isEmpty ? rest.body : rest.inverse)
        case .otherwise(let tag?, _):
            // `{{else if x}}` is a block of its own in the other branch, without an end of its own.
            var reader = reader(tag)
            let expression = try reader.expression()
            let parameters = try reader.blockParameters()
            try expectEnd(&reader)
            let rest = try self.body(of: name, offset)
            let chained = TemplateBlock(
                expression: expression, blockParameters: parameters, body: rest.body, inverse: rest.inverse)
            return (body, [.block(chained)])
        }
    }

    private func expect(_ closed: String, closes name: String, at offset: Int) throws(TemplateError) {
        guard closed == name else {
            throw problem("expected `{{/\(name)}}`, found `{{/\(closed)}}`", at: offset)
        }
    }

    private func partial(_ tag: Tag, fallback: [TemplateNode]?) throws(TemplateError) -> TemplatePartial {
        var reader = reader(tag)
        reader.skipSpace()
        let offset = reader.index
        let name = try reader.operand()
        var parameters: [TemplateOperand] = []
        var hash: [(name: String, value: TemplateOperand)] = []
        try reader.readParameters(&parameters, &hash)
        try expectEnd(&reader)
        return TemplatePartial(
            name: name, context: parameters.first, hash: hash, fallback: fallback, offset: offset)
    }
}
