import SDAnswering
import SDHTTPTransport
import SDJournal

/// An event in the form that is sent to other replicas.
struct PackedEvent {
    /// How the response is encoded. The raw value is the byte in a batch.
    enum Response: UInt8 {
        case none
        /// The stub's constant response.
        case constant
        case own
    }

    /// The flags of an event, in the byte at its beginning.
    struct Flags: OptionSet {
        let rawValue: UInt8

        static let hasEnded = Flags(rawValue: 1)
        /// The event was sent before, with its end.
        static let isAgain = Flags(rawValue: 2)
        static let isUnmatched = Flags(rawValue: 4)
        static let hasExtras = Flags(rawValue: 8)
        /// The body of the answer was cut off.
        static let isPartlySent = Flags(rawValue: 16)
        static let isCut = Flags(rawValue: 32)
        /// The event was sent before; replicas may have dropped it.
        static let isRepeated = Flags(rawValue: 64)
        static let all: Flags = [.hasEnded, .isAgain, .isUnmatched, .hasExtras, .isPartlySent, .isCut, .isRepeated]
    }

    private let event: ServeEvent
    private let (isAgain, isRepeated): (Bool, Bool)
    /// The number of the event's stub.
    private let stub: Int
    private let knowsStub: Bool

    /// Reads an event under the lock of its session.
    init(_ entry: JournalOutbox.Entry, _ stubs: inout PackedStubs, in state: borrowing Session.State) {
        event = entry.event
        (isAgain, isRepeated) = (entry.isAgain, entry.isRepeated)
        stub = stubs.number(of: event, in: state)
        knowsStub = stubs.isKnown(stub)
    }

    func pack(to writer: inout PackedWriter) {
        let end = event.end
        let wholeBody = event.wholeBody
        var flags: Flags = []
        if isAgain { flags.insert(.isAgain) }
        if isRepeated { flags.insert(.isRepeated) }
        if event.isUnmatched { flags.insert(.isUnmatched) }
        if event.extras != nil { flags.insert(.hasExtras) }
        if wholeBody != nil { flags.insert(.isCut) }
        if let end {
            flags.insert(.hasEnded)
            if end.bodyBytesSent != nil { flags.insert(.isPartlySent) }
        }
        writer.add(byte: flags.rawValue)
        writer.add(event.sequence)
        let request = event.request
        request.pack(to: &writer)
        if let wholeBody { writer.add(count: wholeBody) }
        writer.add(count: stub)
        packResponse(to: &writer)
        writer.add(event.addedDelay)
        if let end {
            let begin = request.clockTime
            writer.add(byte: end.outcome.rawValue)
            writer.add(end.bytesSent)
            if let count = end.bodyBytesSent { writer.add(count) }
            // Clocks differ, so the time is sent relative to the request. 0 means that no byte was sent.
            writer.add(end.firstByteTime == 0 ? 0 : 1 &+ Self.since(begin, end.firstByteTime))
            writer.add(Self.since(begin, end.endTime))
        }
        if let extras = event.extras { extras.pack(to: &writer) }
    }

    private static func since(_ begin: UInt64, _ time: UInt64) -> UInt64 { time > begin ? time - begin : 0 }

    private func packResponse(to writer: inout PackedWriter) {
        if event.sentConstant, knowsStub { return writer.add(byte: Response.constant.rawValue) }
        guard let response = event.response else { return writer.add(byte: Response.none.rawValue) }
        writer.add(byte: Response.own.rawValue)
        response.pack(to: &writer)
    }
}
