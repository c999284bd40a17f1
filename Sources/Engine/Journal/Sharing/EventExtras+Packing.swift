package import SDMatching
import SDReports
import SDStubModel
package import SDWireValues

extension EventExtras {
    /// Writes the data that the event does not write itself.
    package func pack(to writer: inout PackedWriter) {
        writer.add(count: notes.count)
        for note in notes {
            writer.add(note.kind.rawValue)
            writer.add(note.message)
        }
        writer.add(optional: file)
        let faults = effects?.applied ?? []
        writer.add(count: faults.count)
        for fault in faults { fault.pack(to: &writer) }
        writer.add(byte: unmatched == nil ? 0 : 1)
        if let unmatched { unmatched.pack(to: &writer) }
        let subEvents = subEvents
        writer.add(count: subEvents.count)
        for added in subEvents { added.pack(to: &writer) }
        writer.add(byte: proxied == nil ? 0 : 1)
        if let proxied { proxied.pack(to: &writer) }
        writer.add(optional: rule?.text)
        writer.add(optional: rule?.place?.file)
        writer.add(count: rule?.place?.line ?? 0)
    }
}

/// The extras of an event of another replica.
package struct PackedExtras {
    package var notes: [MatchNote] = []
    package var file: String?
    private var faults: [AppliedFault] = []
    private var unmatched: UnmatchedNote?
    private var subEvents: [SubEvent] = []
    private var proxied: ProxiedNote?
    private var rule: Report.Rule?

    package init(_ reader: inout PackedReader) throws(PackedReader.Problem) {
        for _ in 0..<(try reader.count()) {
            guard let kind = MatchNote.Kind(rawValue: try reader.text()) else { throw .init("a note is unknown") }
            notes.append(MatchNote(kind: kind, message: try reader.text()))
        }
        file = try reader.optionalText()
        for _ in 0..<(try reader.count()) { faults.append(try AppliedFault(&reader)) }
        if try reader.flag() { unmatched = try UnmatchedNote(&reader) }
        for _ in 0..<(try reader.count()) { subEvents.append(try SubEvent(&reader)) }
        if try reader.flag() { proxied = try ProxiedNote(&reader) }
        let (text, file) = (try reader.optionalText(), try reader.optionalText())
        let line = try reader.count(upTo: 1 << 30)
        rule = text.map { Report.Rule($0, at: file.map { FileLocation(file: $0, line: line > 0 ? line : nil) }) }
    }

    /// Whether it was proxied because nothing answered.
    package var isPassedThrough: Bool { proxied?.isPassedThrough ?? false }

    /// Fills the extras of an event, or adds what is new since they were filled.
    /// - Returns: the bytes to charge for what is new.
    package func fill(_ extras: EventExtras) -> Int {
        var bytes = 0
        if let unmatched, extras.unmatched == nil {
            extras.unmatched = unmatched
            bytes += unmatched.byteCount
        }
        if let proxied {
            if extras.proxied == nil { bytes += proxied.byteCount }
            extras.proxied = proxied
        }
        if let rule { extras.rule = rule }
        if !faults.isEmpty { extras.effects = EventEffects(acted: faults) }
        for added in subEvents.dropFirst(extras.subEvents.count) {
            extras.append(added)
            bytes += added.byteCount
        }
        return bytes
    }
}

extension AppliedFault {
    fileprivate func pack(to writer: inout PackedWriter) {
        writer.add(name)
        writer.add(optional: label)
        writer.add(optional: then)
        writer.add(count: offsets.count)
        for offset in offsets { writer.add(count: offset) }
        writer.add(count: count)
    }

    fileprivate init(_ reader: inout PackedReader) throws(PackedReader.Problem) {
        self.init(try reader.text(), try reader.optionalText(), then: try reader.optionalText())
        var offsets: [Int] = []
        for _ in 0..<(try reader.count()) { offsets.append(try reader.count(upTo: 1 << 62)) }
        take(offsets, count: try reader.count(upTo: 1 << 62))
    }
}

extension UnmatchedNote {
    fileprivate func pack(to writer: inout PackedWriter) {
        writer.add(report)
        writer.add(optional: exported == report ? nil : exported)
        writer.add(offset)
    }

    fileprivate init(_ reader: inout PackedReader) throws(PackedReader.Problem) {
        self.init(try reader.text(), redacted: try reader.optionalText(), offset: try reader.number())
    }
}

extension ProxiedNote {
    fileprivate func pack(to writer: inout PackedWriter) {
        writer.add(url)
        writer.add(byte: (isBrowserProxy ? 1 : 0) | (isPassedThrough ? 2 : 0) | (latency == nil ? 0 : 4))
        if let latency { writer.add(latency) }
        writer.add(optional: problem)
    }

    fileprivate init(_ reader: inout PackedReader) throws(PackedReader.Problem) {
        let url = try reader.text()
        let flags = try reader.byte()
        guard flags < 8 else { throw .init("a call has unknown flags") }
        self.init(
            url: url, isBrowserProxy: flags & 1 != 0, isPassedThrough: flags & 2 != 0,
            latency: flags & 4 != 0 ? try reader.number() : nil)
        problem = try reader.optionalText()
    }
}
