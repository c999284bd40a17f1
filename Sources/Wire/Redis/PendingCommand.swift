/// A command whose reply is awaited. Its closure is called once, on the loop's thread; at the latest when the loop has
/// ended.
final class PendingCommand: Sendable {
    typealias Then = @Sendable (Result<RedisValue, RedisFailure>) -> Void

    /// The time limit in milliseconds.
    let within: Int
    // Used where the loop may be touched.
    private nonisolated(unsafe) var then: Then?
    /// In monotonic nanoseconds: the command's deadline, and the time at which a silent server counts as dead.
    nonisolated(unsafe) var deadline: UInt64 = 0
    nonisolated(unsafe) var deadEnd: UInt64 = 0
    /// The size in bytes.
    nonisolated(unsafe) var size = 0

    init(within milliseconds: Int, _ then: @escaping Then) {
        within = max(milliseconds, 1)
        self.then = then
    }

    deinit {
        end(.failure(RedisFailure(.closed, "the loop of the connection has ended")))
    }

    /// Whether nothing waits for the reply any more.
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
    /// The waiting commands, in order.
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
