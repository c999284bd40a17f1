import SDHTTPTransport

/// The body of a call that libcurl sends while it comes: libcurl asks for it, and what it does not take yet waits here, up to a
/// limit, and then with the client.
///
/// Touched on the loop's thread alone.
final class UploadedBody: Sendable {
    /// The number of waiting bytes at which the client is no longer read.
    private static let full = 64 << 10

    private let stream: any BodyStream
    private nonisolated(unsafe) var waiting: [UInt8] = []
    /// The number of bytes of `waiting` that were taken.
    private nonisolated(unsafe) var taken = 0
    private nonisolated(unsafe) var isReading = true
    private nonisolated(unsafe) var hasBegun = false
    private nonisolated(unsafe) var end: End?
    /// Called once when there is more after nothing was there.
    private nonisolated(unsafe) var more: (() -> Void)?
    private nonisolated(unsafe) var isDropped = false
    /// The number of bytes that were sent.
    private nonisolated(unsafe) var sent = 0
    /// Whether all of it was sent.
    private(set) nonisolated(unsafe) var isSent = false

    private enum End {
        case complete([(name: String, value: String)])
        /// The client has left.
        case broken
    }

    enum Next {
        case bytes(Int)
        case complete([(name: String, value: String)])
        case broken
        case later
    }

    init(_ stream: any BodyStream) {
        self.stream = stream
    }

    /// Whether the client left before the end.
    var isBroken: Bool { if case .broken? = end { true } else { false } }

    /// Whether everything that came is on its way.
    var waitsForClient: Bool { more != nil }

    /// Moves the next bytes into `room`.
    /// - Parameter more: called when there is more after `later`.
    func next(_ room: UnsafeMutableRawBufferPointer, _ more: @escaping () -> Void) -> Next {
        if !hasBegun { begin() }
        guard taken < waiting.count else { return nextEnd(more) }
        let size = min(waiting.count - taken, room.count)
        waiting.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[taken..<(taken + size)])) }
        taken += size
        sent += size
        isSent = sent == stream.count
        if taken == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            taken = 0
            readOn()
        }
        return .bytes(size)
    }

    private func nextEnd(_ more: @escaping () -> Void) -> Next {
        switch end {
        case .complete(let trailers):
            isSent = true
            return .complete(trailers)
        case .broken: return .broken
        case nil:
            self.more = more
            return .later
        }
    }

    private func begin() {
        hasBegun = true
        // The stream may go on long after the call, for which this lives.
        stream.begin { [weak self] bytes in
            self?.came(bytes)
        } onEnd: { [weak self] trailers in
            guard let self else { return }
            end = trailers.map { .complete($0) } ?? .broken
            more.take()?()
        }
    }

    private func came(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, !isDropped else { return }
        waiting += bytes
        if isReading, waiting.count >= Self.full {
            isReading = false
            stream.read(false)
        }
        more.take()?()
    }

    private func readOn() {
        guard hasBegun, !isReading else { return }
        isReading = true
        stream.read(true)
    }

    /// Forgets what waits: nobody takes it any more. What still comes is read and dropped.
    func drop() {
        guard !isDropped else { return }
        isDropped = true
        waiting = []
        taken = 0
        more = nil
        readOn()
    }
}
