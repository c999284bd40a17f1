/// A command whose reply is awaited. Whoever gave it is told once, on the loop's thread; at the latest when nobody knows it any more,
/// as the loop has ended.
final class PendingCommand: Sendable {
    typealias Then = @Sendable (Result<RedisValue, RedisFailure>) -> Void

    /// In milliseconds.
    let within: Int
    // Used where the loop may be touched.
    private nonisolated(unsafe) var then: Then?
    /// Monotonic nanoseconds: when its time is over, and when a server that says nothing at all is taken for dead.
    nonisolated(unsafe) var deadline: UInt64 = 0
    nonisolated(unsafe) var deadEnd: UInt64 = 0
    /// Its bytes.
    nonisolated(unsafe) var size = 0

    init(within milliseconds: Int, _ then: @escaping Then) {
        within = max(milliseconds, 1)
        self.then = then
    }

    deinit {
        end(.failure(RedisFailure(.closed, "the loop of the connection has ended")))
    }

    /// Whether nobody waits for the reply any more.
    var isOver: Bool { then == nil }

    func end(_ result: Result<RedisValue, RedisFailure>) {
        then.take()?(result)
    }
}

/// Commands in the order in which they were sent.
struct PendingQueue {
    private var commands: [PendingCommand?] = []
    private var first = 0

    var isEmpty: Bool { first == commands.count }
    var front: PendingCommand? { isEmpty ? nil : commands[first] }
    /// Those that wait, in order.
    var all: [PendingCommand] { commands[first...].compactMap { $0 } }

    mutating func append(_ command: PendingCommand) {
        commands.append(command)
    }

    mutating func popFirst() -> PendingCommand? {
        guard !isEmpty else { return nil }
        let command = commands[first].take()
        first += 1
        if first == commands.count || first > 64 && first > commands.count / 2 {
            commands.removeFirst(first)
            first = 0
        }
        return command
    }
}
