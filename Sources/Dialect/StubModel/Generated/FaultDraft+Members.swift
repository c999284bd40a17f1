// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// A fault of a session: of the answers to some requests, or of connections.
package struct FaultDraft: Sendable {
    /// Answers with this status and a line of text instead of the response.
    package var status: Int?
    /// Sends one of WireMock's faults instead of the response, such as `EMPTY_RESPONSE`.
    package var kind: Fault?
    /// `true`: sends nothing until the client leaves.
    package var neverAnswer: Bool = false
    /// Waits before the first byte, besides the wait of the stub: `200ms`, or a distribution in short or with a `type`.
    package var delay: DelayDistribution?
    /// Ends the answer: after a number of bytes of the body (`1337`), after a part of it (`50%`), after the `headers`,
    /// before them (`nothing`), or after some whole chunks (`{chunk: 2}`); a body that is sent at once is one chunk.
    package var cutAfter: FaultRule.Cut?
    /// Changes the byte at an offset, counted from 0 (`{byte: 10}`), or each byte with a probability (`{rate: 1%}`).
    package var corrupt: FaultRule.Change?
    /// Adds `+5` or `-1` to the `Content-Length`, which takes the place of chunks. After a body that is too short the
    /// connection closes; one that is too long is sent as a whole.
    package var wrongLength: Int?
    /// Sends a header twice (`ETag`), the second time with another value if there is one: `{name: Content-Length,
    /// value: "5"}`.
    package var duplicateHeader: FaultRule.Change?
    /// Sends a text, or a number of random bytes, before the status line.
    package var garbagePrefix: FaultRule.Change?
    /// The trailers that the answer announces never come.
    package var dropTrailers: Bool = false
    /// The body at a rate, such as `3KB/s`; the head comes at once.
    package var bandwidth: ByteRate?
    /// Sends the body in pieces of some bytes with a pause between them: `{size: 100, gap: 20ms}`. A piece is a chunk
    /// if there are chunks.
    package var slice: FaultSlice?
    /// Stops after some bytes of the body: `{after: 100, for: 10s}`; `for: forever` stops until the client leaves.
    package var stall: FaultStall?
    /// The whole answer, then a connection that stays open that long, answers no more, and closes.
    package var slowClose: Int?
    /// What follows the last byte of an answer that `cutAfter` ends: `fin`, if absent, closes the connection in order,
    /// `rst` resets it; `cut`, `hang`, `garbage`, `{resetStream: CANCEL}` and `{goAway: NO_ERROR}` are ends of TLS and
    /// HTTP/2.
    package var then: FaultRule.End?
    /// Acts with a probability: `0.05`, or `5%`.
    package var probability: Double?
    /// Acts on the first requests, and then no more: `2`, or `{count: 2, perHeader: Idempotency-Key}` for each value of
    /// a header; requests without the header have one value.
    package var first: FirstRequests?
    /// Acts between two times since the session began or was last reset: `[5s, 10s]`.
    package var between: Range<Int>?
    /// Acts on the requests beyond a limit, `{limit: 10, per: 1m}`, with a 429 if nothing else is said. A period begins
    /// with the first request after the last one.
    package var quota: FaultRule.Quota?
    /// Acts on requests that come while that many answers are under way, with a 503 if nothing else is said.
    package var concurrency: Int?
    /// The rate at which requests are read.
    package var readSlowly: ByteRate?
    /// true: the body of the request is not read.
    package var neverRead: Bool = false
    /// The id by which it is removed; made by the session if absent.
    package var id: StubMapping.ID?
    /// A label.
    package var name: String?
    /// The requests whose answers it changes; all if absent.
    package var request: RequestPattern?
    /// The clients that it meets, by the name of the server that they ask for (SNI); all if absent.
    package var serverName: String?
    /// Resets that many connections as soon as they are made.
    package var refuseNext: Int?
    /// down: connections are refused. acceptAndStall: nothing on them is read.
    package var listener: SessionFault.PortFault?
    /// What a client meets that begins with TLS.
    package var tls: TLSFault?
    /// What a client meets that begins with HTTP/2.
    package var http2: HTTP2Fault?

    init() {}
}

extension FaultDraft {
    package static var names: [String] { DialectNames.sessionFault }
    package static let actionNames: [String] = ["status", "kind", "neverAnswer", "delay", "cutAfter", "corrupt", "wrongLength", "duplicateHeader", "garbagePrefix", "dropTrailers", "bandwidth", "slice", "stall", "slowClose"]
    package static let uploadNames: [String] = ["readSlowly", "neverRead"]
    package static let conditionNames: [String] = ["probability", "first", "between", "quota", "concurrency"]
    package static let earlyNames: [String] = ["refuseNext", "listener", "tls", "http2"]
    package static let ownNames: [String] = ["id", "name", "request", "serverName", "refuseNext", "listener", "tls", "http2"]

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
        case 3: delay = WrittenDelay.read(value, &reader)
        case 4: cutAfter = FaultRule.Cut.read(value, &reader)
        case 5: corrupt = Self.readCorruption(value, &reader)
        case 6: wrongLength = Self.readLength(value, &reader)
        case 7: duplicateHeader = Self.readHeader(value, &reader)
        case 8: garbagePrefix = Self.readGarbage(value, &reader)
        case 9: dropTrailers = reader.flag(value)
        case 10: bandwidth = WrittenAmount.readRate(value, &reader)
        case 11: slice = FaultSlice.read(value, &reader)
        case 12: stall = FaultStall.read(value, &reader)
        case 13: slowClose = WrittenDuration.read(value, &reader)
        case 14: then = FaultRule.End.read(value, &reader)
        case 15: probability = reader.probability(value)
        case 16: first = Self.readFirst(value, &reader)
        case 17: between = Self.readBetween(value, &reader)
        case 18: quota = FaultRule.Quota.read(value, &reader)
        case 19: concurrency = reader.whole(value, 0...1000000, "a number of answers at a time")
        case 20: readSlowly = WrittenAmount.readRate(value, &reader)
        case 21: neverRead = reader.flag(value)
        case 22: id = Self.readID(value, &reader)
        case 23: name = reader.string(value)
        case 24: request = RequestPattern.read(value, &reader)
        case 25: serverName = ConnectionFault.readServerName(value, &reader)
        case 26: refuseNext = reader.whole(value, 1...1000000, "a number of connections from 1")
        case 27: listener = Self.readListener(value, &reader)
        case 28: tls = reader.word(value, DialectNames.tlsFaultsAliases)
        case 29: http2 = reader.word(value, DialectNames.http2FaultsAliases)
        default: break
        }
    }

    /// Reads a member by its name; others are passed over.
    package mutating func readMember(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        if let index = DialectNames.sessionFault.firstIndex(of: member.key) { readMember(index, member.value, &reader) }
    }
}
