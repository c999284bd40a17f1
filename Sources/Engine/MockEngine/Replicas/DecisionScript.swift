/// The script by which the shared server decides about a proposal, with its arguments and its reply.
package enum DecisionScript {
    /// A reply of the server, as far as the script gives one.
    package enum Reply: Sendable, Equatable {
        case integer(Int)
        case text([UInt8])
        case list([Reply])
        /// Anything else, by its name.
        case other(String)
    }

    /// The time in seconds for which decisions are kept after the last one.
    static let lifetime = 86_400
    /// The number of values of a sequence that are kept for certain, as one process does it.
    static let mostValues = 10_000

    /// `EVAL text 1 KEY arguments…`, of which KEY is the proposal's with the prefix.
    ///
    /// ARGV: the lifetime, the number of values, the number of candidates, and twelve for each candidate: the scenario's
    /// field, its state here, `=` and the required state, `=` and the next one; the field of uses, their number here, the
    /// limit; the sequence's field, the place here, the last one, 1 for a loop, `=` and the value. An empty text stands
    /// for what a candidate does not have.
    ///
    /// The reply: the number of the candidate that answers, from 1, or 0; the index of its response, or -1; and for
    /// each candidate up to it the scenario's state and the number of uses.
    package static let text = """
        local hash = KEYS[1]
        local lifetime, most = ARGV[1], tonumber(ARGV[2])
        local reply = {0, -1}
        local at = 4
        local function keep(key, field, value)
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
                return reply
            end
            at = at + 12
        end
        return reply
        """

    /// The script's arguments after the key.
    /// - Parameter mostValues: the number of values of a sequence that are kept for certain.
    package static func arguments(_ proposal: Proposal, mostValues: Int = Self.mostValues) -> [[UInt8]] {
        var list: [[UInt8]] = []
        list.reserveCapacity(3 + 12 * proposal.candidates.count)
        func add(_ text: String) { list.append(Array(text.utf8)) }
        func add(_ number: Int) { add(String(number)) }
        func add(marked text: String?) { add(text.map { "=" + $0 } ?? "") }
        add(lifetime)
        add(mostValues)
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
        return list
    }

    /// Reads the script's reply, of which nothing is believed.
    /// - Throws: what is wrong with it.
    package static func verdict(_ reply: Reply, on proposal: Proposal) throws(DecisionProblem) -> Verdict {
        guard case .list(let items) = reply, items.count >= 2, case .integer(let number) = items[0],
            case .integer(let place) = items[1], 0...proposal.candidates.count ~= number
        else { throw DecisionProblem("the shared server's answer to a decision is none: \(described(reply))") }
        let count = number == 0 ? proposal.candidates.count : number
        guard items.count == 2 + 2 * count else {
            throw DecisionProblem(
                "the shared server's answer to a decision has \(items.count) items in place of \(2 + 2 * count)")
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
        return verdict
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
