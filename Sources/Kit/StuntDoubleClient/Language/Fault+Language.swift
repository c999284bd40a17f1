import SDStubModel

/// Faults that break an answer, for `fault` of a ``Stub/Answer``. A rule starts with one of these; ``and(_:)`` adds
/// effects, and conditions after it restrict when it applies.
extension Stub.Fault {
    static func kind(_ kind: Kind) -> Stub.Fault { replacing(.fault(kind.model)) }

    /// Sends nothing; the connection stays open until the client closes it.
    public static var neverAnswer: Stub.Fault { replacing(.nothing) }

    /// A status with a line of text in place of the response.
    public static func status(_ status: Int) -> Stub.Fault { replacing(.status(status)) }

    /// A delay before the first byte, in addition to the stub's.
    public static func delay(_ duration: Duration) -> Stub.Fault { delay(.fixed(duration)) }

    /// A random delay before the first byte, sampled per answer, in addition to the stub's.
    public static func delay(_ distribution: Stub.Delay) -> Stub.Fault {
        var rule = Stub.Fault()
        rule.model.delay = distribution.model
        return rule
    }

    /// How a cut answer ends. In HTTP/2 `hang` and `resetStream` affect only its stream; the others end the connection
    /// with all its streams.
    public enum End: Sendable, Hashable {
        /// The connection is closed normally.
        case close
        /// The connection is reset; the client may lose bytes that it has not read yet.
        case reset
        /// The connection is closed without TLS `close_notify`, as by an attacker who truncates it.
        case cut
        /// The connection stays open, and nothing more is sent.
        case hang
        /// Bytes are sent that are not a frame, and the connection closes.
        case garbage
        /// HTTP/2 resets the stream with this code: `.resetStream(.cancel)`; HTTP/1.1 resets the connection.
        case resetStream(HTTP2Code)
        /// HTTP/2 sends GOAWAY with this code and the last stream id, by default that of the answer, and closes the
        /// connection; HTTP/1.1 closes it.
        case goAway(HTTP2Code, lastStream: UInt32? = nil)

        var model: SDStubModel.FaultRule.End {
            switch self {
            case .close: .fin
            case .reset: .rst
            case .cut: .cut
            case .hang: .hang
            case .garbage: .garbage
            case .resetStream(let code): .resetStream(HTTP2ErrorCode(code.rawValue))
            case .goAway(let code, let stream): .goAway(HTTP2ErrorCode(code.rawValue), lastStream: stream)
            }
        }
    }

    /// The HTTP/2 error code of a stream or connection (RFC 9113 section 7). Other numbers are sent unchanged:
    /// `HTTP2Code(rawValue: 99)`.
    public struct HTTP2Code: RawRepresentable, Sendable, Hashable {
        public var rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }
    }

    /// The point at which an answer is cut.
    public enum Place: Sendable, Hashable {
        /// Before the head: nothing is sent.
        case nothing
        /// After that many bytes of the body.
        case byte(Int)
        /// After a share of the body, from 0 to 1.
        case share(Double)
        /// After the head.
        case head
        /// After a chunk of the body, counted from 0.
        case chunk(Int)

        var model: SDStubModel.FaultRule.Cut {
            switch self {
            case .byte(let count): .byte(count)
            case .share(let share): .share(share)
            case .nothing: .nothing
            case .head: .head
            case .chunk(let number): .chunk(number)
            }
        }
    }

    /// Ends the answer after that many bytes of its body.
    public static func cut(after bytes: Int, then end: End = .close) -> Stub.Fault {
        cut(after: .byte(bytes), then: end)
    }

    /// Ends the answer after a point: `.nothing`, the `.head`, `.share(0.5)` of the body, or `.chunk(2)`.
    public static func cut(after place: Place, then end: End = .close) -> Stub.Fault {
        changing(.cut(place.model, then: end.model))
    }

    /// Changes one byte of the body, counted from 0.
    public static func corrupt(byte offset: Int) -> Stub.Fault { changing(.corruptByte(offset)) }

    /// Changes each byte of the body with this probability.
    public static func corrupt(rate: Double) -> Stub.Fault { changing(.corruptRate(rate)) }

    /// Sends a `Content-Length` that is wrong by that many bytes.
    public static func wrongLength(by difference: Int) -> Stub.Fault { changing(.wrongLength(difference)) }

    /// Sends a header twice, the second time with `value` if given.
    public static func duplicateHeader(_ name: String, _ value: String? = nil) -> Stub.Fault {
        changing(.duplicateHeader(name: name, value: value))
    }

    /// Sends a text before the status line.
    public static func garbagePrefix(_ text: String) -> Stub.Fault { changing(.garbageText(text)) }

    /// Sends random bytes before the status line.
    public static func garbagePrefix(bytes count: Int) -> Stub.Fault { changing(.garbage(count: count)) }

    /// Sends the body in slices of that many bytes, with a pause between them.
    public static func slice(size: Int, gap: Duration) -> Stub.Fault {
        changing(.slice(size: size, gap: gap.wholeMilliseconds))
    }

    /// Pauses after that many bytes of the body; without a duration, until the client disconnects.
    public static func stall(after bytes: Int, for duration: Duration? = nil) -> Stub.Fault {
        changing(.stall(after: bytes, milliseconds: duration?.wholeMilliseconds))
    }

    /// Reads request bodies at a limited rate; only for a fault of a session.
    public static func readSlowly(_ rate: Stub.Rate) -> Stub.Fault {
        var rule = Stub.Fault()
        rule.model.readRate = rate.model
        return rule
    }

    /// Never reads request bodies, and HTTP/2 grants no window; only for a fault of a session.
    public static var neverRead: Stub.Fault {
        var rule = Stub.Fault()
        rule.model.neverReads = true
        return rule
    }

    /// Answers 429 to requests beyond the limit. A period starts with the first request after the previous period.
    public static func quota(_ limit: Int, per period: Duration) -> Stub.Fault { status(429).quota(limit, per: period) }

    /// Answers 503 to requests that arrive while that many answers are in progress.
    public static func concurrency(_ limit: Int) -> Stub.Fault { status(503).concurrency(limit) }

    private static func replacing(_ replacement: SDStubModel.FaultRule.Replacement) -> Stub.Fault {
        var rule = Stub.Fault()
        rule.model.replacement = replacement
        return rule
    }

    static func changing(_ change: SDStubModel.FaultRule.Change) -> Stub.Fault {
        var rule = Stub.Fault()
        rule.model.changes = [change]
        return rule
    }
}

