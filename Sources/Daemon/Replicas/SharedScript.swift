/// A script that the shared server runs atomically.
struct SharedScript: Sendable {
    let text: String

    /// `isWhole(log, about, made, epoch)`: whether the log contains all changes ever made. It does not if it is
    /// missing, of another epoch, or if a replica has made a later change than the log's last.
    private static let isWhole = """
        local function isWhole(log, about, made, epoch)
          local known = redis.call('HMGET', about, 'whole', 'last')
          local kind = redis.call('TYPE', log).ok
          if kind ~= 'stream' and kind ~= 'none' then redis.call('DEL', log) end
          local function at(place)
            local time, number = string.match(place or '', '^(%d+)-(%d+)$')
            return tonumber(time or 0), tonumber(number or 0)
          end
          local function isBehind(place)
            local time, number = at(place)
            local mine, my = at(made)
            return mine > time or mine == time and my > number
          end
          local isGone = known[2] and kind ~= 'stream'
          if not isGone and isBehind(known[2]) then
            -- Unless somebody else has written there.
            local top = kind == 'stream' and redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
            isGone = not top or isBehind(top[1])
          end
          if isGone then
            redis.call('HDEL', about, 'whole')
            return false
          end
          return known[1] == epoch
        end

        """

    /// A heartbeat: registers a replica as alive, and returns all that are. Replicas without recent heartbeats are
    /// removed, and the keys' life is extended. Surplus members, or ones without numbers, are mostly removed too.
    ///
    /// Keys: members, numbers, epoch, log, about, journal, and about that. Arguments: its id, its description, the
    /// milliseconds after which a replica is dead, the seconds that keys live, an epoch, the last change that it has
    /// made, the maximum number of members. Returns its number, the server's milliseconds, the epoch, each member's id,
    /// time and description, whether the log is complete, the journal's identity, its last place, and the number of
    /// ignored members.
    static let beat = SharedScript(
        text: isWhole + """
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now) .. ' ' .. ARGV[2])
            local all = redis.call('HGETALL', KEYS[1])
            local known, taken = {}, {}
            local numbers = redis.call('HGETALL', KEYS[2])
            for i = 1, #numbers, 2 do known[numbers[i]] = numbers[i + 1] end
            local living, over = {}, 0
            local function visit(isKnown)
              for i = 1, #all, 2 do
                local id = all[i]
                if isKnown == (known[id] ~= nil or id == ARGV[1]) then
                  local seen = tonumber(string.match(all[i + 1], '^%d+')) or 0
                  local isFull = #living >= 2 * tonumber(ARGV[7]) and id ~= ARGV[1]
                  if isFull or math.abs(now - seen) > tonumber(ARGV[3]) or #all[i + 1] > 4096 then
                    if isFull then over = over + 1 end
                    redis.call('HDEL', KEYS[1], id)
                    redis.call('HDEL', KEYS[2], id)
                    known[id] = nil
                  else
                    living[#living + 1] = id
                    living[#living + 1] = all[i + 1]
                  end
                end
              end
            end
            visit(true)
            visit(false)
            for _, one in pairs(known) do taken[one] = true end
            local number = known[ARGV[1]]
            if not number then
              number = 0
              while taken[tostring(number)] do number = number + 1 end
              redis.call('HSET', KEYS[2], ARGV[1], number)
            end
            redis.call('SET', KEYS[3], ARGV[5], 'NX')
            local epoch = redis.call('GET', KEYS[3])
            if redis.call('TYPE', KEYS[5]).ok ~= 'hash' then redis.call('DEL', KEYS[5]) end
            if redis.call('TYPE', KEYS[6]).ok ~= 'stream' or redis.call('TYPE', KEYS[7]).ok ~= 'hash' then
              redis.call('DEL', KEYS[6], KEYS[7])
            end
            local journal = redis.call('HMGET', KEYS[7], 'run', 'last')
            local whole = isWhole(KEYS[4], KEYS[5], ARGV[6], epoch)
            for i = 1, #KEYS do redis.call('EXPIRE', KEYS[i], ARGV[4]) end
            return {
              tonumber(number), string.format('%.0f', now), epoch, living, whole and 1 or 0, journal[1] or '', journal[2] or '', over
            }
            """)

