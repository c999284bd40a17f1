// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

extension FaultRule {
    /// A change of an answer. Offsets count bytes of the body, from 0.
    public enum Change: Sendable, Hashable {
        /// Adds `+5` or `-1` to the `Content-Length`, which replaces chunked coding. If the body is shorter than it
        /// says, the connection closes after the body; if it is longer, the whole body is sent.
        case wrongLength(Int)
        /// Sends a header twice (`ETag`), the second time with another value if there is one: `{name: Content-Length,
        /// value: "5"}`.
        case duplicateHeader(name: String, value: String?)
        /// Sends a text, or a number of random bytes, before the status line.
        case garbageText(String)
        /// Sends a text, or a number of random bytes, before the status line.
        case garbage(count: Int)
        /// Changes the byte at an offset, counted from 0 (`{byte: 10}`), or each byte with a probability (`{rate:
        /// 1%}`).
        case corruptByte(Int)
        /// Changes the byte at an offset, counted from 0 (`{byte: 10}`), or each byte with a probability (`{rate:
        /// 1%}`).
        case corruptRate(Double)
        /// Announces the trailers, but never sends them.
        case dropTrailers
        /// Ends the answer: after a number of bytes of the body (`1337`), after a share of it (`50%`), after the
        /// `headers`, before them (`nothing`), or after some whole chunks (`{chunk: 2}`); an unchunked body is one
        /// chunk.
        case cut(Cut, then: End)
        /// Pauses after some bytes of the body: `{after: 100, for: 10s}`; `for: forever` waits until the client
        /// disconnects.
        case stall(after: Int, milliseconds: Int?)
        /// Sends the body in slices with a pause between them: `{size: 100, gap: 20ms}`. With chunked coding, each
        /// slice is a chunk.
        case slice(size: Int, gap: Int)
        /// Sends the body at a rate, such as `3KB/s`; the head is sent at once.
        case bandwidth(ByteRate)
        /// Sends the whole answer, keeps the connection open for that long without answering further requests, then
        /// closes it.
        case slowClose(Int)

        /// The name of its key.
        public var name: String {
            switch self {
            case .wrongLength: "wrongLength"
            case .duplicateHeader: "duplicateHeader"
            case .garbageText, .garbage: "garbagePrefix"
            case .corruptByte, .corruptRate: "corrupt"
            case .dropTrailers: "dropTrailers"
            case .cut: "cutAfter"
            case .stall: "stall"
            case .slice: "slice"
            case .bandwidth: "bandwidth"
            case .slowClose: "slowClose"
            }
        }

        /// The value of its key.
        package var json: JSONValue {
            switch self {
            case .wrongLength(let value): value.json
            case .duplicateHeader: ownJSON
            case .garbageText, .garbage: ownJSON
            case .corruptByte, .corruptRate: ownJSON
            case .dropTrailers: true
            case .cut: ownJSON
            case .stall(let after, let milliseconds): FaultStall(after: after, milliseconds: milliseconds).json
            case .slice(let size, let gap): FaultSlice(size: size, gap: gap).json
            case .bandwidth(let value): value.json
            case .slowClose(let value): DurationText.json(value)
            }
        }
    }
}

extension FaultDraft {
    /// The changes of an answer, in the order in which they are made.
    var changes: [FaultRule.Change] {
        let all: [FaultRule.Change?] = [
            wrongLength.map { .wrongLength($0) },
            duplicateHeader,
            garbagePrefix,
            corrupt,
            dropTrailers ? .dropTrailers : nil,
            cutAfter.map { .cut($0, then: then ?? .fin) },
            stall.map { .stall(after: $0.after, milliseconds: $0.milliseconds) },
            slice.map { .slice(size: $0.size, gap: $0.gap) },
            bandwidth.map { .bandwidth($0) },
            slowClose.map { .slowClose($0) },
        ]
        return all.compactMap(\.self)
    }
}
