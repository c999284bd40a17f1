import SDStubModel

/// Timing of an answer.
extension Stub.Answer {
    /// Waits before the first byte.
    public func delay(_ duration: Duration) -> Stub.Answer {
        changing {
            $0.fixedDelayMilliseconds = duration.wholeMilliseconds
            $0.fixedDelayTemplate = nil
        }
    }

    /// Waits for a random time, sampled per response, in addition to a fixed delay.
    public func delay(_ distribution: Stub.Delay) -> Stub.Answer {
        changing { $0.delayDistribution = distribution.model }
    }

    /// Waits for the result of a template such as `{{request.query.wait}}`: a duration, or a number of milliseconds.
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

    /// Sends the body in equal chunks, with pauses that add up to `duration`.
    public func dribble(chunks: Int, over duration: Duration) -> Stub.Answer {
        changing {
            $0.chunkedDribbleDelay = DribbleDelay(numberOfChunks: chunks, totalDuration: duration.wholeMilliseconds)
        }
    }

    /// Holds the answer at a gate until the test releases it.
    /// - Parameters:
    ///   - gate: the name of the gate.
    ///   - timeout: the longest wait; nil for no limit.
    ///   - then: the action at the timeout; nil sends the answer.
    public static func hold(_ gate: String, timeout: Duration? = nil, then: Stub.Timeout? = nil) -> Stub.Answer {
        Stub.Answer().hold(gate, timeout: timeout, then: then)
    }

    /// Holds the answer at a gate until the test releases it.
    /// - Parameters:
    ///   - gate: the name of the gate.
    ///   - timeout: the longest wait; nil for no limit.
    ///   - then: the action at the timeout; nil sends the answer.
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
    /// A constant delay.
    public static func fixed(_ duration: Duration) -> Stub.Delay {
        Stub.Delay(model: .fixed(milliseconds: duration.wholeMilliseconds))
    }

    /// A uniform distribution: `.uniform(.milliseconds(50) ... .milliseconds(200))`.
    public static func uniform(_ range: ClosedRange<Duration>) -> Stub.Delay {
        Stub.Delay(
            model: .uniform(lower: range.lowerBound.wholeMilliseconds, upper: range.upperBound.wholeMilliseconds))
    }

    /// A log-normal distribution: half of the delays are below the median and a few far above, as with real servers. A
    /// `sigma` of 0.4 is typical.
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

    /// An exponential distribution: many short delays and few long ones.
    public static func exponential(mean: Duration, max: Duration? = nil) -> Stub.Delay {
        Stub.Delay(
            model: .exponential(
                mean: Double(mean.wholeMilliseconds), maxValue: max.map { Double($0.wholeMilliseconds) }))
    }
}

extension Stub {
    /// The action when an answer has waited at a gate too long.
    public enum Timeout: Sendable, Hashable {
        /// Sends the answer.
        case answer
        /// Resets the connection.
        case fail
        /// Breaks the connection with this fault.
        case fault(Fault.Kind)
        /// Sends this status instead.
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
    /// The duration in milliseconds, rounded and capped at the daemon's maximum. A negative one is rejected when the
    /// answer is resolved.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let milliseconds = Double(seconds) * 1_000 + (Double(attoseconds) / 1e15).rounded()
        return Int(min(max(milliseconds, Double(Int32.min)), Double(Int32.max)))
    }
}
