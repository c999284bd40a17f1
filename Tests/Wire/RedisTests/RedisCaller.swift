import SDHTTPTransport
import SDRedis
import SDTestSupport

/// A loop with a connection on it, and what that tells.
final class RedisCaller: Sendable {
    let server: TestServer
    let connection: RedisConnection
    let states: Events<RedisConnection.State>

    init(_ address: String, _ change: (inout RedisSettings) -> Void = { _ in }) throws {
        var settings = RedisSettings()
        change(&settings)
        let states = Events<RedisConnection.State>()
        self.states = states
        server = try TestServer()
        connection = RedisConnection(try RedisAddress(address), settings: settings, on: server.server.loop()) {
            states.tell($0)
        }
    }

    deinit {
        connection.close()
    }

    /// Waits until the connection is ready.
    func ready() throws -> String {
        while let state = states.next(within: 20_000) {
            if case .ready(let version) = state { return version }
        }
        throw Silence()
    }

    /// Waits until the connection has failed.
    func failure() throws -> RedisFailure {
        while let state = states.next(within: 20_000) {
            if case .failed(let failure) = state { return failure }
        }
        throw Silence()
    }

    /// Sends a command, and waits for what becomes of it.
    func call(_ words: String..., within milliseconds: Int = 20_000) throws -> RedisValue {
        try start(words, within: milliseconds).result().get()
    }

    func start(_ words: [String], within milliseconds: Int = 20_000) -> Outcome {
        let outcome = Outcome()
        connection.send(words, within: milliseconds) { outcome.results.tell($0) }
        return outcome
    }

    /// What becomes of a command.
    struct Outcome: Sendable {
        let results = Events<Result<RedisValue, RedisFailure>>()

        func result() throws -> Result<RedisValue, RedisFailure> {
            guard let result = results.next(within: 20_000) else { throw Silence() }
            return result
        }
    }

    struct Silence: Error {}
}
