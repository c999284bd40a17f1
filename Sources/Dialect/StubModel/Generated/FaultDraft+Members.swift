// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// A fault of a session: for the answers to some requests, or for connections.
package struct FaultDraft: Sendable {
    /// Answers with this status and a line of text instead of the response.
    package var status: Int?
    /// Sends one of WireMock's faults instead of the response, such as `EMPTY_RESPONSE`.
    package var kind: Fault?
    /// `true`: sends nothing; the connection stays open until the client closes it.
    package var neverAnswer: Bool = false
    /// A wait before the first byte, in addition to the stub's: `200ms`, or a distribution, in short notation or with a
    /// `type`.
    package var delay: DelayDistribution?
    /// Ends the answer: after a number of bytes of the body (`1337`), after a share of it (`50%`), after the `headers`,
    /// before them (`nothing`), or after some whole chunks (`{chunk: 2}`); an unchunked body is one chunk.
    package var cutAfter: FaultRule.Cut?
    /// Changes the byte at an offset, counted from 0 (`{byte: 10}`), or each byte with a probability (`{rate: 1%}`).
    package var corrupt: FaultRule.Change?
    /// Adds `+5` or `-1` to the `Content-Length`, which replaces chunked coding. If the body is shorter than it says,
    /// the connection closes after the body; if it is longer, the whole body is sent.
    package var wrongLength: Int?
    /// Sends a header twice (`ETag`), the second time with another value if there is one: `{name: Content-Length,
    /// value: "5"}`.
    package var duplicateHeader: FaultRule.Change?
    /// Sends a text, or a number of random bytes, before the status line.
    package var garbagePrefix: FaultRule.Change?
    /// Announces the trailers, but never sends them.
    package var dropTrailers: Bool = false
    /// Sends the body at a rate, such as `3KB/s`; the head is sent at once.
    package var bandwidth: ByteRate?
    /// Sends the body in slices with a pause between them: `{size: 100, gap: 20ms}`. With chunked coding, each slice is
    /// a chunk.
    package var slice: FaultSlice?
    /// Pauses after some bytes of the body: `{after: 100, for: 10s}`; `for: forever` waits until the client
    /// disconnects.
    package var stall: FaultStall?
    /// Sends the whole answer, keeps the connection open for that long without answering further requests, then closes
    /// it.
    package var slowClose: Int?
    /// How an answer cut by `cutAfter` ends: `fin`, the default, closes the connection normally, `rst` resets it;
    /// `cut`, `hang`, `garbage`, `{resetStream: CANCEL}` and `{goAway: NO_ERROR}` are ends of TLS and HTTP/2.
    package var then: FaultRule.End?
    /// Applies with this probability: `0.05`, or `5%`.
    package var probability: Double?
    /// Applies to the first requests only: `2`, or `{count: 2, perHeader: Idempotency-Key}` for each value of a header;
    /// requests without the header share one count.
    package var first: FirstRequests?
    /// Applies between two times, measured from the start or last reset of the session: `[5s, 10s]`.
    package var between: Range<Int>?
    /// Applies to the requests beyond a limit, `{limit: 10, per: 1m}`; by default answers 429. A period starts with the
    /// first request after the previous period.
    package var quota: FaultRule.Quota?
    /// Applies to requests that arrive while that many answers are in progress; by default answers 503.
    package var concurrency: Int?
    /// The rate at which requests are read.
    package var readSlowly: ByteRate?
    /// true: request bodies are not read.
    package var neverRead: Bool = false
    /// The id for its removal; by default generated.
    package var id: StubMapping.ID?
    /// A label.
    package var name: String?
    /// The requests whose answers it affects; by default all.
    package var request: RequestPattern?
    /// A fault of messages sent on WebSockets that these requests have opened. Not combinable with other effects.
    package var messages: MessageFault?
    /// The server name (SNI) of the affected clients; by default all clients.
    package var serverName: String?
    /// Resets that many connections as soon as they are accepted.
    package var refuseNext: Int?
    /// down: connections are refused. acceptAndStall: connections are accepted, but never read.
    package var listener: SessionFault.PortFault?
    /// The fault at the start of a TLS connection.
    package var tls: TLSFault?
    /// The fault at the start of an HTTP/2 connection.
    package var http2: HTTP2Fault?

    init() {}
}

extension FaultDraft {
    package static var names: [String] { DialectNames.sessionFault }
    package static let actionNames: [String] = ["status", "kind", "neverAnswer", "delay", "cutAfter", "corrupt", "wrongLength", "duplicateHeader", "garbagePrefix", "dropTrailers", "bandwidth", "slice", "stall", "slowClose"]
    package static let uploadNames: [String] = ["readSlowly", "neverRead"]
    package static let conditionNames: [String] = ["probability", "first", "between", "quota", "concurrency"]
    package static let earlyNames: [String] = ["refuseNext", "listener", "tls", "http2"]
    package static let ownNames: [String] = ["id", "name", "request", "messages", "serverName", "refuseNext", "listener", "tls", "http2"]

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.sessionFault, otherNames: DialectNames.sessionFaultAliases) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: status = reader.whole(value, 100...999, "a status from 100 to 999")
        case 1: kind = reader.fault(value, isAlone: false)
        case 2: neverAnswer = reader.flag(value)
        case 3: delay = DelayText.read(value, &reader)
        case 4: cutAfter = FaultRule.Cut.read(value, &reader)
        case 5: corrupt = Self.readCorruption(value, &reader)
        case 6: wrongLength = Self.readLength(value, &reader)
        case 7: duplicateHeader = Self.readHeader(value, &reader)
        case 8: garbagePrefix = Self.readGarbage(value, &reader)
        case 9: dropTrailers = reader.flag(value)
        case 10: bandwidth = AmountText.readRate(value, &reader)
        case 11: slice = FaultSlice.read(value, &reader)
        case 12: stall = FaultStall.read(value, &reader)
        case 13: slowClose = DurationText.read(value, &reader)
        case 14: then = FaultRule.End.read(value, &reader)
        case 15: probability = reader.probability(value)
        case 16: first = Self.readFirst(value, &reader)
        case 17: between = Self.readBetween(value, &reader)
        case 18: quota = FaultRule.Quota.read(value, &reader)
        case 19: concurrency = reader.whole(value, 0...1000000, "a number of answers at a time")
        case 20: readSlowly = AmountText.readRate(value, &reader)
        case 21: neverRead = reader.flag(value)
        case 22: id = Self.readID(value, &reader)
        case 23: name = reader.string(value)
        case 24: request = RequestPattern.read(value, &reader)
        case 25: messages = MessageFault.read(value, &reader)
        case 26: serverName = ConnectionFault.readServerName(value, &reader)
        case 27: refuseNext = reader.whole(value, 1...1000000, "a number of connections from 1")
        case 28: listener = Self.readListener(value, &reader)
        case 29: tls = reader.word(value, DialectNames.tlsFaultsAliases)
        case 30: http2 = reader.word(value, DialectNames.http2FaultsAliases)
        default: break
        }
    }

    /// Reads a member by its name; others are passed over.
    package mutating func readMember(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        if let index = DialectNames.sessionFault.firstIndex(of: member.key) { readMember(index, member.value, &reader) }
    }
}
