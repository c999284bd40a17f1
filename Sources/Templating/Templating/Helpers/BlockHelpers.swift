/// Handlebars' built-in helpers.
enum BlockHelpers {
    static let table: [String: Helper] = [
        "if": condition(true), "unless": condition(false), "each": each, "with": with, "lookup": lookup, "log": log,
        "partial": partial, "block": block,
    ]

    private static func condition(_ wanted: Bool) -> Helper {
        { call throws(RenderError) in
            try call.renderBlock(if: call.subject.isTrue == wanted)
            return .null
        }
    }

    private static let each: Helper = { call throws(RenderError) in
        guard let block = call.block else { return .null }
        let base = if case .int(let base)? = call.option("base") { base } else { 0 }
        let subject = call.subject
        if case .json(let json) = subject {
            guard call.renderer.environment.tryReserve(json) else { throw .outOfTime }
        }
        if let members = subject.members {
            for (index, member) in members.enumerated() {
                let locals = Renderer.eachLocals(index, of: members.count, key: member.key)
                try call.renderer.render(
                    block, in: member.value, locals, parameters: [member.value, .text(member.key)])
            }
            if members.isEmpty { try call.renderer.renderHere(block.inverse) }
        } else if let elements = subject.elements, !elements.isEmpty {
            try call.renderer.render(block, forEach: elements, base: base)
        } else {
            try call.renderer.renderHere(block.inverse)
        }
        return .null
    }

    private static let with: Helper = { call throws(RenderError) in
        guard let block = call.block else { return .null }
        let subject = call.subject
        if subject.isTrue {
            try call.renderer.render(block, in: subject, parameters: [subject])
        } else {
            try call.renderer.renderHere(block.inverse)
        }
        return .null
    }

    /// A member of a value, or the value itself if the member does not exist. The name may be a path.
    private static let lookup: Helper = { call throws(RenderError) in
        guard let subject = call.parameters.first else { return call.renderer.current }
        guard call.parameters.count > 1 else { return subject }
        let key = call.parameter(1)
        guard !key.isNull else { throw RenderError("lookup: the key is null") }
        if subject.isNull { return .null }
        let bytes = Array(key.text.utf8)
        var reader = TagReader(bytes: bytes, index: 0, end: bytes.count)
        // A text that is not a path is a literal member name.
        var segments = [bytes.first == UInt8(ascii: "[") ? String(key.text.dropFirst().dropLast()) : key.text]
        if let path = try? reader.path(), reader.isAtEnd { segments = path.segments }
        var found = subject
        for segment in segments {
            guard call.renderer.environment.tryReserveMember(segment, of: found) else { throw .outOfTime }
            guard let next = found.member(segment) else { return subject }
            found = next
        }
        return found.isNull ? subject : found
    }

    /// `{{#partial "name"}}…{{/partial}}` stores its body for a `block` of that name.
    private static let partial: Helper = { call throws(RenderError) in
        guard let block = call.block else { return .null }
        call.renderer.define(block.body, as: call.parameter(0).text)
        return .null
    }

    /// `{{#block "name"}}…{{/block}}` prints the partial of that name, or else its own body.
    private static let block: Helper = { call throws(RenderError) in
        let name = call.parameter(0).text
        try call.renderer.renderHere(call.renderer.definition(name) ?? call.block?.body ?? [])
        return .null
    }

    /// Writes nothing: clients must not write to the log.
    private static let log: Helper = { _ throws(RenderError) in .null }
}
