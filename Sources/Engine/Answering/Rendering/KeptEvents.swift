import SDHTTPTransport

/// The events that callers sent to a stream last, from one with an id on, for readers that come back with the id of the
/// last event that they have seen.
struct KeptEvents {
    /// The events that were sent at once.
    private struct Push {
        let bytes: WireBytes
        /// The ids of its events, and where in the bytes each event ends.
        let ids: [(id: [UInt8], end: Int)]
    }

    /// The most bytes of all pushes, well below those that may wait for a reader.
    static let maxBytes = 512 << 10
    static let maxPushes = 1_000

    private var pushes: [Push] = []
    private var byteCount = 0

    package var isEmpty: Bool { pushes.isEmpty }

    /// Keeps what was sent, and drops the oldest of what is too much. What comes before all ids is of no use.
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

    /// The bytes that were sent after the event of that id; none if it is not known.
    package func after(_ id: ArraySlice<UInt8>) -> [WireBytes] {
        guard let (push, end) = place(of: id) else { return [] }
        let rest = pushes[push].bytes.copy.dropFirst(end)
        return (rest.isEmpty ? [] : [WireBytes(Array(rest))]) + pushes[(push + 1)...].map(\.bytes)
    }

    /// The last event of an id: the push, and where in its bytes the event ends.
    private func place(of id: ArraySlice<UInt8>) -> (push: Int, end: Int)? {
        for (index, push) in pushes.enumerated().reversed() {
            if let event = push.ids.last(where: { $0.id.elementsEqual(id) }) { return (index, event.end) }
        }
        return nil
    }
}
