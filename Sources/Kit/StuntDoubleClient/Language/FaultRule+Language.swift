public import SDStubModel

/// Faults that break an answer, for ``StubbedResponse/fault(_:)-(FaultRule...)``. A rule begins with one of these;
/// ``and(_:)`` adds others, and the conditions after it say when it acts.
extension FaultRule {
    /// The connection is reset.
    public static var connectionReset: FaultRule { kind(.connectionResetByPeer) }

    /// The connection closes without a byte.
    public static var emptyResponse: FaultRule { kind(.emptyResponse) }

    /// A status of 200, then a chunk that is none, then the end.
    public static var malformedChunk: FaultRule { kind(.malformedResponseChunk) }

    /// Bytes that are not HTTP, then the end.
    public static var randomData: FaultRule { kind(.randomDataThenClose) }

    /// One of WireMock's faults.
    public static func kind(_ fault: Fault) -> FaultRule { replacing(.fault(fault)) }

    /// Nothing is sent until the client leaves.
    public static var neverAnswer: FaultRule { replacing(.nothing) }

    /// A status with a line of text, in place of the response.
    public static func status(_ status: Int) -> FaultRule { replacing(.status(status)) }

    /// A wait before the first byte, besides that of the stub.
    public static func delay(_ duration: Duration) -> FaultRule { delay(.fixed(duration)) }

    /// A wait before the first byte, drawn for each answer, besides that of the stub.
    public static func delay(_ distribution: DelayDistribution) -> FaultRule {
        var rule = FaultRule()
        rule.delay = distribution
        return rule
    }

    /// The end of an answer that is cut.
    public enum End: Sendable, Hashable {
        /// The connection is closed in order.
        case close
        /// The connection is reset; a client may lose bytes that it has not read yet.
        case reset
    }

    /// The answer ends behind that many bytes of its body.
    public static func cut(after bytes: Int, then end: End = .close) -> FaultRule {
        cut(after: .byte(bytes), then: end)
    }

    /// The answer ends behind a place: `.share(0.5)` of the body, the `.head`, a number of `.chunk(2)`.
    public static func cut(after place: Cut, then end: End = .close) -> FaultRule {
        changing(.cut(place, isReset: end == .reset))
    }

    /// A byte of the body, counted from 0, is another one.
    public static func corrupt(byte offset: Int) -> FaultRule { changing(.corruptByte(offset)) }

    /// Each byte of the body is another one with this probability.
    public static func corrupt(rate: Double) -> FaultRule { changing(.corruptRate(rate)) }

    /// A `Content-Length` that is wrong by that many bytes.
    public static func wrongLength(by difference: Int) -> FaultRule { changing(.wrongLength(difference)) }

    /// A header twice, the second time with another value if there is one.
    public static func duplicateHeader(_ name: String, _ value: String? = nil) -> FaultRule {
        changing(.duplicateHeader(name: name, value: value))
    }

    /// A text before the status line.
    public static func garbagePrefix(_ text: String) -> FaultRule { changing(.garbageText(text)) }

    /// Random bytes before the status line.
    public static func garbagePrefix(bytes count: Int) -> FaultRule { changing(.garbage(count: count)) }

    /// The body at a rate; the head comes at once.
    public static func bandwidth(_ rate: ByteRate) -> FaultRule { changing(.bandwidth(rate)) }

    /// The body in pieces of that many bytes with a pause between them.
    public static func slice(size: Int, gap: Duration) -> FaultRule {
        changing(.slice(size: size, gap: gap.wholeMilliseconds))
    }

    /// A pause behind that many bytes of the body; without a duration until the client leaves.
    public static func stall(after bytes: Int, for duration: Duration? = nil) -> FaultRule {
        changing(.stall(after: bytes, milliseconds: duration?.wholeMilliseconds))
    }

    /// The whole answer, and a connection that stays open that long, answers no more, and closes.
    public static func slowClose(_ duration: Duration) -> FaultRule { changing(.slowClose(duration.wholeMilliseconds)) }

