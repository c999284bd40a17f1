import SDHTTPTransport

/// The body of a call that is sent while it comes: what the other server does not take yet waits here, up to a limit, and
/// then with the client.
///
/// Touched on the loop's thread alone.
final class UploadedBody: Sendable {
    /// The number of waiting bytes at which the client is no longer read, and at which it is read again.
    private static let full = 256 << 10
    private static let low = 64 << 10

    private let stream: any BodyStream
    private nonisolated(unsafe) var pieces: [[UInt8]] = []
    private nonisolated(unsafe) var first = 0
    /// The number of bytes of the first piece that were taken.
    private nonisolated(unsafe) var taken = 0
    private nonisolated(unsafe) var count = 0
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

    enum End {
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

    var length: Int? { stream.count }
    /// Whether the client left before the end.
    var isBroken: Bool { if case .broken? = end { true } else { false } }

    /// Whether everything that came is on its way.
    var waitsForClient: Bool { more != nil }

    /// Moves the next bytes into `room`, never of two pieces: each becomes a chunk, as it came.
    /// - Parameter more: called when there is more after `later`.
    func next(_ room: UnsafeMutableRawBufferPointer, _ more: @escaping () -> Void) -> Next {
        if !hasBegun { begin() }
        guard first < pieces.count else {
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
        let piece = pieces[first]
        let size = min(piece.count - taken, room.count)
        piece.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[taken..<(taken + size)])) }
        taken += size
        count -= size
        sent += size
        isSent = sent == stream.count
        if taken == piece.count { dropFirst() }
        if !isReading, count < Self.low {
            isReading = true
            stream.read(true)
        }
        return .bytes(size)
    }

    private func dropFirst() {
        taken = 0
        pieces[first] = []
        first += 1
        if first == pieces.count {
            pieces.removeAll(keepingCapacity: true)
            first = 0
        } else if first > 64, first > pieces.count / 2 {
            pieces.removeFirst(first)
            first = 0
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
        pieces.append(bytes)
        count += bytes.count
        if isReading, count >= Self.full {
            isReading = false
            stream.read(false)
        }
        more.take()?()
    }

    /// Forgets what waits: nobody takes it any more. What still comes is read and dropped.
    func drop() {
        guard !isDropped else { return }
        isDropped = true
        pieces = []
        first = 0
        count = 0
        more = nil
        if hasBegun, !isReading {
            isReading = true
            stream.read(true)
        }
    }
}
