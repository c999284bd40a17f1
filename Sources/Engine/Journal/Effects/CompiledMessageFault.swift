package import SDMatching
package import SDPlatform
package import SDStubModel

/// A compiled message fault. A session stores its state under the identity of its program.
package struct CompiledMessageFault: Sendable {
    package let fault: MessageFault
    /// The pattern of the request that opened the channel, for a session's fault; nil for any.
    package let request: CompiledPattern?
    /// The pattern of the channel's opening request, for the messages that the fault acts on; nil for any.
    package let channel: CompiledPattern?
    package let body: CompiledMatcher?
    package let program: FaultProgram

    /// - Parameter pointer: the fault's pointer in its document.
    /// - Throws: the parts of its patterns that are not supported.
    package init(
        _ fault: MessageFault, request: CompiledPattern? = nil, program: FaultProgram? = nil, at pointer: String
    ) throws(PatternProblems) {
        self.fault = fault
        self.request = request
        if let channel = fault.message?.channel {
            self.channel = try CompiledPattern(channel, at: pointer + "/message/channel")
        } else {
            channel = nil
        }
        if let body = fault.message?.body {
            self.body = try CompiledMatcher(body, at: pointer + "/message/body")
        } else {
            body = nil
        }
        self.program = program ?? FaultProgram([FaultRule(fault.conditions)])
    }

    /// Whether it acts on all messages of all channels.
    package var isForAll: Bool { request == nil && channel == nil && body == nil }
}

extension FaultRule {
    /// A rule without effects on answers, only to evaluate conditions.
    init(_ conditions: Conditions) {
        self.init()
        self.conditions = conditions
    }
}

/// The effects sampled for a message before it is sent.
package struct SampledDelivery: Sendable {
    /// The delay before it is sent, in milliseconds.
    package var delay = 0.0
    /// The faults that act on it, in order, each with the seed of its random values.
    package var acts: [(fault: MessageFault, seed: UInt64)] = []

    package init() {}

    /// Samples delays and faults from the session's state. Called under its lock.
    package init(
        _ delays: [DelayDistribution], _ faults: [CompiledMessageFault], _ counters: inout FaultCounters, now: Int64,
        _ generator: inout SeededGenerator
    ) {
        for one in delays { delay += max(one.sample(&generator), 0) }
        for one in faults where counters.acts(one.program, now: now, &generator) {
            if let wait = one.fault.delay { delay += max(wait.sample(&generator), 0) }
            acts.append((one.fault, one.fault.corrupt == nil ? 0 : generator.next()))
        }
    }
}
