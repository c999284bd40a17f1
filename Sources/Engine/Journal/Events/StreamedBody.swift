package import SDHTTPTransport
package import SDStubModel
import Synchronization

/// The body of a streamed answer as its event keeps it: what the connection was given so far, before framing and the
/// faults of the answer. Any thread may read and write it.
package final class StreamedBody: Sendable {
    /// The most bytes that are kept: there may be thousands of streams, none of which ends.
    package static let most = 16 << 10
    private static let leastCharge = 1 << 10

    private struct State {
        var kept: [UInt8] = []
        var count = 0
        var charged = 0
        var fault: Fault?

        mutating func takeCharge() -> Int {
            guard kept.count > charged else { return 0 }
            var charge = max(charged, leastCharge)
            while charge < kept.count { charge *= 2 }
            defer { charged = charge }
            return charge - charged
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: the number of bytes that an event may keep of a body.
    ///   - most: the most bytes that are kept whatever the limit is.
    package init(limit: Int, most: Int = most) {
        self.limit = min(limit, most)
    }

    /// The beginning of the body.
    package var kept: [UInt8] { state.withLock { $0.kept } }

    /// The size of the body in bytes.
    package var count: Int { state.withLock { $0.count } }

    /// The fault that ended the stream; nil for none.
    package var fault: Fault? { state.withLock { $0.fault } }

    /// Adds a piece.
    /// - Parameters:
    ///   - count: the size of the piece in bytes.
    ///   - start: makes the first bytes of the piece, at most as many as it is told. Not called once nothing more is
    ///     kept.
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

    /// Adds a piece.
    /// - Returns: the bytes that the journal is to be charged for now (`takeCharge`).
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

    /// The bytes that the journal is to be charged for now. They double from charge to charge, so that few pieces cause
    /// one.
    /// - Returns: 0 for most pieces.
    package func takeCharge() -> Int {
        state.withLock { $0.takeCharge() }
    }
}