    /// Removes a replica that leaves, and announces it. Keys: members, numbers. Arguments: its id, the channel of all.
    static let leave = SharedScript(
        text: """
            redis.call('HDEL', KEYS[1], ARGV[1])
            redis.call('HDEL', KEYS[2], ARGV[1])
            return redis.call('PUBLISH', ARGV[2], 'left ' .. ARGV[1])
            """)

    /// Appends a change, and announces it. Keys: log, about. Arguments: the channel of all, the version, the change,
    /// whether it needs a session number, the epoch in which the log must be complete, and the last change that the
    /// replica has made. Returns the place in the log, and the number of listeners; nothing if the log is incomplete.
    static let append = SharedScript(
        text: isWhole + """
            if not isWhole(KEYS[1], KEYS[2], ARGV[6], ARGV[5]) then return false end
            local entry = {'v', ARGV[2], 'c', ARGV[3]}
            if ARGV[4] == '1' then
              entry[5] = 'n'
              entry[6] = redis.call('HINCRBY', KEYS[2], 'issued', 1)
            end
            local place = redis.call('XADD', KEYS[1], '*', unpack(entry))
            redis.call('HSET', KEYS[2], 'last', place)
            return {place, redis.call('PUBLISH', ARGV[1], 'log')}
            """)

    /// Writes a lost change again. Key: log. Arguments: the place, the version, the change, the number of a session or
    /// nothing. An existing entry was written by a replica that had started restoring earlier.
    static let restore = SharedScript(
        text: """
            local entry = {'v', ARGV[2], 'c', ARGV[3]}
            if ARGV[4] ~= '' then
              entry[5] = 'n'
              entry[6] = ARGV[4]
            end
            redis.pcall('XADD', KEYS[1], ARGV[1], unpack(entry))
            return 1
            """)

    /// Writes the decisions of a session that a replica knows; a field is skipped if a later decision about it was
    /// written.
    ///
    /// Keys: the session's hash, and a hash with the decision numbers of restored fields. Arguments: the seconds that
    /// they live, and four per field: the hash's suffix, the field's name, its value, the decision's number.
    static let restoreDecisions = SharedScript(
        text: """
            local hash, when = KEYS[1], KEYS[2]
            local last = tonumber(redis.call('HGET', hash, 'v') or '0')
            local seen = redis.call('HMGET', when, 'top', 'base')
            local base, top = last, last
            if seen[1] and tonumber(seen[1]) == last then
              base = tonumber(seen[2])
            else
              redis.call('DEL', when)
            end
            for i = 2, #ARGV, 4 do
              local name, number = ARGV[i] .. '/' .. ARGV[i + 1], tonumber(ARGV[i + 3])
              if number > tonumber(redis.call('HGET', when, name) or base) then
                local key = hash
                if ARGV[i] ~= '' then key = hash .. ':' .. ARGV[i] end
                redis.call('HSET', key, ARGV[i + 1], ARGV[i + 2])
                redis.call('EXPIRE', key, ARGV[1])
                redis.call('HSET', when, name, ARGV[i + 3])
                if number > top then top = number end
              end
            end
            redis.call('HSET', hash, 'v', string.format('%.0f', top))
            redis.call('EXPIRE', hash, ARGV[1])
            redis.call('HSET', when, 'top', string.format('%.0f', top), 'base', string.format('%.0f', base))
            redis.call('EXPIRE', when, 60)
            return 1
            """)

    /// Registers how much a replica knows of a session's data, so that the one that knows most restores it. Key: that
    /// replica. Arguments: the version, the replica's id.
    static let knowsData = SharedScript(
        text: """
            local known = redis.call('GET', KEYS[1])
            if not known or tonumber(ARGV[1]) > tonumber(string.match(known, '^%d+') or '0') then
              redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2], 'PX', 4000)
            end
            return 1
            """)

