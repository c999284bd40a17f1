import SDJSON
import SDStubModel

/// The body of `PUT /__admin/scenarios/{name}/state`: `{"state": "two"}`.
struct ScenarioState: Sendable, Hashable {
    var state: String?

    /// Reads the document.
    /// - Throws: all problems.
    init(json: JSONValue) throws(ModelProblems) {
        var reader = ModelReader()
        let javaClass = JavaClass("com.github.tomakehurst.wiremock.admin.model.ScenarioState")
        var state: String?
        if case .object(let object) = json {
            for member in object.members {
                reader.member(member, class: javaClass, of: ["state"]) { state = $0.string(member.value) }
            }
        } else {
            reader.reportMismatch(json, javaClass, expected: "an object such as {\"state\": \"Started\"}")
        }
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
        self.state = state
    }
}
