import SDStubModel

/// Faults that break an answer, for `fault` of a ``Stub/Answer``. A rule begins with one of these;
/// ``and(_:)`` adds others, and the conditions after it say when it acts.
extension Stub.Fault {
    static func kind(_ kind: Kind) -> Stub.Fault { replacing(.fault(kind.model)) }

    /// Nothing is sent until the client leaves.
    public static var neverAnswer: Stub.Fault { replacing(.nothing) }

    /// A status with a line of text, in place of the response.
    public static func status(_ status: Int) -> Stub.Fault { replacing(.status(status)) }

    /// A wait before the first byte, besides that of the stub.
    public static func delay(_ duration: Duration) -> Stub.Fault { delay(.fixed(duration)) }

    /// A wait before the first byte, drawn for each answer, besides that of the stub.
    public static func delay(_ distribution: Stub.Delay) -> Stub.Fault {
        var rule = Stub.Fault()
        rule.model.delay = distribution.model
        return rule
    }

    /// The end of an answer that is cut. In HTTP/2 `hang` and `resetStream` are about its stream alone; the others end the
    /// connection, with all its streams.
    public enum End: Sendable, Hashable {
        /// The connection is closed in order.
        case close
        /// The connection is reset; a client may lose bytes that it has not read yet.
        case reset
        /// The connection is closed without TLS's close_notify, as one that somebody cuts off.
        case cut
        /// Nothing more comes, and nothing ends until the client leaves.
        case hang
        /// Bytes come that are no frame, and the connection closes.
        case garbage
        /// HTTP/2 resets the stream with a code: `.resetStream(.cancel)`; HTTP/1.1 resets the connection.
        case resetStream(HTTP2Code)
        /// HTTP/2 sends GOAWAY with a code and the id of the last stream, by default that of the answer, and the
        /// connection closes; HTTP/1.1 closes it.
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

    /// The reason that HTTP/2 gives for the end of a stream or of a connection (RFC 9113 section 7). Any other number is
    /// sent as it is: `HTTP2Code(rawValue: 99)`.
    public struct HTTP2Code: RawRepresentable, Sendable, Hashable {
        public var rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }
    }

    /// The place at which an answer is cut.
    public enum Place: Sendable, Hashable {
        /// Before the head: nothing is sent.
        case nothing
        /// Behind so many bytes of the body.
        case byte(Int)
        /// Behind a share of the body, from 0 to 1.
        case share(Double)
        /// Behind the head.
        case head
        /// Behind a chunk of the body, counted from 0.
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

    /// The answer ends behind that many bytes of its body.
    public static func cut(after bytes: Int, then end: End = .close) -> Stub.Fault {
        cut(after: .byte(bytes), then: end)
    }

    /// The answer ends behind a place: `.nothing`, the `.head`, `.share(0.5)` of the body, a number of `.chunk(2)`.
    public static func cut(after place: Place, then end: End = .close) -> Stub.Fault {
        changing(.cut(place.model, then: end.model))
    }

    /// A byte of the body, counted from 0, is another one.
    public static func corrupt(byte offset: Int) -> Stub.Fault { changing(.corruptByte(offset)) }

    /// Each byte of the body is another one with this probability.
    public static func corrupt(rate: Double) -> Stub.Fault { changing(.corruptRate(rate)) }

    /// A `Content-Length` that is wrong by that many bytes.
    public static func wrongLength(by difference: Int) -> Stub.Fault { changing(.wrongLength(difference)) }

    /// A header twice, the second time with another value if there is one.
    public static func duplicateHeader(_ name: String, _ value: String? = nil) -> Stub.Fault {
        changing(.duplicateHeader(name: name, value: value))
    }

    /// A text before the status line.
    public static func garbagePrefix(_ text: String) -> Stub.Fault { changing(.garbageText(text)) }

    /// Random bytes before the status line.
    public static func garbagePrefix(bytes count: Int) -> Stub.Fault { changing(.garbage(count: count)) }

    /// The body in pieces of that many bytes with a pause between them.
    public static func slice(size: Int, gap: Duration) -> Stub.Fault {
        changing(.slice(size: size, gap: gap.wholeMilliseconds))
    }

    /// A pause behind that many bytes of the body; without a duration until the client leaves.
    public static func stall(after bytes: Int, for duration: Duration? = nil) -> Stub.Fault {
        changing(.stall(after: bytes, milliseconds: duration?.wholeMilliseconds))
    }

    /// Bodies of requests are read at a rate; only for a fault of a session.
    public static func readSlowly(_ rate: Stub.Rate) -> Stub.Fault {
        var rule = Stub.Fault()
        rule.model.readRate = rate.model
        return rule
    }

    /// Nothing of the bodies of requests is read, and HTTP/2 grants no window; only for a fault of a session.
    public static var neverRead: Stub.Fault {
        var rule = Stub.Fault()
        rule.model.neverReads = true
        return rule
    }

    /// A 429 for requests beyond the limit. A period begins with the first request after the last one.
    public static func quota(_ limit: Int, per period: Duration) -> Stub.Fault { status(429).quota(limit, per: period) }

    /// A 503 for requests that come while that many answers are under way.
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

/// Further effects of a rule, and the conditions under which it acts. All conditions must hold.
extension Stub.Fault {
    /// The rule with what another one does and its conditions; where both say something, the other one counts.
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

    /// Acts on the first requests, and then no more; with a header on the first ones with each of its values.
    public func first(_ count: Int, perHeader header: String? = nil) -> Stub.Fault {
        changingConditions {
            $0.first = count
            $0.firstPer = header
        }
    }

    /// Acts with this probability, from 0 to 1.
    public func probability(_ probability: Double) -> Stub.Fault {
        changingConditions { $0.probability = probability }
    }

    /// Acts between two times since the session began or was last reset.
    public func between(_ begin: Duration, and end: Duration) -> Stub.Fault {
        let begin = begin.wholeMilliseconds
        return changingConditions { $0.between = begin..<max(end.wholeMilliseconds, begin) }
    }

    /// Acts on the requests beyond the limit of a period.
    public func quota(_ limit: Int, per period: Duration) -> Stub.Fault {
        changingConditions { $0.quota = SDStubModel.FaultRule.Quota(limit: limit, period: period.wholeMilliseconds) }
    }

    /// Acts on the requests that come while that many answers are under way.
    public func concurrency(_ limit: Int) -> Stub.Fault { changingConditions { $0.concurrency = limit } }

    private func changingConditions(_ change: (inout SDStubModel.FaultRule.Conditions) -> Void) -> Stub.Fault {
        var rule = self
        change(&rule.model.conditions)
        return rule
    }
}

extension Stub.Rate {
    /// A number of bytes each second.
    public static func bytes(_ count: Int) -> Stub.Rate {
        Stub.Rate(model: SDStubModel.ByteRate(bytesPerSecond: count))
    }

    /// Thousands of bytes each second.
    public static func kilobytes(_ count: Double) -> Stub.Rate { rate(count, 1_000) }

    /// Millions of bytes each second.
    public static func megabytes(_ count: Double) -> Stub.Rate { rate(count, 1_000_000) }

    /// Thousands of bits each second.
    public static func kilobits(_ count: Double) -> Stub.Rate { rate(count, 125) }

    /// Millions of bits each second.
    public static func megabits(_ count: Double) -> Stub.Rate { rate(count, 125_000) }

    private static func rate(_ count: Double, _ unit: Double) -> Stub.Rate {
        // The bounds are far beyond any that the daemon reads.
        .bytes(count.isNaN ? 0 : Int(min(max(count * unit, 0), 1e15)))
    }
}