    /// Marks the log as complete. Keys: log, about, mending. Arguments: the epoch, the last change, the number of
    /// sessions created. Later entries get later places, even if the log is empty.
    static let mended = SharedScript(
        text: """
            if ARGV[2] ~= '0-0' then
              local place = redis.pcall('XADD', KEYS[1], ARGV[2], 'v', '0')
              if type(place) == 'string' then redis.call('XDEL', KEYS[1], place) end
              redis.call('HSET', KEYS[2], 'last', ARGV[2])
            end
            local issued = tonumber(redis.call('HGET', KEYS[2], 'issued') or '0')
            if issued < tonumber(ARGV[3]) then redis.call('HSET', KEYS[2], 'issued', ARGV[3]) end
            redis.call('HSET', KEYS[2], 'whole', ARGV[1])
            redis.call('DEL', KEYS[3])
            return 1
            """)

    /// Appends a batch of requests, dropping the oldest ones. Keys: journal, about it. Arguments: the replica's id, the
    /// batch, the maximum number of bytes, and the identity of a new stream. Returns the place, and the stream's
    /// identity.
    static let handIn = SharedScript(
        text: """
            local run = redis.call('HGET', KEYS[2], 'run')
            if not run or redis.call('EXISTS', KEYS[1]) == 0 then
              run = ARGV[4]
              redis.call('DEL', KEYS[1], KEYS[2])
              redis.call('HSET', KEYS[2], 'run', run)
            end
            local place = redis.call('XADD', KEYS[1], '*', 'r', ARGV[1], 'b', ARGV[2])
            redis.call('HSET', KEYS[2], 'last', place)
            local bytes = redis.call('HINCRBY', KEYS[2], 'bytes', #ARGV[2])
            while bytes > tonumber(ARGV[3]) do
              local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
              if not first or first[1] == place then break end
              redis.call('XDEL', KEYS[1], first[1])
              bytes = redis.call('HINCRBY', KEYS[2], 'bytes', -#first[2][4])
            end
            return {place, run}
            """)

    /// Reads a stream, up to the size of one reply. Key: the stream. Arguments: the first place, the maximum number of
    /// bytes. A larger entry is returned as its place alone.
    static let read = SharedScript(
        text: """
            local from, list, bytes, most, more = ARGV[1], {}, 0, tonumber(ARGV[2]), 1
            while #list < 256 do
              local page = redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', 8)
              for _, entry in ipairs(page) do
                local size = 0
                for i = 1, #entry[2] do size = size + #entry[2][i] end
                if size > most then
                  entry = {entry[1]}
                else
                  if bytes > 0 and bytes + size > most then return {list, more} end
                  bytes = bytes + size
                end
                list[#list + 1] = entry
              end
              local time, number
              if #page == 8 then
                time, number = string.match(page[8][1], '^(%d+)-(%d+)$')
                number = tonumber(number)
              end
              if #page < 8 or number > 2 ^ 50 then
                more = 0
                break
              end
              from = time .. '-' .. string.format('%.0f', number + 1)
            end
            return {list, more}
            """)

    /// Extends or ends the life of sessions' decisions and data. Keys: per session the decisions, and three of data.
    /// Argument: the seconds; 0 ends it.
    static let keep = SharedScript(
        text: """
            local function act(key)
              if ARGV[1] == '0' then redis.call('UNLINK', key) else redis.call('EXPIRE', key, ARGV[1]) end
            end
            for i = 1, #KEYS, 4 do
              if redis.call('TYPE', KEYS[i]).ok == 'hash' then
                local all = redis.call('HGETALL', KEYS[i])
                for f = 1, #all, 2 do
                  -- Places by value are in two hashes of their own.
                  if string.find(all[f], '^m%a:') then
                    local field = string.sub(all[f], 2)
                    local half = tonumber(redis.call('HGET', KEYS[i], field) or '0')
                    for n = half - 1, half do act(KEYS[i] .. ':' .. field .. ':' .. string.format('%d', n)) end
                  end
                end
              end
              for k = i, i + 3 do act(KEYS[k]) end
            end
            return 1
            """)

    func command(_ keys: [String], _ arguments: [[UInt8]]) -> [[UInt8]] {
        ["EVAL", text, String(keys.count)].map { Array($0.utf8) } + keys.map { Array($0.utf8) } + arguments
    }
}
