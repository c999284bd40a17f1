import SDContracts
import SDJSON
import SDOpenAPI
import Testing

/// A contract for tests.
enum TestContract {
    /// Of a whole document in JSON.
    static func reading(_ json: JSONValue) -> Contract {
        Contract(APIDescription(reading: json, named: "openapi.json", other: { _ in nil }))
    }

    /// With one operation, `GET /thing/{thingId}`, which answers by a schema.
    static func answering(
        _ schema: JSONValue, components: JSONValue = [:], version: String = "3.1.0", type: String = "application/json"
    ) -> Contract {
        let content = JSONValue.object(JSONObject([(type, ["schema": schema] as JSONValue)]))
        return reading([
            "openapi": .string(version), "info": ["title": "Things", "version": "1"],
            "paths": [
                "/thing/{thingId}": [
                    "get": [
                        "parameters": [
                            ["name": "thingId", "in": "path", "required": true, "schema": ["type": "integer"]],
                            ["name": "kind", "in": "query", "schema": ["type": "string"]],
                        ],
                        "responses": [
                            "200": ["description": "ok", "content": content]
                        ],
                    ]
                ]
            ],
            "components": ["schemas": components],
        ])
    }

    static func json(_ text: String) -> JSONValue {
        do { return try JSONValue(parsing: text) } catch { fatalError("\(error)") }
    }
}

extension Contract {
    /// The body that its first operation makes.
    func made(
        _ wishes: AnswerPreferences = AnswerPreferences(), path: String = "/thing/7", query: String? = nil
    ) throws -> JSONValue {
        try JSONValue(parsing: answered(wishes, path: path, query: query).body)
    }

    func answered(
        _ wishes: AnswerPreferences = AnswerPreferences(), path: String = "/thing/7", query: String? = nil,
        headers: [(String, String)] = []
    ) throws -> MadeAnswer {
        let operation = try #require(description.operations.first)
        let request = ContractRequest(
            method: "GET", path: path, query: query, headers: headers.map { (name: $0.0, value: $0.1) })
        return try answer(to: request, of: operation, wishes: wishes).get()
    }
}
