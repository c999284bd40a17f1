import SDHTTPTransport
import SDJSON
package import SDMatching
import SDOutgoingCalls
import SDRecords
package import SDStubModel
package import SDTemplating

/// The listeners of a stub, by the phases in which they act; within a phase, in the order of the mapping.
package final class StubListeners: Sendable {
    /// Listeners that run before the response is sent.
    package let before: [any ServeListener]
    private let ends, sent, ended: [any ServeListener]
    /// Whether one of them reads whole bodies.
    let readsBodies: Bool

    /// Compiles the listeners of a mapping; nil if it has none.
    /// - Parameter others: additional listeners, which come last.
    /// - Throws: what is wrong with them.
    package convenience init?(
        _ mapping: borrowing StubMapping, and others: [any ServeListener] = []
    ) throws(StubRefusal) {
        let elements = mapping.serveEventListeners?.arrayValue ?? []
        let actions = mapping.postServeActions?.arrayValue ?? []
        guard !elements.isEmpty || !actions.isEmpty else {
            self.init(others)
            return
        }
        var reader = StateReader()
        // WireMock runs the actions first.
        var webhooks = actions.filter { Self.isWebhook($0) }.map { Webhook($0["parameters"]) }
        // As in WireMock, all state that one request records is one change, so state listeners are combined.
        var states = StateListeners()
        for (index, element) in elements.enumerated() {
            reader.within(["serveEventListeners", String(index)]) { reader in
                let name = element["name"]?.stringValue ?? ""
                if StateListeners.names.contains(name) {
                    states.read(element, named: name, &reader)
                } else if Self.isWebhook(element), Self.isToldAtTheEnd(element) {
                    webhooks.append(Webhook(element["parameters"]))
                }
            }
        }
        guard reader.problems.isEmpty else { throw .unserved(mapping.id, reader.problems) }
        self.init((states.isEmpty ? [] : [states]) + (webhooks.isEmpty ? [] : [WebhookListener(webhooks)]) + others)
    }

    private static func isWebhook(_ element: JSONValue) -> Bool { element["name"]?.stringValue == WebhookListener.name }

    /// Whether a listener acts at the end of the exchange: it names that phase, or none.
    private static func isToldAtTheEnd(_ element: JSONValue) -> Bool {
        element["requestPhases"]?.arrayValue?.contains(.string("AFTER_COMPLETE")) ?? true
    }

    private init?(_ listeners: [any ServeListener]) {
        if listeners.isEmpty { return nil }
        func told(_ phase: ServePhases) -> [any ServeListener] { listeners.filter { $0.phases.contains(phase) } }
        (before, ends) = (told(.beforeResponse), told(.exchangeEnds))
        (sent, ended) = (told(.responseSent), told(.exchangeEnded))
        readsBodies = (ends + ended).contains(where: \.readsBodies)
    }

    /// Whether any of them acts after the response is made.
    package var follow: Bool { !ends.isEmpty || !sent.isEmpty || !ended.isEmpty }

    func exchangeEnds(_ exchange: ServedExchange, _ outcome: StreamEnd.Outcome) {
        for listener in ends { listener.exchangeEnds(exchange, outcome) }
    }

    func responseSent(_ exchange: ServedExchange) {
        for listener in sent { listener.responseSent(exchange) }
    }

    func exchangeEnded(_ exchange: ServedExchange) {
        for listener in ended { listener.exchangeEnded(exchange) }
    }
}

extension CompiledStub {
    /// Whether a listener acts before the stub's responses are sent.
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
