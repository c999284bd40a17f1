import SDBasics
import SDCommand
import SDHTTPTransport
import SDPlatform
import SDRedis

/// Checks whether a Redis or Valkey server is suitable for replicas: its version, its eviction policy, and its user's
/// permissions.
struct SharedServerChecks {
    private let options: DoctorOptions

    private static let purpose = "--shared: what replicas have in common"
    /// The time for one command, in milliseconds.
    private static let limit = 5_000

    init(_ options: DoctorOptions) {
        self.options = options
    }

    /// Empty unless a server is named or required.
    var all: [DoctorCheck] {
        let parts: [DoctorOptions.Part] = [.sharedServer, .sharedMemory, .sharedRights]
        guard let text = options.shared, let address = try? RedisAddress(text) else {
            return parts.filter(options.required.contains).map {
                check($0, .missing, "no server is named", "give --shared URL, or set STUNTDOUBLE_SHARED")
            }
        }
        let server: Server
        do throws(TransportError) {
            server = try Server(handler: NoRequests())
            try server.start()
        } catch {
            return [check(.sharedServer, .failed, error.description, nil)]
        }
        defer { server.stopAndWait() }
        let caller = Caller(address, on: server.loop(), channel: "\(prefix)doctor")
        defer { caller.close() }
        switch caller.wait() {
        case .success(let version):
            let found = "\(address) is \(version)" + (address.isSecure ? ", trusted over TLS" : "")
            return [check(.sharedServer, .fine, found, nil), memory(caller), rights(caller)]
        case .failure(let failure): return [check(.sharedServer, .failed, failure.text, Self.advice(failure))]
        }
    }

    private var prefix: String { "stuntdouble:{\(options.sharedName)}:" }

    private func check(
        _ part: DoctorOptions.Part, _ state: DoctorCheck.State, _ found: String, _ advice: String?
    ) -> DoctorCheck {
        DoctorCheck(part: part, state: state, found: found, purpose: Self.purpose, advice: advice)
    }

    private static func advice(_ failure: RedisFailure) -> String? {
        let text = failure.text
        if text.contains(text: "password") || text.contains(text: "AUTH") {
            return "write the user and the password as redis://USER:PASSWORD@HOST:PORT/0, percent-encoded"
        }
        if text.contains(text: "SELECT") { return "name a database that the server has, as in redis://HOST:PORT/0" }
        if text.contains(text: "SUBSCRIBE") { return SharedServerChecks.neededRights }
        switch failure.kind {
        case .unreachable, .timedOut, .closed: return "start it, or name its host and port"
        default: return nil
        }
    }

    /// The eviction policy when memory is full.
    private func memory(_ caller: Caller) -> DoctorCheck {
        let reply = caller.ask(["INFO", "memory"])
        guard let reply, reply.errorText == nil, let text = reply.text else {
            return check(
                .sharedMemory, .note, "this user may not read the eviction policy (INFO)",
                "make sure that maxmemory-policy is noeviction")
        }
        func value(_ name: String) -> String? {
            text.split(whereSeparator: \.isNewline).first { $0.hasPrefix(name + ":") }
                .map { String($0.dropFirst(name.utf8.count + 1).prefix(40)) }
        }
        let most = value("maxmemory").flatMap { Int($0) } ?? 0
        let policy = value("maxmemory_policy") ?? "unknown"
        let room = most == 0 ? "no limit (maxmemory 0)" : "maxmemory of \(max(most >> 20, 1)) MiB"
        if most > 0, policy != "noeviction" {
            return check(
                .sharedMemory, .failed,
                "\(room), and maxmemory-policy \(policy): when it is full it drops what replicas need",
                "CONFIG SET maxmemory-policy noeviction")
        }
        if most > 0, most < Self.roomForAll {
            return check(
                .sharedMemory, .note,
                "\(room), and maxmemory-policy \(policy); journals of much traffic and stubs want \(Self.roomForAll >> 20) MiB",
                "CONFIG SET maxmemory \(Self.roomForAll >> 20)mb")
        }
        return check(.sharedMemory, .fine, "\(room), maxmemory-policy \(policy)", nil)
    }

    /// Space for a full journal, and as much again for changes, sessions and transient data.
    private static let roomForAll = 256 << 20

