package import SDHTTPTransport
package import SDMatching
public import SDStubModel
import Synchronization

/// The fault rules of a stub's response, or one of a session, as an identity under which a session keeps their state.
package final class FaultProgram: Sendable {
    package let rules: [FaultRule]
    /// The name or id of the session's rule; nil for the rules of a stub.
    package let label: String?

    package init(_ rules: [FaultRule], label: String? = nil) {
        self.rules = rules
        self.label = label
    }
}

/// A fault of a session, which acts on every answer to a request that its pattern matches.
public final class ActiveFault: Sendable {
    public let id: StubMapping.ID
    public let fault: SessionFault
    /// The set that it was switched on with; nil for one that was added by itself.
    public let set: String?
    package let pattern: CompiledPattern
    package let program: FaultProgram

    /// Compiles a fault.
    /// - Throws: the parts of its pattern that are not supported.
    package init(_ fault: SessionFault, set: String? = nil) throws(PatternProblems) {
        let id = fault.id ?? StubMapping.randomID()
        self.id = id
        self.fault = fault
        self.set = set
        pattern = try CompiledPattern(fault.request)
        var rules = fault.rule.map { [$0] } ?? []
        if let connection = fault.connection {
            var rule = FaultRule()
            rule.conditions = connection.conditions
            rules = [rule]
        } else if fault.port != nil {
            rules = [FaultRule()]
        }
        program = FaultProgram(rules, label: fault.name ?? set.map { "\($0)" } ?? id.lowercasedString)
    }

    /// Whether it does anything to such requests or their answers, rather than to the port or to connections.
    package func acts(on request: Request) -> Bool {
        guard let rule = fault.rule else { return false }
        // What there was to be read was read slowly.
        return rule.changesAnswers || rule.readRate != nil && !request.body.isEmpty
    }
}
