import SDCReactor

/// States a length that differs from the body's.
struct LengthTransform: ScriptTransform {
    let difference: Int
    let applied: BodyShape.Applied?

    func apply(to script: WireScript) -> WireScript {
        var edit = ScriptEdit(script)
        guard edit.isLast, let head = edit.head, !edit.isSwitch else { return script }
        let count = Int(clamping: edit.bodyCount)
        let (sum, isTooMuch) = count.addingReportingOverflow(difference)
        let stated = isTooMuch ? .max : max(sum, 0)
        var text = HeadText(edit.steps[head])
        text.remove(["content-length", "transfer-encoding"])
        text.append("Content-Length", String(stated))
        edit.steps[head] = edit.step(CR_STEP_HEAD, WireBytes(text.bytes))
        edit.replaceEach { edit, step in
            if step.isBody {
                var plain = edit.plain(step)
                plain.torn = false
                return [plain]
            }
            guard step.is(CR_STEP_END) else { return [step] }
            // Trailers are only possible after chunks.
            var end = step
            (end.bytes, end.length, end.lead, end.trail) = (nil, 0, 0, 0)
            if stated > count { end.ending = cr_step(.close).ending }
            return [end]
        }
        applied?(nil)
        return edit.script
    }
}

/// Omits the announced trailers.
struct TrailerTransform: ScriptTransform {
    let applied: BodyShape.Applied?

    func apply(to script: WireScript) -> WireScript {
        var edit = ScriptEdit(script)
        guard var end = edit.steps.last, end.is(CR_STEP_END), cr_payload(&end).length > 0 else { return script }
        (end.bytes, end.length, end.lead, end.trail) = (nil, 0, 0, 0)
        edit.steps[edit.steps.count - 1] = end
        applied?(nil)
        return edit.script
    }
}

/// Sends a header field twice.
struct RepeatedFieldTransform: ScriptTransform {
    let name: String
    let value: String?
    let applied: BodyShape.Applied?

    func apply(to script: WireScript) -> WireScript {
        var edit = ScriptEdit(script)
        guard let head = edit.head else { return script }
        var text = HeadText(edit.steps[head])
        guard text.repeatField(name, value) else { return script }
        let isChunked = edit.steps[head].chunked
        edit.steps[head] = edit.step(CR_STEP_HEAD, WireBytes(text.bytes))
        edit.steps[head].chunked = isChunked
        applied?(nil)
        return edit.script
    }
}

/// Sends bytes before the answer.
struct PrefixTransform: ScriptTransform {
    private let bytes: WireBytes
    private let applied: BodyShape.Applied?
    private var isDone = false

    init(bytes: WireBytes, applied: BodyShape.Applied?) {
        self.bytes = bytes
        self.applied = applied
    }

    mutating func apply(to script: WireScript) -> WireScript {
        guard !isDone else { return script }
        isDone = true
        var edit = ScriptEdit(script)
        let raw = edit.step(CR_STEP_RAW, bytes)
        edit.steps.insert(raw, at: 0)
        applied?(nil)
        return edit.script
    }
}

/// The lines of a head.
private struct HeadText {
    private var lines: [ArraySlice<UInt8>]

    init(_ head: cr_step) {
        let text = Array(UnsafeBufferPointer(start: head.bytes, count: Int(head.length)))
        lines = []
        var begin = text.startIndex
        for index in text.indices where text[index] == UInt8(ascii: "\n") {
            let line = text[begin..<index]
            begin = index + 1
            let trimmed = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if !trimmed.isEmpty { lines.append(trimmed) }
        }
    }

    /// The text with the final empty line.
    var bytes: [UInt8] { lines.flatMap { $0 + [0x0d, 0x0a] } + [0x0d, 0x0a] }

    /// Removes fields by name, in lower case.
    mutating func remove(_ names: [String]) {
        let status = lines.prefix(1)
        lines = status + lines.dropFirst().filter { !names.contains(Self.name(of: $0)) }
    }

    mutating func append(_ name: String, _ value: String) {
        var line: [UInt8] = []
        line.append(name, value)
        lines.append(line.dropLast(2))
    }

    /// Adds a field after the first one of its name, or at the end.
    /// - Returns: false if there is neither a value nor a first one.
    mutating func repeatField(_ name: String, _ value: String?) -> Bool {
        let first = lines.indices.dropFirst().first { Self.name(of: lines[$0]) == name.lowercased() }
        guard value != nil || first != nil else { return false }
        if let value { append(name, value) } else if let first { lines.append(lines[first]) }
        if let first, let added = lines.popLast() { lines.insert(added, at: first + 1) }
        return true
    }

    private static func name(of line: ArraySlice<UInt8>) -> String {
        String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
    }
}
