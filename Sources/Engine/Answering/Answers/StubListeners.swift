import SDHTTPTransport
import SDJSON
package import SDMatching
import SDOutgoingCalls
import SDRecords
package import SDStubModel
package import SDTemplating

/// The listeners of a stub, by the phases in which they have work; within one, in their order in the mapping.
package final class StubListeners: Sendable {
    /// Those that are told before the response.
    package let before: [any ServeListener]
    private let ends, sent, ended: [any ServeListener]
    /// Whether one of them reads the whole bodies.
    let readsBodies: Bool

    /// Compiles the listeners of a mapping; nil if it has none.
    /// - Parameter others: more of them, which come last.
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
        // WireMock takes the actions first.
        var webhooks = actions.filter { Self.isWebhook($0) }.map { Webhook($0["parameters"]) }
        // As in WireMock, all that one request records is one change: those of the state are one listener.
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

    /// Whether a listener acts once the exchange is over: it says so, or no phases.
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

    /// Whether any of them has work once the response is on its way.
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
