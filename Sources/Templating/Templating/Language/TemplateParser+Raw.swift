/// Parses the special tags: comments, raw blocks and delimiter changes.
extension TemplateParser {
    mutating func skipComment(_ offset: Int) throws(TemplateError) {
        let dashes = Array("--".utf8)
        if starts(with: dashes, at: index + 1) {
            var start = index
            // The nearest end wins, `--}}` or `--~}}`; one search for both, because separate searches would scan the
            // whole rest.
            while let place = find(dashes, from: start) {
                index = place + dashes.count
                dropsSpace = consume(UInt8(ascii: "~"))
                if consume(UInt8(ascii: "}")), consume(UInt8(ascii: "}")) { return }
                start = place + 1
            }
            throw problem("the comment does not end: expected `--}}`", at: offset)
        }
        guard let stop = find(close, from: index) else {
            throw problem("the comment does not end: expected `}}`", at: offset)
        }
        dropsSpace = stop > index && bytes[stop - 1] == UInt8(ascii: "~")
        index = stop + close.count
    }

    /// Parses `{{{{name}}}}…{{{{/name}}}}`, whose body is text.
    /// - Throws: `TemplateError` if the block is unterminated, or its name is invalid.
    mutating func readRaw(_ offset: Int, into nodes: inout [TemplateNode]) throws(TemplateError) {
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

    /// Parses `{{=<% %>=}}`.
    /// - Throws: `TemplateError` if the tag is unterminated, or does not contain two delimiters.
    mutating func readDelimiters(_ offset: Int) throws(TemplateError) {
        index += 1
        guard let stop = find([UInt8(ascii: "=")] + close, from: index) else {
            throw problem("expected `=}}` behind new delimiters", at: offset)
        }
        let parts = bytes[index..<stop].split(whereSeparator: TagReader.isSpace)
        guard parts.count == 2 else { throw problem("expected two delimiters, found \(parts.count)", at: offset) }
        index = stop + 1 + close.count
        (open, close) = (Array(parts[0]), Array(parts[1]))
    }
}
