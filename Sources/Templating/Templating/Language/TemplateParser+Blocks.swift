/// Parses blocks, from opening tag to end, and partials.
extension TemplateParser {
    mutating func block(_ tag: Tag) throws(TemplateError) -> TemplateNode {
        var reader = reader(tag)
        reader.skipSpace()
        if reader.consume(UInt8(ascii: "*")) { return try decorator(reader, tag) }
        if reader.consume(UInt8(ascii: ">")) {
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

    mutating func inverted(_ tag: Tag) throws(TemplateError) -> TemplateNode {
        var reader = reader(tag)
        let expression = try reader.expression(isCall: false)
        let parameters = try reader.blockParameters()
        try expectEnd(&reader)
        let (body, inverse) = try body(of: Self.name(of: expression.subject), tag.offset)
        // Its condition is a value, even if a helper has that name.
        var path = expression.subject
        if case .path(let value) = path, value.start == .name {
            path = .path(
                TemplatePath(start: value.start, segments: value.segments, text: value.text, isValue: true))
        }
        return .block(
            TemplateBlock(
                expression: TemplateExpression(subject: path, offset: expression.offset), blockParameters: parameters,
                body: inverse, inverse: body))
    }

    mutating func decorator(_ start: TagReader, _ tag: Tag) throws(TemplateError) -> TemplateNode {
        var reader = start
        let expression = try reader.expression(isCall: false)
        try expectEnd(&reader)
        guard case .path(let path) = expression.subject, path.text == "inline",
            let name = expression.parameters.first
        else { throw problem("expected `*inline \"name\"`", at: tag.offset) }
        return .inline(name: name, body: try body(of: "inline", tag.offset).body)
    }

    static func name(of operand: TemplateOperand) -> String {
        switch operand {
        case .path(let path): path.text
        case .literal(let value): value.text
        case .call: ""
        }
    }

    /// Parses the body of a block up to its end, and its `else` branch.
    /// - Throws: `TemplateError` if the block is unterminated, nested too deeply, or contains an invalid tag.
    mutating func body(
        of name: String, _ offset: Int
    ) throws(TemplateError) -> (body: [TemplateNode], inverse: [TemplateNode]) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw problem(Self.tooDeep, at: offset) }
        let (body, stop) = try nodes()
        switch stop {
        case .end: throw problem("the block does not end: expected `{{/\(name)}}`", at: offset)
        case .close(let closed, let place):
            try expect(closed, closes: name, at: place)
            return (body, [])
        case .otherwise(nil, _):
            // Of several `{{else}}`, the last one wins.
            let rest = try self.body(of: name, offset)
            return (body, rest.inverse.isEmpty ? rest.body : rest.inverse)
        case .otherwise(let tag?, _):
            // `{{else if x}}` is a block in the other branch, without its own end.
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

    func expect(_ closed: String, closes name: String, at offset: Int) throws(TemplateError) {
        guard closed == name else {
            throw problem("expected `{{/\(name)}}`, found `{{/\(closed)}}`", at: offset)
        }
    }

    func partial(_ tag: Tag, fallback: [TemplateNode]?) throws(TemplateError) -> TemplatePartial {
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
