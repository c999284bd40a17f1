/// `/scenarios`.
extension OpenAPIPart {
    static let scenarios = OpenAPIPart(
        Tag(name: "Scenarios", description: "State machines that stubs share."),
        #"""
        {
          "paths": {
            "/scenarios": {
              "get": {
                "operationId": "listScenarios",
                "summary": "All scenarios and their states",
                "200": ["In the order of their names.", "Scenarios"]
              }
            },
            "/scenarios/reset": {
              "post": {
                "operationId": "resetScenarios",
                "summary": "Take all scenarios back to Started",
                "200": ["They are.", "Empty"]
              }
            },
            "/scenarios/{name}/state": {
              "parameters": ["scenarioName"],
              "put": {
                "operationId": "setScenarioState",
                "summary": "Set a scenario's state; back to Started with an empty body",
                "requestBody": {
                  "required": false,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ScenarioState"}}}
                },
                "200": ["It is in that state.", "Empty"],
                "404": ["No stub names the scenario.", "Errors"],
                "422": ["None of its stubs names the state, or the body is malformed.", "Errors"]
              }
            }
          },
          "parameters": {
            "scenarioName": {"name": "name", "in": "path", "required": true, "schema": {"type": "string"}}
          },
          "schemas": {
            "ScenarioState": {
              "type": "object",
              "properties": {"state": {"type": "string"}}
            },
            "Scenarios": {
              "type": "object",
              "required": ["scenarios"],
              "properties": {
                "scenarios": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["id", "name", "state", "possibleStates", "mappings"],
                    "properties": {
                      "id": {"type": "string"},
                      "name": {"type": "string"},
                      "state": {"type": "string"},
                      "possibleStates": {"type": "array", "items": {"type": "string"}},
                      "mappings": {"type": "array", "items": {"$ref": "#/components/schemas/StubMapping"}}
                    }
                  }
                }
              }
            }
          }
        }
        """#)
}
