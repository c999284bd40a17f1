// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// A fault of a session: of the answers to some requests, or of connections.
package struct FaultDraft: Sendable {
    /// Answers with this status.
    package var status: Int?
    /// Breaks the connection as WireMock does.
    package var kind: Fault?
    /// true: nothing is sent.
    package var neverAnswer: Bool = false
    /// A further wait.
    package var delay: DelayDistribution?
    /// Where the answer ends: after a number of bytes, a part such as 50%, headers, or {chunk: 2}.
    package var cutAfter: FaultRule.Cut?
    /// Changes a byte, or some of them.
    package var corrupt: FaultRule.Change?
    /// What is added to Content-Length, such as +5 or -1.
    package var wrongLength: Int?
    /// A header that is sent twice.
    package var duplicateHeader: FaultRule.Change?
    /// A text, or a number of random bytes, before the answer.
    package var garbagePrefix: FaultRule.Change?
    /// The trailers that the answer announces never come.
    package var dropTrailers: Bool = false
    /// The body at a rate; the head comes at once.
    package var bandwidth: ByteRate?
    /// Sends the answer in pieces.
    package var slice: FaultSlice?
    /// Stops in the middle.
    package var stall: FaultStall?
    /// The whole answer, then a connection that stays open that long, answers no more, and closes.
    package var slowClose: Int?
    /// What follows the last byte of an answer that is cut.
    package var then: FaultRule.End?
    /// How often it acts.
    package var probability: Double?
    /// Acts on the first requests only.
    package var first: FirstRequests?
    /// Acts between two times since the session began.
    package var between: Range<Int>?
    /// Acts once a limit is reached; a 429 if nothing else is said.
    package var quota: FaultRule.Quota?
    /// Acts on more answers at a time; a 503 if nothing else is said.
    package var concurrency: Int?
    /// The rate at which requests are read.
    package var readSlowly: ByteRate?
    /// true: the body of the request is not read.
    package var neverRead: Bool = false

    init() {}
}

extension FaultDraft {
    package static var names: [String] { DialectNames.sessionFault }
    package static let actionNames: [String] = ["status", "kind", "neverAnswer", "delay", "cutAfter", "corrupt", "wrongLength", "duplicateHeader", "garbagePrefix", "dropTrailers", "bandwidth", "slice", "stall", "slowClose"]
    package static let uploadNames: [String] = ["readSlowly", "neverRead"]
    package static let conditionNames: [String] = ["probability", "first", "between", "quota", "concurrency"]

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
        default: break
        }
    }

    /// Reads a member by its name; others are passed over.
    package mutating func readMember(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        if let index = DialectNames.sessionFault.firstIndex(of: member.key) { readMember(index, member.value, &reader) }
    }
}
