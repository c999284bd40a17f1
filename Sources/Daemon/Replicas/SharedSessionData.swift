import SDMockEngine
import SDPlatform
import SDRedis
import Synchronization

/// Stores sessions' state and collections on the shared server: a hash of fields with the versions of their last
/// changes, and a lock that replicas get in the order in which they ask.
final class SharedSessionData: SharedData {
    private weak let replicas: Replicas?
    /// The waits for the lock, by token.
    private let waiting = Mutex<[String: Attempt]>([:])

    /// The timeout for getting the lock, and for a lock whose owner is dead, in milliseconds.
    private static let (limit, lock): (UInt64, UInt64) = (2_000, 1_500)
    /// The interval for asking for the lock again, in case a message was lost; in milliseconds.
    private static let retry: UInt64 = 100

    private struct Attempt: Sendable {
        let visit: DataVisit
        let deadline: UInt64
        let then: @Sendable (Result<DataGrant, DecisionProblem>) -> Void
    }

    init(_ replicas: Replicas) {
        self.replicas = replicas
    }

    func enter(_ visit: DataVisit, then: @escaping @Sendable (Result<DataGrant, DecisionProblem>) -> Void) {
        guard let replicas, replicas.state.change({ $0.isReady }) else {
            return then(.failure(DecisionProblem(problem)))
        }
        let token = "\(replicas.id).\(Replicas.randomText())"
        let deadline = SystemCalls.monotonicNanoseconds() + Self.limit * 1_000_000
        waiting.withLock { $0[token] = Attempt(visit: visit, deadline: deadline, then: then) }
        attempt(token, isFirst: true)
    }

    private var problem: String {
        replicas?.reasonToBeAlone ?? "the replica has ended"
    }

    /// The lock may be this replica's now.
    func mayEnter(_ token: String) { attempt(token, isFirst: false) }

    private func attempt(_ token: String, isFirst: Bool) {
        guard let attempt = waiting.withLock({ $0[token] }) else { return }
        guard let replicas else { return end(token, .failure(DecisionProblem("the replica has ended"))) }
        let now = SystemCalls.monotonicNanoseconds()
        guard now < attempt.deadline else {
            end(token, .failure(DecisionProblem("the others did not let go of the session's data within 2 s")))
            return leave(token, attempt.visit.key, []) { _ in }
        }
        let visit = attempt.visit
        // Lost data is restored first.
        guard let epoch = replicas.state.change({ $0.isReady ? $0.epoch : nil }) else {
            return replicas.schedule(Self.retry) { [weak self] in self?.attempt(token, isFirst: isFirst) }
        }
        let arguments = [
            token, String(Self.lock), String(visit.version), visit.epoch, Replicas.randomText(), isFirst ? "1" : "0",
            String(Replicas.keep), epoch,
        ]
        let command = SharedScript.enter.command(
            replicas.keys.data(visit.key.text) + [replicas.keys.epoch], arguments.map { Array($0.utf8) })
        replicas.send(command, within: Int((attempt.deadline - now) / 1_000_000) + 1) {
            [weak self, weak replicas] result in
            guard let self else { return }
            switch result {
            case .failure(let failure): end(token, .failure(DecisionProblem(failure.text)))
            case .success(let value):
                guard let parts = value.list, let isIn = parts.first?.int else {
                    let text = value.errorText.map { "the shared server refuses to give the session's data: \($0)" }
                    return end(token, .failure(DecisionProblem(text ?? "the shared server's data are no list")))
                }
                guard isIn == 1 else {
                    if isIn < 0 { replicas?.life.add { [weak replicas] in _ = replicas?.sayAlive() } }
                    replicas?.schedule(Self.retry) { [weak self] in self?.attempt(token, isFirst: false) }
                    return
                }
                end(token, Self.grant(token, visit.key, parts))
            }
        }
    }

    private func end(_ token: String, _ result: Result<DataGrant, DecisionProblem>) {
        waiting.withLock({ $0.removeValue(forKey: token) })?.then(result)
    }

    private static func grant(
        _ token: String, _ key: DecisionKey, _ parts: [RedisValue]
    ) -> Result<DataGrant, DecisionProblem> {
        guard parts.count == 5, let version = parts[1].int, version >= 0, let epoch = parts[2].text,
            let kind = parts[3].int, let items = parts[4].list, items.count.isMultiple(of: 2)
        else { return .failure(DecisionProblem("the shared server's data cannot be read")) }
        var fields: [DataField] = []
        for at in stride(from: 0, to: items.count, by: 2) {
            guard let name = items[at].data else {
                return .failure(DecisionProblem("the shared server's data cannot be read"))
            }
            fields.append(DataField(name, items[at + 1].data))
        }
        return .success(
            DataGrant(
                key: key, token: token, version: UInt64(version), epoch: epoch,
                kind: kind == 0 ? .news : kind == 1 ? .whole : .nothing, fields: fields))
    }

    func leave(
        _ grant: DataGrant, _ changes: [DataField],
        then: @escaping @Sendable (Result<UInt64?, DecisionProblem>) -> Void
    ) {
        leave(grant.token, grant.key, changes, then: then)
    }