/// Further effects of a rule, and its conditions. All conditions must hold.
extension Stub.Fault {
    /// Combines two rules, with their conditions; `fault` wins where both set the same thing.
    public func and(_ fault: Stub.Fault) -> Stub.Fault {
        var rule = model
        let other = fault.model
        rule.replacement = other.replacement ?? model.replacement
        rule.changes =
            model.changes.filter { change in !other.changes.contains { $0.name == change.name } } + other.changes
        rule.delay = other.delay ?? model.delay
        rule.readRate = other.readRate ?? model.readRate
        rule.neverReads = other.neverReads || model.neverReads
        rule.conditions.probability = other.conditions.probability ?? model.conditions.probability
        if other.conditions.first != nil {
            rule.conditions.first = other.conditions.first
            rule.conditions.firstPer = other.conditions.firstPer
        }
        rule.conditions.between = other.conditions.between ?? model.conditions.between
        rule.conditions.quota = other.conditions.quota ?? model.conditions.quota
        rule.conditions.concurrency = other.conditions.concurrency ?? model.conditions.concurrency
        return Stub.Fault(model: rule)
    }

    /// Applies to the first requests only; with a header, to the first ones for each of its values.
    public func first(_ count: Int, perHeader header: String? = nil) -> Stub.Fault {
        changingConditions {
            $0.first = count
            $0.firstPer = header
        }
    }

    /// Applies with this probability, from 0 to 1.
    public func probability(_ probability: Double) -> Stub.Fault {
        changingConditions { $0.probability = probability }
    }

    /// Applies between two times, measured from the start or last reset of the session.
    public func between(_ begin: Duration, and end: Duration) -> Stub.Fault {
        let begin = begin.wholeMilliseconds
        return changingConditions { $0.between = begin..<max(end.wholeMilliseconds, begin) }
    }

    /// Applies to the requests beyond the limit of a period.
    public func quota(_ limit: Int, per period: Duration) -> Stub.Fault {
        changingConditions { $0.quota = SDStubModel.FaultRule.Quota(limit: limit, period: period.wholeMilliseconds) }
    }

    /// Applies to requests that arrive while that many answers are in progress.
    public func concurrency(_ limit: Int) -> Stub.Fault { changingConditions { $0.concurrency = limit } }

    private func changingConditions(_ change: (inout SDStubModel.FaultRule.Conditions) -> Void) -> Stub.Fault {
        var rule = self
        change(&rule.model.conditions)
        return rule
    }
}

extension Stub.Rate {
    /// Bytes per second.
    public static func bytes(_ count: Int) -> Stub.Rate {
        Stub.Rate(model: SDStubModel.ByteRate(bytesPerSecond: count))
    }

    /// Thousands of bytes per second.
    public static func kilobytes(_ count: Double) -> Stub.Rate { rate(count, 1_000) }

    /// Millions of bytes per second.
    public static func megabytes(_ count: Double) -> Stub.Rate { rate(count, 1_000_000) }

    /// Thousands of bits per second.
    public static func kilobits(_ count: Double) -> Stub.Rate { rate(count, 125) }

    /// Millions of bits per second.
    public static func megabits(_ count: Double) -> Stub.Rate { rate(count, 125_000) }

    private static func rate(_ count: Double, _ unit: Double) -> Stub.Rate {
        // The bounds are far beyond the daemon's maximum.
        .bytes(count.isNaN ? 0 : Int(min(max(count * unit, 0), 1e15)))
    }
}
