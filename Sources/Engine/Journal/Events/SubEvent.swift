import SDHTTPTransport
public import SDJSON
import SDPlatform
import SDWireValues

/// Something that was done for a request once it was decided, as WireMock's journal lists it below the request.
public struct SubEvent: Sendable {
    /// Its kind: `WEBHOOK_REQUEST`, `WEBHOOK_RESPONSE`, `ERROR`.
    public let type: String
    /// The time since the request came, in nanoseconds; nil for an error, as in WireMock.
    public let offset: UInt64?
    private let content: Content
    /// The approximate size in memory, in bytes.
    package let byteCount: Int

    private enum Content: Sendable {
        /// The data as text, which takes a fraction of the memory of the value.
        case text([UInt8])
        /// What makes the data whenever it is looked at: of a long body, which others share, JSON has several copies.
        case maker(@Sendable () -> JSONValue)
    }

    /// - Parameter begin: when the request came, in monotonic nanoseconds.
    package init(_ type: String, _ data: JSONValue, since begin: UInt64) {
        let text = Array(data.compactBytes)
        self.init(type, .text(text), text.count, since: begin)
    }

    /// - Parameters:
    ///   - byteCount: the bytes that `data` keeps.
    ///   - begin: when the request came, in monotonic nanoseconds.
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

extension JournalKeeper {
    /// Adds a sub-event to an event that has room for it. Callable on any thread, whatever became of the event.
    package func append(_ type: String, _ data: JSONValue, to event: ServeEvent) {
        append(SubEvent(type, data, since: event.request.clockTime), to: event)
    }

    /// The same, for a sub-event whose data is made whenever it is looked at.
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