    /// Bodies of requests are read at a rate; only for a fault of a session.
    public static func readSlowly(_ rate: ByteRate) -> FaultRule {
        var rule = FaultRule()
        rule.readRate = rate
        return rule
    }

    /// A 429 for requests beyond the limit. A period begins with the first request after the last one.
    public static func quota(_ limit: Int, per period: Duration) -> FaultRule { status(429).quota(limit, per: period) }

    /// A 503 for requests that come while that many answers are under way.
    public static func concurrency(_ limit: Int) -> FaultRule { status(503).concurrency(limit) }

    private static func replacing(_ replacement: Replacement) -> FaultRule {
        var rule = FaultRule()
        rule.replacement = replacement
        return rule
    }

    private static func changing(_ change: Change) -> FaultRule {
        var rule = FaultRule()
        rule.changes = [change]
        return rule
    }
}

/// Further effects of a rule, and the conditions under which it acts. All conditions must hold.
extension FaultRule {
    /// The rule with what another one does and its conditions; where both say something, the other one counts.
    public func and(_ other: FaultRule) -> FaultRule {
        var rule = self
        rule.replacement = other.replacement ?? replacement
        rule.changes = changes.filter { change in !other.changes.contains { $0.name == change.name } } + other.changes
        rule.delay = other.delay ?? delay
        rule.readRate = other.readRate ?? readRate
        rule.conditions.probability = other.conditions.probability ?? conditions.probability
        if other.conditions.first != nil {
            rule.conditions.first = other.conditions.first
            rule.conditions.firstPer = other.conditions.firstPer
        }
        rule.conditions.between = other.conditions.between ?? conditions.between
        rule.conditions.quota = other.conditions.quota ?? conditions.quota
        rule.conditions.concurrency = other.conditions.concurrency ?? conditions.concurrency
        return rule
    }

    /// Acts on the first requests, and then no more; with a header on the first ones with each of its values.
    public func first(_ count: Int, perHeader header: String? = nil) -> FaultRule {
        changingConditions {
            $0.first = count
            $0.firstPer = header
        }
    }

    /// Acts with this probability, from 0 to 1.
    public func probability(_ probability: Double) -> FaultRule {
        changingConditions { $0.probability = probability }
    }

    /// Acts between two times since the session began or was last reset.
    public func between(_ begin: Duration, and end: Duration) -> FaultRule {
        let begin = begin.wholeMilliseconds
        return changingConditions { $0.between = begin..<max(end.wholeMilliseconds, begin) }
    }

    /// Acts on the requests beyond the limit of a period.
    public func quota(_ limit: Int, per period: Duration) -> FaultRule {
        changingConditions { $0.quota = Quota(limit: limit, period: period.wholeMilliseconds) }
    }

    /// Acts on the requests that come while that many answers are under way.
    public func concurrency(_ limit: Int) -> FaultRule { changingConditions { $0.concurrency = limit } }

    private func changingConditions(_ change: (inout Conditions) -> Void) -> FaultRule {
        var rule = self
        change(&rule.conditions)
        return rule
    }
}

extension ByteRate {
    /// A number of bytes each second.
    public static func bytes(_ count: Int) -> ByteRate { ByteRate(bytesPerSecond: count) }

    /// Thousands of bytes each second.
    public static func kilobytes(_ count: Double) -> ByteRate { rate(count, 1_000) }

    /// Millions of bytes each second.
    public static func megabytes(_ count: Double) -> ByteRate { rate(count, 1_000_000) }

    /// Thousands of bits each second.
    public static func kilobits(_ count: Double) -> ByteRate { rate(count, 125) }

    /// Millions of bits each second.
    public static func megabits(_ count: Double) -> ByteRate { rate(count, 125_000) }

    private static func rate(_ count: Double, _ unit: Double) -> ByteRate {
        // The bounds are far beyond any that the daemon reads.
        ByteRate(bytesPerSecond: count.isNaN ? 0 : Int(min(max(count * unit, 0), 1e15)))
    }
}
