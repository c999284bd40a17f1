package import SDHTTPTransport
package import SDStubModel
import Synchronization

/// The body of a streamed answer as its event stores it: what was written to the connection so far, before framing and
/// faults. Any thread may read and write it.
package final class StreamedBody: Sendable {
    /// The largest number of stored bytes: there may be thousands of streams that never end.
    package static let most = 16 << 10
    private static let minCharge = 1 << 10

    private struct State {
        var kept: [UInt8] = []
        var count = 0
        var charged = 0
        var fault: Fault?

        mutating func takeCharge() -> Int {
            guard kept.count > charged else { return 0 }
            var charge = max(charged, minCharge)
            while charge < kept.count { charge *= 2 }
            defer { charged = charge }
            return charge - charged
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: the event's limit of stored body bytes.
    ///   - most: the limit for streams, which also applies.
    package init(limit: Int, most: Int = most) {
        self.limit = min(limit, most)
    }

    /// The beginning of the body.
    package var kept: [UInt8] { state.withLock { $0.kept } }

    /// The size of the body in bytes.
    package var count: Int { state.withLock { $0.count } }

    /// The fault that ended the stream; nil for none.
    package var fault: Fault? { state.withLock { $0.fault } }

    /// Adds a part of the body.
    /// - Parameters:
    ///   - count: the size of the part in bytes.
    ///   - start: returns the first bytes of the part, at most `most`. Not called once the limit is reached.
    package func add(_ count: Int, _ start: (_ most: Int) -> [UInt8]) {
        state.withLock { state in
            state.count += count
            let room = limit - state.kept.count
            if room > 0 { state.kept += start(room).prefix(room) }
        }
    }

    package func add(_ bytes: WireBytes) {
        add(bytes.count) { bytes.prefix($0) }
    }

    /// Adds a part of the body.
    /// - Returns: the bytes to charge the journal for now (`takeCharge`).
    package func add(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        state.withLock { state in
            state.count += bytes.count
            let room = limit - state.kept.count
            if room > 0 { state.kept.append(contentsOf: bytes.prefix(room)) }
            return state.takeCharge()
        }
    }

    package func end(with fault: Fault) {
        state.withLock { $0.fault = fault }
    }

    /// The bytes to charge the journal for now. They double from charge to charge, so that charges are rare.
    /// - Returns: 0 for most parts.
    package func takeCharge() -> Int {
        state.withLock { $0.takeCharge() }
    }
}
