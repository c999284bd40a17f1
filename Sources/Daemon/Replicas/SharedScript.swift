/// A program that the shared server runs as one step.
struct SharedScript: Sendable {
    let text: String
    /// The number of its keys.
    let keys: Int

    /// Says that a replica lives, and tells it who else does. What has not been heard of for some time is forgotten, the keys
    /// live on.
    ///
    /// Keys: members, numbers, epoch, and all others. Arguments: its id, what it says of itself, the milliseconds after which one
    /// is dead, the seconds that keys live, an epoch. Answers its number, the server's milliseconds, the epoch, and of each
    /// member the id and what it says of itself behind the time.
    static let beat = SharedScript(
        text: """
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now) .. ' ' .. ARGV[2])
            local all = redis.call('HGETALL', KEYS[1])
            local living = {}
            for i = 1, #all, 2 do
              local seen = tonumber(string.match(all[i + 1], '^%d+')) or 0
              if now - seen > tonumber(ARGV[3]) then
                redis.call('HDEL', KEYS[1], all[i])
                redis.call('HDEL', KEYS[2], all[i])
              else
                living[#living + 1] = all[i]
                living[#living + 1] = all[i + 1]
              end
            end
            local number = redis.call('HGET', KEYS[2], ARGV[1])
            if not number then
              local taken = {}
              for _, one in ipairs(redis.call('HVALS', KEYS[2])) do taken[one] = true end
              number = 0
              while taken[tostring(number)] do number = number + 1 end
              redis.call('HSET', KEYS[2], ARGV[1], number)
            end
            redis.call('SET', KEYS[3], ARGV[5], 'NX')
            local epoch = redis.call('GET', KEYS[3])
            for i = 1, #KEYS do redis.call('EXPIRE', KEYS[i], ARGV[4]) end
            return {tonumber(number), string.format('%.0f', now), epoch, living}
            """, keys: 8)

    /// Forgets a replica that leaves. Keys: members, numbers. Argument: its id.
    static let leave = SharedScript(
        text: "redis.call('HDEL', KEYS[1], ARGV[1]); return redis.call('HDEL', KEYS[2], ARGV[1])", keys: 2)

    /// Appends a change, and tells everybody. Keys: log, issued, whole. Arguments: the channel of all, the version, the change,
    /// whether it draws the number of a session, and the epoch in which the log must be whole. Answers the place in the log, and
    /// how many listen; nothing if the log is not whole.
    static let append = SharedScript(
        text: """
            if redis.call('GET', KEYS[3]) ~= ARGV[5] then return false end
            local entry = {'v', ARGV[2], 'c', ARGV[3]}
            if ARGV[4] == '1' then
              entry[5] = 'n'
              entry[6] = redis.call('INCR', KEYS[2])
            end
            local place = redis.call('XADD', KEYS[1], '*', unpack(entry))
            return {place, redis.call('PUBLISH', ARGV[1], 'log')}
            """, keys: 3)

    /// Writes a change again that the shared server has lost. Keys: log, issued. Arguments: the place, the version, the change,
    /// the number of a session or nothing.
    static let restore = SharedScript(
        text: """
            local entry = {'v', ARGV[2], 'c', ARGV[3]}
            if ARGV[4] ~= '' then
              entry[5] = 'n'
              entry[6] = ARGV[4]
              if tonumber(redis.call('GET', KEYS[2]) or '0') < tonumber(ARGV[4]) then redis.call('SET', KEYS[2], ARGV[4]) end
            end
            return redis.call('XADD', KEYS[1], ARGV[1], unpack(entry))
            """, keys: 2)

    /// Appends a batch of requests; the oldest are dropped. Keys: journal, its bytes. Arguments: the replica's id, the batch, the
    /// most bytes.
    static let handIn = SharedScript(
        text: """
            local place = redis.call('XADD', KEYS[1], '*', 'r', ARGV[1], 'b', ARGV[2])
            local bytes = redis.call('INCRBY', KEYS[2], #ARGV[2])
            while bytes > tonumber(ARGV[3]) do
              local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
              if not first or first[1] == place then break end
              redis.call('XDEL', KEYS[1], first[1])
              bytes = redis.call('DECRBY', KEYS[2], #first[2][4])
            end
            return place
            """, keys: 2)

    func command(_ keys: [String], _ arguments: [[UInt8]]) -> [[UInt8]] {
        ["EVAL", text, String(self.keys)].map { Array($0.utf8) } + keys.map { Array($0.utf8) } + arguments
    }
}
