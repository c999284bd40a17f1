import SDHTTPTransport

/// The events that callers last sent to a stream, starting with one that has an id. Readers that reconnect with the id
/// of their last event get the following ones.
struct ReplayBuffer {
    /// Events that were sent at once.
    private struct Push {
        let bytes: WireBytes
        /// The ids of its events, and the offset at which each event ends.
        let ids: [(id: [UInt8], end: Int)]
    }

    /// The largest size of all pushes in bytes, well below the limit of bytes that wait for a reader.
    static let maxBytes = 512 << 10
    static let maxPushes = 1_000

    private var pushes: [Push] = []
    private var byteCount = 0

    package var isEmpty: Bool { pushes.isEmpty }

    /// Stores a push, and drops the oldest ones past the limits. Pushes before the first id are useless, and dropped.
    package mutating func add(_ bytes: WireBytes, ids: [(id: [UInt8], end: Int)]) {
        if pushes.isEmpty && ids.isEmpty { return }
        pushes.append(Push(bytes: bytes, ids: ids))
        byteCount += bytes.count
        var dropped = 0
        while dropped < pushes.count,
            byteCount > Self.maxBytes || pushes.count - dropped > Self.maxPushes || pushes[dropped].ids.isEmpty
        {
            byteCount -= pushes[dropped].bytes.count
            dropped += 1
        }
        pushes.removeFirst(dropped)
    }

    package func has(_ id: ArraySlice<UInt8>) -> Bool { place(of: id) != nil }

    /// The bytes that were sent after the event of an id; empty if it is unknown.
    package func after(_ id: ArraySlice<UInt8>) -> [WireBytes] {
        guard let (push, end) = place(of: id) else { return [] }
        let rest = pushes[push].bytes.copy.dropFirst(end)
        return (rest.isEmpty ? [] : [WireBytes(Array(rest))]) + pushes[(push + 1)...].map(\.bytes)
    }

    /// The last event of an id: the push, and the offset at which the event ends.
    private func place(of id: ArraySlice<UInt8>) -> (push: Int, end: Int)? {
        for (index, push) in pushes.enumerated().reversed() {
            if let event = push.ids.last(where: { $0.id.elementsEqual(id) }) { return (index, event.end) }
        }
        return nil
    }
}
