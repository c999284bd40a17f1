/// The stored messages, oldest first. Dropping the oldest one moves the others only now and then.
struct MessageLog: RandomAccessCollection, Sendable {
    /// Elements before `head` are dropped.
    private var storage: [MessageEvent?] = []
    private var head = 0

    var startIndex: Int { 0 }
    var endIndex: Int { storage.count - head }

    subscript(position: Int) -> MessageEvent {
        guard let event = storage[head + position] else { preconditionFailure("a message was dropped that is kept") }
        return event
    }

    mutating func append(_ event: MessageEvent) { storage.append(event) }

    mutating func removeFirst(_ count: Int) {
        for index in head..<head + count { storage[index] = nil }
        head += count
        guard head >= 64, head * 2 >= storage.count else { return }
        storage.removeFirst(head)
        head = 0
    }

    mutating func removeAll(where isMeant: (MessageEvent) -> Bool = { _ in true }) {
        storage = filter { !isMeant($0) }
        head = 0
    }
}
