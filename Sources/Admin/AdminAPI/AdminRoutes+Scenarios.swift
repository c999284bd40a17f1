import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDMockEngine
import SDStubModel
import SDStubs

/// `/__admin/scenarios`: scenarios and their states.
enum ScenarioRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/scenarios", list).heavy.reading,
        AdminRoute("POST", "/scenarios/reset", resetAll),
        AdminRoute("PUT", "/scenarios/{name}/state", setState),
    ]

    private static func list(_ call: AdminCall) -> PlainResponse {
        .json(["scenarios": .array(call.session.scenarios.map(\.json))])
    }

    private static func resetAll(_ call: AdminCall) -> PlainResponse {
        call.session.resetScenarios()
        return .emptyObject
    }

    /// Sets a scenario's state; an empty body resets it.
    /// - Throws: 404 for an unknown scenario, 422 for an unknown state.
    private static func setState(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let name = call.parameters["name"] ?? ""
        let hasBody = !call.request.body.isEmpty
        let document = hasBody ? try call.read { json throws(ModelProblems) in try ScenarioState(json: json) } : nil
        do throws(ScenarioRefusal) {
            if let document {
                try call.session.setScenario(name, to: document.state)
            } else {
                try call.session.resetScenario(name)
            }
        } catch {
            throw AdminError(error)
        }
        return .emptyObject
    }
}

extension ScenarioStatus {
    /// The scenario in WireMock's form.
    fileprivate var json: JSONValue {
        [
            "id": .string(name), "name": .string(name), "state": .string(state),
            "possibleStates": .array(possibleStates.map(JSONValue.string)),
            "mappings": .array(mappings.map { $0.json(view: .api) }),
        ]
    }
}

extension AdminError {
    fileprivate init(_ refusal: ScenarioRefusal) {
        switch refusal {
        case .unknown(let name):
            self.init(404, ErrorDocument(code: 404, title: "Scenario \(name) does not exist"))
        case .unsupported(let name, let state):
            let title = "Scenario \(name) does not support state \(state ?? "null")"
            self.init(422, ErrorDocument(code: 11, title: title))
        }
    }
}
