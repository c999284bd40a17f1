import SDJSON
package import SDMatching
import SDRecords
package import SDStubModel
package import SDTemplating

/// The listeners of a stub, by the phases in which they have work; within one, in their order in the mapping.
package final class StubListeners: Sendable {
    /// Those that are told before the response.
    package let before: [any ServeListener]
    private let sent, ended: [any ServeListener]
    /// Whether one of them reads the whole bodies.
    let readsBodies: Bool

    /// Compiles the listeners of a mapping; nil if it has none.
    /// - Parameter others: more of them, which come last.
    /// - Throws: what is wrong with them.
    package convenience init?(
        _ mapping: borrowing StubMapping, and others: [any ServeListener] = []
    ) throws(StubRefusal) {
        guard let elements = mapping.serveEventListeners?.arrayValue, !elements.isEmpty else {
            self.init(others)
            return
        }
        var reader = StateReader()
        // As in WireMock, all that one request records is one change: those of the state are one listener.
        var states = StateListeners()
        for (index, element) in elements.enumerated() {
            reader.within(["serveEventListeners", String(index)]) { reader in
                let name = element["name"]?.stringValue ?? ""
                if StateListeners.names.contains(name) {
                    states.read(element, named: name, &reader)
                } else {
                    let known = StateListeners.names.joined(separator: " and ")
                    reader.report(
                        "`serveEventListeners` is not supported, except for \(known)", at: ["name"], name: name)
                }
            }
        }
        guard reader.problems.isEmpty else { throw .unserved(mapping.id, reader.problems) }
        self.init((states.isEmpty ? [] : [states]) + others)
    }

    private init?(_ listeners: [any ServeListener]) {
        if listeners.isEmpty { return nil }
        func told(_ phase: ServePhases) -> [any ServeListener] { listeners.filter { $0.phases.contains(phase) } }
        (before, sent, ended) = (told(.beforeResponse), told(.responseSent), told(.exchangeEnded))
        readsBodies = ended.contains(where: \.readsBodies)
    }

    /// Whether any of them has work once the response is on its way.
    package var follow: Bool { !sent.isEmpty || !ended.isEmpty }

    func responseSent(_ exchange: ServedExchange) {
        for listener in sent { listener.responseSent(exchange) }
    }

    func exchangeEnded(_ exchange: ServedExchange) {
        for listener in ended { listener.exchangeEnded(exchange) }
    }
}

extension CompiledStub {
    /// Whether a listener has work before its responses.
    package var tellsBefore: Bool { listeners.map { !$0.before.isEmpty } ?? false }
}

extension StateListeners: ServeListener {
    package var phases: ServePhases { .beforeResponse }
    package var task: String { "recording its state" }

    package func beforeResponse(
        _ session: any AnsweringSession, _ environment: RenderEnvironment
    ) throws(ListenerProblem) {
        do throws(StateProblem) {
            try run(session, environment)
        } catch {
            throw ListenerProblem("its state cannot be recorded: \(error.message)")
        }
    }
}
