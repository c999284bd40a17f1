import SDHTTPTransport
public import SDJSON
import SDPlatform
import SDWireValues

/// A sub-event of a request in WireMock's journal: something done after the request was decided.
public struct SubEvent: Sendable {
    /// Its kind: `WEBHOOK_REQUEST`, `WEBHOOK_RESPONSE`, `ERROR`.
    public let type: String
    /// The time since the request was received, in nanoseconds; nil for an error, as in WireMock.
    public let offset: UInt64?
    private let content: Content
    /// The approximate size in memory, in bytes.
    package let byteCount: Int

    private enum Content: Sendable {
        /// The data as text, which takes a fraction of the value's memory.
        case text([UInt8])
        /// Makes the data on demand: JSON would hold several copies of a long body that others share.
        case maker(@Sendable () -> JSONValue)
    }

    /// - Parameter begin: the arrival of the request, in monotonic nanoseconds.
    package init(_ type: String, _ data: JSONValue, since begin: UInt64) {
        let text = Array(data.compactBytes)
        self.init(type, .text(text), text.count, since: begin)
    }

    /// - Parameters:
    ///   - byteCount: the bytes that the closure `data` retains.
    ///   - begin: the arrival of the request, in monotonic nanoseconds.
    ///   - data: makes the data. Called on any thread.
    package init(_ type: String, byteCount: Int, since begin: UInt64, _ data: @escaping @Sendable () -> JSONValue) {
        self.init(type, .maker(data), byteCount, since: begin)
    }

    private init(_ type: String, _ content: Content, _ byteCount: Int, since begin: UInt64) {
        self.type = type
        let now = SystemCalls.monotonicNanoseconds()
        offset = type == "ERROR" ? nil : now > begin ? now - begin : 0
        self.content = content
        self.byteCount = byteCount + 96
    }

    func pack(to writer: inout PackedWriter) {
        writer.add(type)
        writer.add(byte: offset == nil ? 0 : 1)
        if let offset { writer.add(offset) }
        switch content {
        case .text(let text): writer.add(text)
        case .maker(let make): writer.add(Array(make().compactBytes))
        }
    }

    init(_ reader: inout PackedReader) throws(PackedReader.Problem) {
        type = try reader.text()
        offset = try reader.flag() ? try reader.number() : nil
        let text = try reader.array()
        content = .text(text)
        byteCount = text.count + 96
    }

    public var data: JSONValue {
        switch content {
        case .text(let text): (try? JSONValue(parsing: text)) ?? .null
        case .maker(let make): make()
        }
    }
}

extension JournalOwner {
    /// Adds a sub-event to an event that accepts them. Any thread, also after the event was dropped.
    package func append(_ type: String, _ data: JSONValue, to event: ServeEvent) {
        append(SubEvent(type, data, since: event.request.clockTime), to: event)
    }

    /// Adds a sub-event whose data is made on demand.
    package func append(
        _ type: String, byteCount: Int, to event: ServeEvent, _ data: @escaping @Sendable () -> JSONValue
    ) {
        append(SubEvent(type, byteCount: byteCount, since: event.request.clockTime, data), to: event)
    }

    private func append(_ added: SubEvent, to event: ServeEvent) {
        guard keepsJournal, let extras = event.extras else { return }
        extras.append(added)
        withJournal { $0.charge(added.byteCount, for: event) }
    }
}
