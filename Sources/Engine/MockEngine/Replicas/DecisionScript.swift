import SDJournal
import SDStubModel

/// The script by which the shared server decides about a proposal, with its arguments and its reply.
package enum DecisionScript {
    /// The server's reply, with the types that the script returns.
    package enum Reply: Sendable, Equatable {
        case integer(Int)
        case text([UInt8])
        case list([Reply])
        /// Any other type, by its name.
        case other(String)
    }

    /// The time in seconds for which the server stores decisions, unless replicas extend it.
    static let lifetime = 600
    /// The number of values of a sequence that are stored for certain, as in one process.
    static let maxValues = 10_000

    /// `EVAL text 1 KEY arguments…`; KEY is the proposal's key with the prefix.
    ///
    /// ARGV: the lifetime, the number of values, the number of candidates, and twelve for each candidate: the
    /// scenario's field, its state here, `=` and the required state, `=` and the next one; the field of uses, their
    /// number here, the limit; the sequence's field, the place here, the last one, 1 for a loop, `=` and the value. An
    /// empty text stands for what a candidate does not have.
    ///
    /// After the candidates, of which there are none then, follow six for each count of a fault: its field, the number
    /// of first requests on which it acts, the number here, `=` and the value for which it counts, the quota, and its
    /// period in milliseconds. Periods are measured by the server's clock.
    ///
    /// The reply: the number of the candidate that answers, from 1, or 0; the index of its response, or -1; for each
    /// candidate up to it the scenario's state and the number of uses; and for each count the number of first requests
    /// before, or -1, and the milliseconds until the next period, 0 within the quota, or -1. If something has moved, a
    /// list follows: the number of the decision in its session, and for each field that was written the hash after KEY,
    /// the name and the value.
    ///
    /// With a second key, that of the current epoch, the script decides nothing in another epoch; the reply begins with
    /// -1.
    package static let text = """
        local hash = KEYS[1]
        if KEYS[2] then
            local epoch = redis.call('GET', KEYS[2])
            if not epoch or not string.find(hash, ':' .. epoch .. ':', 1, true) then return {-1, 0} end
        end
        local moved = {}
        local lifetime, most = ARGV[1], tonumber(ARGV[2])
        local reply = {0, -1}
        local at = 4
        local function keep(key, field, value)
            if #moved == 0 then moved[1] = redis.call('HINCRBY', hash, 'v', 1) end
            moved[#moved + 1] = string.sub(key, #hash + 2)
            moved[#moved + 1] = field
            moved[#moved + 1] = value
            redis.call('HSET', key, field, value)
            redis.call('EXPIRE', key, lifetime)
        end
        local function placeOf(field, place, last, loops, value)
            local function following(now)
                if now < last then return now + 1 end
                if loops then return 0 end
                return last
            end
            if value == '' then
                local now = tonumber(redis.call('HGET', hash, field)) or place
                keep(hash, field, string.format('%d', following(now)))
                return now
            end
            value = string.sub(value, 2)
            local half = tonumber(redis.call('HGET', hash, field)) or 0
            local function key(number) return hash .. ':' .. field .. ':' .. string.format('%d', number) end
            local known = redis.call('HGET', key(half), value)
            local isNew = not known
            if isNew then known = redis.call('HGET', key(half - 1), value) end
            local now = tonumber(known) or place
            if isNew and redis.call('HLEN', key(half)) >= most then
                redis.call('DEL', key(half - 1))
                half = half + 1
                keep(hash, field, string.format('%d', half))
            end
            keep(key(half), value, string.format('%d', following(now)))
            if now >= (tonumber(redis.call('HGET', hash, 'm' .. field)) or 0) then
                keep(hash, 'm' .. field, string.format('%d', now + 1))
            end
            return now
        end
        for candidate = 1, tonumber(ARGV[3]) do
            local scenario, state, required, next = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
            local uses, used, limit = ARGV[at + 4], ARGV[at + 5], ARGV[at + 6]
            local isOpen = true
            if scenario ~= '' then
                state = redis.call('HGET', hash, scenario) or state
                isOpen = required == '' or required == '=' .. state
            end
            if uses ~= '' then
                used = redis.call('HGET', hash, uses) or used
                isOpen = isOpen and tonumber(used) < tonumber(limit)
            end
            reply[#reply + 1] = state
            reply[#reply + 1] = used
            if isOpen then
                reply[1] = candidate
                if next ~= '' then keep(hash, scenario, string.sub(next, 2)) end
                if uses ~= '' then keep(hash, uses, string.format('%d', tonumber(used) + 1)) end
                local sequence = ARGV[at + 7]
                if sequence ~= '' then
                    reply[2] = placeOf(
                        sequence, tonumber(ARGV[at + 8]), tonumber(ARGV[at + 9]), ARGV[at + 10] == '1', ARGV[at + 11])
                end
                if #moved > 0 then reply[#reply + 1] = moved end
                return reply
            end
            at = at + 12
        end
        while at <= #ARGV do
            local field, first, place, wait = ARGV[at], tonumber(ARGV[at + 1]), -1, -1
            if first then place = placeOf(field, tonumber(ARGV[at + 2]), first, false, ARGV[at + 3]) end
            local limit, period = tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5])
            if limit and (not first or place < first) then
                local time = redis.call('TIME')
                local now = time[1] * 1000 + math.floor(time[2] / 1000)
                local began, count = string.match(redis.call('HGET', hash, 'p' .. field) or '', '^(%d+) (%d+)$')
                began, count = tonumber(began or now), tonumber(count or '0')
                if now - began >= period or now < began then began, count = now, 0 end
                wait = 0
                if count < limit then
                    keep(hash, 'p' .. field, string.format('%.0f %d', began, count + 1))
                else
                    wait = began + period - now
                end
            end
            reply[#reply + 1] = place
            reply[#reply + 1] = wait
            at = at + 6
        end
        if #moved > 0 then reply[#reply + 1] = moved end
        return reply
        """

    /// The script's arguments after the key.
    /// - Parameter maxValues: the number of values of a sequence that are stored for certain.
    package static func arguments(_ proposal: Proposal, maxValues: Int = Self.maxValues) -> [[UInt8]] {
        var list: [[UInt8]] = []
        list.reserveCapacity(3 + 12 * proposal.candidates.count)
        func add(_ text: String) { list.append(Array(text.utf8)) }
        func add(_ number: Int) { add(String(number)) }
        func add(marked text: String?) { add(text.map { "=" + $0 } ?? "") }
        add(lifetime)
        add(maxValues)
        add(proposal.candidates.count)
        for candidate in proposal.candidates {
            add(candidate.scenario?.field ?? "")
            add(candidate.scenario?.known ?? "")
            add(marked: candidate.scenario?.required)
            add(marked: candidate.scenario?.next)
            add(candidate.times?.field ?? "")
            add(candidate.times.map { String($0.known) } ?? "")
            add(candidate.times.map { String($0.limit) } ?? "")
            add(candidate.sequence?.field ?? "")
            add(candidate.sequence.map { String($0.known) } ?? "")
            add(candidate.sequence.map { String($0.last) } ?? "")
            add(candidate.sequence?.isLoop == true ? "1" : "")
            list.append(candidate.sequence?.value.map { [UInt8(ascii: "=")] + $0 } ?? [])
        }
        for count in proposal.counts {
            add(count.field)
            add(count.first.map { String($0) } ?? "")
            add(count.known)
            list.append(count.value.map { [UInt8(ascii: "=")] + $0 } ?? [])
            add(count.quota.map { String($0.limit) } ?? "")
            add(count.quota.map { String($0.period) } ?? "")
        }
        return list
    }

    /// Parses and validates the script's reply.
    /// - Throws: what is wrong with the reply.
    package static func verdict(_ reply: Reply, on proposal: Proposal) throws(DecisionProblem) -> Verdict {
        guard case .list(var items) = reply, items.count >= 2, case .integer(let number) = items[0],
            case .integer(let place) = items[1], 0...proposal.candidates.count ~= number
        else { throw DecisionProblem("the shared server's answer to a decision is none: \(described(reply))") }
        if case .list = items.last { items.removeLast() }
        let count = number == 0 ? proposal.candidates.count : number
        let whole = 2 + 2 * (count + proposal.counts.count)
        guard items.count == whole else {
            throw DecisionProblem(
                "the shared server's answer to a decision has \(items.count) items in place of \(whole)")
        }
        var verdict = Verdict(chosen: number == 0 ? nil : number - 1)
        for (index, candidate) in proposal.candidates.prefix(count).enumerated() {
            var seen = Verdict.Seen()
            if candidate.scenario != nil { seen.state = try text(items[2 + 2 * index]) }
            if candidate.times != nil {
                guard let used = Int(try text(items[3 + 2 * index])), used >= 0 else {
                    throw DecisionProblem("the shared server's number of uses is none")
                }
                seen.used = used
            }
            verdict.seen.append(seen)
        }
        if number > 0, let sequence = proposal.candidates[number - 1].sequence {
            guard 0...sequence.last ~= place else {
                throw DecisionProblem(
                    "the shared server's place in a list of \(sequence.last + 1) responses is \(place)")
            }
            verdict.place = place
        }
        for (index, asked) in proposal.counts.enumerated() {
            guard case .integer(let seen) = items[2 + 2 * (count + index)],
                case .integer(let wait) = items[3 + 2 * (count + index)],
                -1...(asked.first ?? -1) ~= seen, -1...(asked.quota?.period ?? -1) ~= wait
            else { throw DecisionProblem("the shared server's count of a fault is none") }
            verdict.counts.append(
                FaultCount.Verdict(seen: seen < 0 ? nil : seen, wait: wait < 0 ? nil : wait))
        }
        return verdict
    }

    /// Whether a reply says that nothing was decided because the epoch has changed.
    package static func isOfAnotherEpoch(_ reply: Reply) -> Bool {
        guard case .list(let items) = reply, case .integer(let number)? = items.first else { return false }
        return number == -1
    }

    /// The fields that a decision has moved, and the decision's number; nil for none.
    package static func moved(_ reply: Reply) -> (number: Int, fields: [MovedField])? {
        guard case .list(let items) = reply, case .list(let parts)? = items.last,
            case .integer(let number)? = parts.first, parts.count % 3 == 1
        else { return nil }
        var fields: [MovedField] = []
        for at in stride(from: 1, to: parts.count, by: 3) {
            guard case .text(let hash) = parts[at], case .text(let name) = parts[at + 1],
                case .text(let value) = parts[at + 2]
            else { return nil }
            fields.append(MovedField(MovedField.Name(hash: hash, name: name), value))
        }
        return (number, fields)
    }

    private static func text(_ reply: Reply) throws(DecisionProblem) -> String {
        guard case .text(let bytes) = reply else {
            throw DecisionProblem("the shared server's answer to a decision has no text where one belongs")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func described(_ reply: Reply) -> String {
        switch reply {
        case .integer(let number): "the number \(number)"
        case .text(let bytes): "a text of \(bytes.count) bytes"
        case .list(let items): "a list of \(items.count)"
        case .other(let name): name
        }
    }
}
