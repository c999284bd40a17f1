import Foundation

/// A real `redis-server` for a test, which keeps nothing: on a Unix socket in a folder of its own, on a free port if one is asked for.
/// It is ended with this object at the latest.
public final class RedisServer {
    /// The program; nil if there is none. Tests that need one are `.enabled(if: RedisServer.program != nil, RedisServer.isMissing)`.
    public static let program = [
        "/usr/bin/redis-server", "/usr/local/bin/redis-server", "/opt/homebrew/bin/redis-server",
    ]
    .first(where: FileManager.default.isExecutableFile)
    public static let isMissing = "there is no redis-server"

    public let folder: TemporaryFolder
    public var socketPath: String { folder.path + "/redis.sock" }
    /// The port on 127.0.0.1; 0 for none. The same after `restart`.
    public let port: Int
    private let arguments: [String]
    private var process: ChildProcess

    /// Starts a server, and waits until it listens.
    /// - Parameters:
    ///   - listens: whether it listens on a free port, too.
    ///   - appends: whether it keeps what it is told in a file of its folder (`appendonly`), for `restart`.
    ///   - options: more options of the server, such as `["--requirepass", "secret"]`.
    public init(listens: Bool = false, appends: Bool = false, _ options: [String] = []) throws {
        guard let program = Self.program else { throw RedisServerFailure(reason: Self.isMissing) }
        folder = try TemporaryFolder()
        port = listens ? Int(TestPort.free()) : 0
        arguments =
            [
                "--port", String(port), "--bind", "127.0.0.1", "--unixsocket", folder.path + "/redis.sock", "--save",
                "",
                "--dir", folder.path, "--appendonly", appends ? "yes" : "no", "--daemonize", "no",
            ] + options
        process = try ChildProcess(program, arguments, outputsIn: folder)
        try waitUntilItListens()
    }

    /// Starts it again after `kill`, at the same places.
    public func restart() throws {
        guard let program = Self.program else { throw RedisServerFailure(reason: Self.isMissing) }
        try? folder.remove("redis.sock")
        process = try ChildProcess(program, arguments, outputsIn: folder)
        try waitUntilItListens()
    }

    /// Ends it at once, without a word (SIGKILL).
    public func kill() {
        process.signal(SIGKILL)
        _ = process.wait()
    }

    /// Stops it: its connections stay, and nothing comes through them until `resume`.
    public func pause() { process.signal(SIGSTOP) }
    public func resume() { process.signal(SIGCONT) }

    /// Its log so far.
    public var log: String { process.output + process.errors }

    private func waitUntilItListens() throws {
        let listens = eventually { () -> Bool? in
            if process.poll() != nil { return false }
            return log.contains("eady to accept connections") ? true : nil
        }
        guard listens == true else {
            throw RedisServerFailure(
                reason:
                    "redis-server does not listen: \(log.suffix(600).split(whereSeparator: \.isNewline).joined(separator: " | "))"
            )
        }
    }
}

/// Why there is no server.
public struct RedisServerFailure: Error, CustomStringConvertible {
    public let reason: String

    public var description: String { reason }
}
