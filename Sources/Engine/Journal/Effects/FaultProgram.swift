package import SDHTTPTransport
package import SDMatching
public import SDStubModel
import Synchronization

/// The fault rules of a stub's response, or one of a session. A session stores their state under the object's identity.
package final class FaultProgram: Sendable {
    package let rules: [FaultRule]
    /// The name or id of the session's rule; nil for the rules of a stub.
    package let label: String?

    /// Whether a rule about answers counts requests.
    package let isCounted: Bool
    /// The number of the replicated change that made the program; `UInt64.max` for none, 0 until it is set.
    private let change = Atomic<UInt64>(0)
    /// A hash that identifies a program without a change; 0 until it is first needed.
    private let mark = Atomic<UInt64>(0)

    package init(_ rules: [FaultRule], label: String? = nil) {
        self.rules = rules
        self.label = label
        isCounted = rules.contains { $0.isAboutAnswers && $0.conditions.isCounted }
    }

    /// Sets the change that made the program; later calls do nothing.
    /// - Parameter change: its number; 0 for none.
    package func isMade(by change: UInt64) {
        _ = self.change.compareExchange(expected: 0, desired: change == 0 ? .max : change, ordering: .relaxed)
    }

    /// Distinguishes the program from earlier ones in the same position; the same on all replicas.
    /// - Parameter text: the text to hash, for a program that no change made.
    package func life(_ text: () -> [UInt8]) -> String {
        let change = change.load(ordering: .relaxed)
        guard change == 0 || change == .max else { return String(change) }
        var mark = mark.load(ordering: .relaxed)
        if mark == 0 {
            // FNV-1a.
            mark = text().reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
            self.mark.store(mark, ordering: .relaxed)
        }
        return "m" + String(mark, radix: 36)
    }
}

/// A fault of a session; it acts on every answer to a request that its pattern matches.
public final class ActiveFault: Sendable {
    public let id: StubMapping.ID
    public let fault: SessionFault
    /// The set with which it was switched on; nil for a fault added on its own.
    public let set: String?
    package let pattern: CompiledPattern
    package let program: FaultProgram
    /// The effect on messages; nil for other faults.
    package let messages: CompiledMessageFault?

    /// Compiles a fault.
    /// - Throws: the parts of its pattern that are not supported.
    package init(_ fault: SessionFault, set: String? = nil) throws(PatternProblems) {
        let id = fault.id ?? StubMapping.randomID()
        self.id = id
        self.fault = fault
        self.set = set
        pattern = try CompiledPattern(fault.request)
        var rules = fault.rule.map { [$0] } ?? []
        if let conditions = fault.connection?.conditions ?? fault.messages?.conditions {
            rules = [FaultRule(conditions)]
        } else if fault.port != nil {
            rules = [FaultRule()]
        }
        program = FaultProgram(rules, label: fault.name ?? set.map { "\($0)" } ?? id.lowercasedString)
        if let messages = fault.messages {
            self.messages = try CompiledMessageFault(
                messages, request: fault.request == RequestPattern() ? nil : pattern, program: program,
                at: "/messages")
        } else {
            messages = nil
        }
    }

    /// Whether it acts on requests or their answers, rather than on the port or on connections.
    package func acts(on request: Request) -> Bool {
        guard let rule = fault.rule else { return false }
        // A limited read rate has acted only if there was a body to read.
        return rule.changesAnswers || rule.readRate != nil && !request.body.isEmpty
    }
}

extension FaultRule {
    /// Whether the rule acts on requests that have been received.
    package var isAboutAnswers: Bool { changesAnswers || readRate != nil }
}