    private func leave(
        _ token: String, _ key: DecisionKey, _ changes: [DataField],
        then: @escaping @Sendable (Result<UInt64?, DecisionProblem>) -> Void
    ) {
        guard let replicas else { return then(.failure(DecisionProblem("the replica has ended"))) }
        var arguments = [token, String(Self.lock), replicas.keys.replicas, String(Replicas.keep)].map { Array($0.utf8) }
        for change in changes {
            arguments += [change.name, Array((change.value == nil ? "0" : "1").utf8), change.value ?? []]
        }
        let command = SharedScript.leaveData.command(replicas.keys.data(key.text), arguments)
        replicas.send(command, within: Int(Self.limit)) { result in
            switch result {
            case .success(.integer(-2)):
                then(.failure(DecisionProblem("the shared server has lost the session's data")))
            case .success(.integer(let version)): then(.success(version < 0 ? nil : UInt64(version)))
            case .success(let other):
                then(.failure(DecisionProblem(other.errorText ?? "the shared server answers what was not asked")))
            case .failure(let failure): then(.failure(DecisionProblem(failure.text)))
            }
        }
    }
}

extension SharedScript {
    /// Gives a replica the lock of a session's data, if it is free.
    ///
    /// Keys: fields, versions, about, lock, queue, who knows most, epoch. Arguments: a token, the milliseconds of the
    /// lock, the version and the epoch that the replica knows, an epoch if there is none, whether this is the first
    /// attempt, the seconds that data live, and the epoch of all. Returns 0 if it has to wait, -1 if the epoch of all
    /// differs; else 1, the version, the epoch, a kind (0: the changes since, 1: everything, 2: there was nothing), and
    /// the fields with their values.
    fileprivate static let enter = SharedScript(
        text: """
            if redis.call('GET', KEYS[7]) ~= ARGV[8] then return {-1} end
            local best = not redis.call('HGET', KEYS[3], 'epoch') and redis.call('GET', KEYS[6])
            if best and string.match(best, '%S+$') ~= string.match(ARGV[1], '^[^.]+') then return {0} end
            local holder = redis.call('GET', KEYS[4])
            if holder and holder ~= ARGV[1] then
              if ARGV[6] == '1' then
                redis.call('RPUSH', KEYS[5], ARGV[1])
                redis.call('EXPIRE', KEYS[5], 60)
              end
              return {0}
            end
            redis.call('SET', KEYS[4], ARGV[1], 'PX', ARGV[2])
            redis.call('LREM', KEYS[5], 0, ARGV[1])
            local about = redis.call('HMGET', KEYS[3], 'version', 'epoch', 'floor')
            local version, epoch = tonumber(about[1] or '0'), about[2]
            local since, kind = tonumber(ARGV[3]), 0
            if not epoch then
              epoch, kind, since = ARGV[5], 2, 0
              redis.call('DEL', KEYS[1], KEYS[2])
              version = tonumber(ARGV[3])
              redis.call('HSET', KEYS[3], 'epoch', epoch, 'version', string.format('%.0f', version))
            elseif epoch ~= ARGV[4] or since < tonumber(about[3] or '0') or since > version then
              kind, since = 1, 0
            end
            local fields = {}
            for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. since, '+inf')) do
              fields[#fields + 1] = name
              fields[#fields + 1] = redis.call('HGET', KEYS[1], name)
            end
            for i = 1, 3 do redis.call('EXPIRE', KEYS[i], ARGV[7]) end
            return {1, version, epoch, kind, fields}
            """)

    /// Writes a replica's changes, and passes the lock to the next one. Versions of removed fields are kept until there
    /// are many.
    ///
    /// Keys: as for `enter`. Arguments: the token, the milliseconds of the lock, the prefix of channels, the seconds
    /// that data live, and for each field its name, 0 if it is removed, its value. Returns the version; -1, with
    /// nothing written, if the replica no longer had the lock; -2 if all data is lost.
    fileprivate static let leaveData = SharedScript(
        text: """
            redis.call('LREM', KEYS[5], 0, ARGV[1])
            if redis.call('GET', KEYS[4]) ~= ARGV[1] then return redis.call('EXISTS', KEYS[3]) - 2 end
            local version = tonumber(redis.call('HGET', KEYS[3], 'version') or '0')
            for i = 5, #ARGV, 3 do
              version = version + 1
              if ARGV[i + 1] == '1' then
                redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 2])
              else
                redis.call('HDEL', KEYS[1], ARGV[i])
              end
              redis.call('ZADD', KEYS[2], version, ARGV[i])
            end
            if #ARGV > 4 then
              redis.call('HSET', KEYS[3], 'version', version)
              if redis.call('ZCARD', KEYS[2]) - redis.call('HLEN', KEYS[1]) > 4000 then
                for _, name in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
                  if redis.call('HEXISTS', KEYS[1], name) == 0 then redis.call('ZREM', KEYS[2], name) end
                end
                redis.call('HSET', KEYS[3], 'floor', version)
              end
              for i = 1, 3 do redis.call('EXPIRE', KEYS[i], ARGV[4]) end
            end
            redis.call('DEL', KEYS[4])
            while true do
              local token = redis.call('LPOP', KEYS[5])
              if not token then break end
              local replica = string.match(token, '^[^.]+')
              redis.call('SET', KEYS[4], token, 'PX', ARGV[2])
              if redis.call('PUBLISH', ARGV[3] .. replica, 'enter ' .. token) > 0 then break end
              redis.call('DEL', KEYS[4])
            end
            return version
            """)
}
