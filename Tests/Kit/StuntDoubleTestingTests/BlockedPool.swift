import Foundation
import StuntDoubleTesting
import Testing

/// Runs `body` with a server of its own, from before that begins until it has ended, while every thread of Swift's pool is
/// blocked. For a process of its own: nothing else runs in it.
@MainActor func withBlockedPool(_ body: @MainActor (MockServer) async throws -> Void) async throws {
    let pool = BlockedPool()
    defer { pool.unblock() }
    let mock = try await MockServer.launch()
    try await body(mock)
    try await mock.end()
    #expect(pool.isBlocked)
}

/// Blocks all threads of Swift's pool as soon as it is made.
private final class BlockedPool: Sendable {
    private struct State {
        /// The blocked threads of each priority, of which each has its own.
        var blocked: [TaskPriority.RawValue: Int] = [:]
        /// Whether a task has run since all were blocked.
        var isBroken = false
        var isOver = false
    }

    private static let priorities: [TaskPriority] = [.high, .medium, .low, .background]
    private let state = Locked(State())
    private let end = NSCondition()

    init() {
        let threads = ProcessInfo.processInfo.activeProcessorCount
        for priority in Self.priorities {
            // More than there can be, in case the system adds some.
            for _ in 0..<4 * threads { Task.detached(priority: priority) { self.block(priority) } }
        }
        while !Self.priorities.allSatisfy({ state.value.blocked[$0.rawValue] ?? 0 >= threads }) {
            Thread.sleep(forTimeInterval: 0.001)
        }
        for priority in Self.priorities {
            Task.detached(priority: priority) { self.state.withLock { $0.isBroken = !$0.isOver } }
        }
        Thread.detachNewThread { self.guardAgainstHanging() }
    }

    /// Whether no task has got a thread.
    var isBlocked: Bool { !state.value.isBroken }

    func unblock() {
        state.withLock { $0.isOver = true }
        end.withLock { end.broadcast() }
    }

    private func block(_ priority: TaskPriority) {
        state.withLock { $0.blocked[priority.rawValue, default: 0] += 1 }
        end.withLock { while !state.value.isOver { end.wait() } }
    }

    /// A time limit of the test needs a thread of the pool, too.
    private func guardAgainstHanging() {
        end.withLock {
            let limit = Date.now + 600
            while !state.value.isOver {
                guard end.wait(until: limit) else { fatalError("a call has not ended beside a blocked pool") }
            }
        }
    }
}

/// A request of the code under test, under way as soon as it is made, on threads of its own: those of Foundation's client on
/// Linux are blocked with the pool.
final class Asking: Sendable {
    private let promise = Promise<String>()

    /// - Parameter body: the number of bytes to post; nil gets.
    init(_ path: String, of mock: MockServer, body: Int? = nil) {
        let exchange = RawExchange(host: mock.url.host() ?? "", port: mock.url.port ?? 80)
        var request = "\(body == nil ? "GET" : "POST") \(mock.url.path())/\(path) HTTP/1.1\r\nHost: localhost\r\n"
        request += body.map { "Content-Length: \($0)\r\n\r\n" + String(repeating: "x", count: $0) } ?? "\r\n"
        _ = KitThreads.detached { [promise, request] in
            do {
                let answer = try await exchange.send(Array(request.utf8), isHead: false, timeout: .seconds(600))
                promise.fulfil("\(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
            } catch {
                promise.fulfil("none: \(error)")
            }
        }
    }

    /// The status and the text, `200 hello`; or `none` and why.
    nonisolated(nonsending) func answer() async -> String { await promise.value }
}
