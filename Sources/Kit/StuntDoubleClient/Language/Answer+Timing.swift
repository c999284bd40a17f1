import SDStubModel

/// The time and the manner in which an answer is sent.
extension Stub.Answer {
    /// Waits before the first byte.
    public func delay(_ duration: Duration) -> Stub.Answer {
        changing {
            $0.fixedDelayMilliseconds = duration.wholeMilliseconds
            $0.fixedDelayTemplate = nil
        }
    }

    /// Waits for a time that is drawn for each response, besides a fixed delay if there is one.
    public func delay(_ distribution: Stub.Delay) -> Stub.Answer {
        changing { $0.delayDistribution = distribution.model }
    }

    /// Waits for the time that a template says, such as `{{request.query.wait}}`: a duration, or a number of
    /// milliseconds.
    public func delay(template: String) -> Stub.Answer {
        guard template.contains("{{") else {
            return failing(Stub.Problem("the template of a delay without an expression {{…}}: \"\(template)\""))
        }
        return changing {
            $0.fixedDelayTemplate = template
            $0.fixedDelayMilliseconds = nil
        }.template()
    }

    /// Waits before the first byte, and before each chunk of the body.
    public func delays(firstByte: Stub.Delay? = nil, perChunk: Stub.Delay? = nil) -> Stub.Answer {
        changing { $0.delays = ResponseDelays(firstByte: firstByte?.model, perChunk: perChunk?.model) }
    }

    /// Sends the body in equal pieces, with pauses before them that take `duration` together.
    public func dribble(chunks: Int, over duration: Duration) -> Stub.Answer {
        changing {
            $0.chunkedDribbleDelay = DribbleDelay(numberOfChunks: chunks, totalDuration: duration.wholeMilliseconds)
        }
    }

    /// Keeps the answer back at a gate until the test releases it.
    /// - Parameters:
    ///   - gate: the name of the gate.
    ///   - timeout: the longest wait; nil for as long as it takes.
    ///   - then: what happens after it; nil sends the answer.
    public static func hold(_ gate: String, timeout: Duration? = nil, then: Stub.Timeout? = nil) -> Stub.Answer {
        Stub.Answer().hold(gate, timeout: timeout, then: then)
    }

    /// Keeps the answer back at a gate until the test releases it.
    /// - Parameters:
    ///   - gate: the name of the gate.
    ///   - timeout: the longest wait; nil for as long as it takes.
    ///   - then: what happens after it; nil sends the answer.
    public func hold(_ gate: String, timeout: Duration? = nil, then: Stub.Timeout? = nil) -> Stub.Answer {
        changing { $0.hold = GateHold(gate, timeoutMilliseconds: timeout?.wholeMilliseconds, onTimeout: then?.model) }
    }

    /// Sends an informational response before this one, such as 103 with the header `Link`.
    public func early(_ status: Int = 103, headers: [String: String] = [:]) -> Stub.Answer {
        let fields = headers.sorted { $0.key < $1.key }.map { ResponseHeader($0.key, [$0.value]) }
        return changing { $0.early.append(EarlyResponse(status: status, headers: fields)) }
    }
}

extension Stub.Delay {
    /// A delay of the same length each time.
    public static func fixed(_ duration: Duration) -> Stub.Delay {
        Stub.Delay(model: .fixed(milliseconds: duration.wholeMilliseconds))
    }

    /// Each delay between the two is as likely as any other: `.uniform(.milliseconds(50) ... .milliseconds(200))`.
    public static func uniform(_ range: ClosedRange<Duration>) -> Stub.Delay {
        Stub.Delay(
            model: .uniform(lower: range.lowerBound.wholeMilliseconds, upper: range.upperBound.wholeMilliseconds))
    }

    /// Half of the delays are below the median and a few far above, as with real servers. A `sigma` of 0.4 is typical.
    public static func lognormal(median: Duration, sigma: Double, max: Duration? = nil) -> Stub.Delay {
        Stub.Delay(
            model: .lognormal(
                median: Double(median.wholeMilliseconds), sigma: sigma,
                maxValue: max.map { Double($0.wholeMilliseconds) }))
    }

    /// A normal distribution, never below 0.
    public static func gaussian(mean: Duration, deviation: Duration, max: Duration? = nil) -> Stub.Delay {
        Stub.Delay(
            model: .gaussian(
                mean: Double(mean.wholeMilliseconds), standardDeviation: Double(deviation.wholeMilliseconds),
                maxValue: max.map { Double($0.wholeMilliseconds) }))
    }

    /// Many short delays and few long ones.
    public static func exponential(mean: Duration, max: Duration? = nil) -> Stub.Delay {
        Stub.Delay(
            model: .exponential(
                mean: Double(mean.wholeMilliseconds), maxValue: max.map { Double($0.wholeMilliseconds) }))
    }
}

extension Stub {
    /// What happens to an answer that has waited at a gate for too long.
    public enum Timeout: Sendable, Hashable {
        /// It is sent.
        case answer
        /// The connection is reset.
        case fail
        /// The connection breaks.
        case fault(Fault.Kind)
        /// A status is sent in its place.
        case status(Int)

        var model: GateHold.Timeout {
            switch self {
            case .answer: .answer
            case .fail: .fail
            case .fault(let kind): .fault(kind.model)
            case .status(let status): .status(status)
            }
        }
    }
}

extension Duration {
    /// The duration in milliseconds, rounded, up to the largest that the daemon reads. One below 0 is refused where the
    /// answer is resolved.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let milliseconds = Double(seconds) * 1_000 + (Double(attoseconds) / 1e15).rounded()
        return Int(min(max(milliseconds, Double(Int32.min)), Double(Int32.max)))
    }
}