    private static let neededRights =
        "ACL SETUSER NAME ~stuntdouble:* &stuntdouble:* +@read +@write +@scripting +@pubsub +@connection +time"

    /// Whether the user may run the commands that replicas need, tried on a key of its own that is removed.
    private func rights(_ caller: Caller) -> DoctorCheck {
        let key = "\(prefix)doctor"
        let reply = caller.ask(["EVAL", Self.script, "1", key, key])
        let found: String?
        switch reply {
        case .some(.array(let refused)) where refused.isEmpty: found = nil
        case .some(.array(let refused)): found = refused.compactMap(\.text).joined(separator: "; ")
        case .some(.error(let text)): found = "EVAL: \(text.prefix(200))"
        default: found = "EVAL: no reply"
        }
        _ = caller.ask(["DEL", key])
        guard let found else {
            return check(
                .sharedRights, .fine, "its user may do all that replicas do with keys and channels \(prefix)*", nil)
        }
        return check(.sharedRights, .failed, "its user may not do what replicas do: \(found)", Self.neededRights)
    }

    /// Tries each kind of command that the replicas' scripts use, and returns those that were denied.
    private static let script = """
        local refused = {}
        local key = KEYS[1]
        local function try(...)
          local result = redis.pcall(...)
          if type(result) == 'table' and result.err then refused[#refused + 1] = (...) .. ': ' .. string.sub(result.err, 1, 120) end
        end
        try('TIME')
        try('DEL', key)
        for _, command in ipairs({
          {'SET', key, '1', 'NX', 'PX', '10000'}, {'GET', key}, {'INCR', key}, {'EXPIRE', key, '10'}, {'DEL', key},
          {'HSET', key, 'a', '1'}, {'HGETALL', key}, {'HDEL', key, 'a'}, {'DEL', key},
          {'XADD', key, '*', 'a', '1'}, {'XRANGE', key, '-', '+', 'COUNT', '1'}, {'DEL', key},
          {'ZADD', key, '1', 'a'}, {'ZRANGEBYSCORE', key, '0', '1'}, {'DEL', key},
          {'RPUSH', key, 'a'}, {'LPOP', key}, {'DEL', key}, {'PUBLISH', ARGV[1], 'a'},
        }) do try(unpack(command)) end
        return refused
        """

    /// Talks to the server on a loop, and waits.
    private struct Caller {
        let commands: RedisConnection
        let ears: RedisConnection
        private let states: Monitor<[RedisConnection.State]>

        init(_ address: RedisAddress, on loop: Loop, channel: String) {
            let states = Monitor<[RedisConnection.State]>([.connecting, .connecting])
            self.states = states
            commands = RedisConnection(address, on: loop) { state in states.change { $0[0] = state } }
            ears = RedisConnection(address, on: loop) { state in states.change { $0[1] = state } }
            ears.subscribe([channel]) { _, _ in }
        }

        func close() {
            commands.close()
            ears.close()
        }

        /// Waits until both connections are open, or one has failed.
        func wait() -> Result<String, RedisFailure> {
            func failure(_ states: [RedisConnection.State]) -> RedisFailure? {
                for case .failed(let failure) in states { return failure }
                return nil
            }
            func version(_ states: [RedisConnection.State]) -> String? {
                guard case .ready(let version) = states[0], case .ready = states[1] else { return nil }
                return version
            }
            _ = states.wait(milliseconds: 10_000) { failure($0) != nil || version($0) != nil }
            let seen = states.change { $0 }
            if let version = version(seen) { return .success(version) }
            return .failure(failure(seen) ?? RedisFailure(.timedOut, "the shared server does not answer within 10 s"))
        }

        func ask(_ command: [String]) -> RedisValue? {
            let reply = Monitor<Result<RedisValue, RedisFailure>?>(nil)
            commands.send(command, within: SharedServerChecks.limit) { result in reply.change { $0 = result } }
            reply.wait { $0 != nil }
            if case .success(let value) = reply.change({ $0 }) { return value }
            return nil
        }
    }
}

/// A handler that is never called: its server has no listener.
private final class NoRequests: RequestHandler {
    func serve(_ request: Request, reply: consuming Reply) {}
}
