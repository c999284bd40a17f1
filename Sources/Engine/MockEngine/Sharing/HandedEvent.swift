import SDAnswering
import SDHTTPTransport
import SDJournal

/// An event as other replicas are told of it.
struct HandedEvent {
    /// What is known of the response. The raw value is the byte in a batch.
    enum Response: UInt8 {
        case none
        /// The stub's constant one.
        case constant
        case own
    }

    /// The flags of an event, in the byte at its beginning.
    struct Flags: OptionSet {
        let rawValue: UInt8

        static let hasEnded = Flags(rawValue: 1)
        /// It has been told with its end before.
        static let isAgain = Flags(rawValue: 2)
        static let isUnmatched = Flags(rawValue: 4)
        static let hasExtras = Flags(rawValue: 8)
        /// The body of its answer broke off.
        static let isPartlySent = Flags(rawValue: 16)
        static let isCut = Flags(rawValue: 32)
        static let all: Flags = [.hasEnded, .isAgain, .isUnmatched, .hasExtras, .isPartlySent, .isCut]
    }

    private let event: ServeEvent
    private let isAgain: Bool
    /// The number of its stub.
    private let stub: Int
    private let knowsStub: Bool

    /// Looks at an event under the lock of its session.
    init(_ entry: JournalOutbox.Entry, _ stubs: inout HandedStubs, in state: borrowing Session.State) {
        event = entry.event
        isAgain = entry.isAgain
        stub = stubs.number(of: event, in: state)
        knowsStub = stubs.isKnown(stub)
    }

    func pack(to writer: inout PackedWriter) {
        let end = event.end
        let wholeBody = event.wholeBody
        var flags: Flags = []
        if isAgain { flags.insert(.isAgain) }
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
            // Clocks differ: what counts is how long it took. 0 means that there was no first byte.
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
