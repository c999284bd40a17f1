// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// An end specific to HTTP/2.
package struct FaultStreamEnd: Sendable {
    /// Resets the stream with this code.
    package var resetStream: HTTP2ErrorCode?
    /// Sends GOAWAY with this code, and the connection closes.
    package var goAway: HTTP2ErrorCode?
    /// The last stream id in GOAWAY; by default that of the answer.
    package var lastStream: UInt32?

    init() {}
}

extension FaultStreamEnd {
    package static var names: [String] { DialectNames.streamEnd }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.streamEnd) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: resetStream = HTTP2ErrorCode.read(value, &reader)
        case 1: goAway = HTTP2ErrorCode.read(value, &reader)
        case 2: lastStream = Self.readStream(value, &reader)
        default: break
        }
    }
}
