/// `/state` and `/state-extension`.
extension OpenAPIPart {
    static let state = OpenAPIPart(
        Tag(name: "State", description: "What stubs put away for later requests. An addition."),
        #"""
        {
          "paths": {
            "/state": {
              "get": {
                "operationId": "listState",
                "summary": "All contexts",
                "200": ["In the order in which they were made.", "StateContexts"]
              },
              "delete": {
                "operationId": "removeAllState",
                "summary": "Remove all contexts",
                "200": ["They are gone.", "Empty"]
              }
            },
            "/state/{context}": {
              "parameters": ["stateContext"],
              "get": {
                "operationId": "getState",
                "summary": "One context",
                "200": ["It exists.", "StateContext"],
                "404": ["It does not exist.", "Errors"]
              },
              "put": {
                "operationId": "replaceState",
                "summary": "Make or replace a context",
                "body": "StateContent",
                "200": ["It has these properties and this list.", "StateContext"],
                "422": ["The body is malformed, or there is no room for it.", "Errors"]
              },
              "patch": {
                "operationId": "changeState",
                "summary": "Make a context or set some of its properties",
                "body": "StateProperties",
                "200": ["It has these properties.", "StateContext"],
                "422": ["The body is malformed, or there is no room for it.", "Errors"]
              },
              "delete": {
                "operationId": "removeState",
                "summary": "Remove a context",
                "200": ["It is gone.", "Empty"],
                "404": ["It does not exist.", "Errors"]
              }
            },
            "/state-extension/contexts": {
              "get": {
                "operationId": "listStateContexts",
                "summary": "The names of all contexts, as WireMock's state extension lists them",
                "200": ["In the order in which they were made.", "StateContextNames"]
              }
            },
            "/state-extension/contexts/{context}": {
              "parameters": ["stateContext"],
              "get": {
                "operationId": "getStateContext",
                "summary": "One context, as under `/state`",
                "200": ["It exists.", "StateContext"],
                "404": ["It does not exist.", "Errors"]
              },
              "delete": {
                "operationId": "removeStateContext",
                "summary": "Remove a context, if there is one",
                "204": "It is gone."
              }
            }
          },
          "parameters": {
            "stateContext": {"name": "context", "in": "path", "required": true, "schema": {"type": "string"}}
          },
          "schemas": {
            "StateValues": {"type": "object", "additionalProperties": true},
            "StateProperties": {
              "type": "object",
              "properties": {"properties": {"$ref": "#/components/schemas/StateValues"}}
            },
            "StateContent": {
              "type": "object",
              "properties": {
                "properties": {"$ref": "#/components/schemas/StateValues"},
                "list": {"type": "array", "items": {"$ref": "#/components/schemas/StateValues"}}
              }
            },
            "StateContext": {
              "type": "object",
              "required": ["contextName", "updateCount", "properties", "list"],
              "properties": {
                "contextName": {"type": "string"},
                "updateCount": {"type": "integer"},
                "properties": {"$ref": "#/components/schemas/StateValues"},
                "list": {"type": "array", "items": {"$ref": "#/components/schemas/StateValues"}}
              }
            },
            "StateContexts": {
              "type": "object",
              "required": ["contexts"],
              "properties": {
                "contexts": {"type": "array", "items": {"$ref": "#/components/schemas/StateContext"}}
              }
            },
            "StateContextNames": {"type": "array", "items": {"type": "string"}}
          }
        }
        """#)
}
