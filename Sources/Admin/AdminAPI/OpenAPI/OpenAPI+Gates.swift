/// `/gates` and `/streams`: responses that wait, and streams that callers send events to.
extension OpenAPIPart {
    static let gates = OpenAPIPart(
        Tag(name: "Gates and streams", description: "Responses that wait to be released; events for open streams."),
        #"""
        {
          "paths": {
            "/gates": {
              "get": {
                "operationId": "listGates",
                "summary": "The gates at which requests wait, and those that stand open",
                "parameters": ["limit"],
                "200": ["The gates.", "Gates"],
                "400": ["The limit is not a number.", "Errors"]
              }
            },
            "/gates/{gate}": {
              "parameters": ["gate"],
              "get": {
                "operationId": "getGate",
                "summary": "A gate, whether anybody waits there or not",
                "parameters": ["limit"],
                "200": ["The gate.", "Gate"],
                "400": ["The limit is not a number.", "Errors"]
              }
            },
            "/gates/{gate}/requests/{id}": {
              "parameters": ["gate", "stubId"],
              "get": {
                "operationId": "getWaitingRequest",
                "summary": "A request that waits at a gate, with its whole body",
                "200": ["The request.", "WholeRequest"],
                "400": ["The id is not a UUID.", "Errors"],
                "404": "It does not wait there."
              }
            },
            "/gates/{gate}/release": {
              "parameters": ["gate"],
              "post": {
                "operationId": "releaseGate",
                "summary": "Let requests go that wait at a gate, if wanted with another response",
                "requestBody": {
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/GateRelease"}}}
                },
                "200": ["They go.", "ReleasedGate"],
                "422": ["The body is not such a document.", "Errors"]
              }
            },
            "/gates/{gate}/fail": {
              "parameters": ["gate"],
              "post": {
                "operationId": "failGate",
                "summary": "Break the connections of requests that wait at a gate",
                "requestBody": {
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/GateFailure"}}}
                },
                "200": ["They are broken.", "FailedGate"],
                "422": ["The body is not such a document.", "Errors"]
              }
            },
            "/gates/{gate}/open": {
              "parameters": ["gate"],
              "post": {
                "operationId": "openGate",
                "summary": "Let all go, and nobody wait until the gate is closed",
                "200": ["It stands open.", "ReleasedGate"]
              }
            },
            "/streams": {
              "get": {
                "operationId": "listStreams",
                "summary": "The streams with names that somebody reads",
                "parameters": ["limit"],
                "200": ["The streams.", "OpenStreams"],
                "400": ["The limit is not a number.", "Errors"]
              }
            },
            "/streams/{name}": {
              "parameters": ["streamName"],
              "get": {
                "operationId": "getStream",
                "summary": "A stream, whether anybody reads it or not",
                "parameters": ["limit"],
                "200": ["The stream.", "OpenStream"],
                "400": ["The limit is not a number.", "Errors"]
              },
              "post": {
                "operationId": "pushToStream",
                "summary": "Send events to all readers of a stream",
                "body": "PushedEvents",
                "200": ["How many readers get how many events.", "PushResult"],
                "422": ["The body is not such a document.", "Errors"]
              }
            },
            "/streams/{name}/close": {
              "parameters": ["streamName"],
              "post": {
                "operationId": "closeStream",
                "summary": "End the streams of all readers in order",
                "200": ["They end.", "ClosedStream"]
              }
            },
            "/streams/{name}/fail": {
              "parameters": ["streamName"],
              "post": {
                "operationId": "failStream",
                "summary": "Break the streams of all readers",
                "requestBody": {
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/StreamFailure"}}}
                },
                "200": ["They are broken.", "FailedGate"],
                "422": ["The body is not such a document.", "Errors"]
              }
            },
            "/gates/{gate}/close": {
              "parameters": ["gate"],
              "post": {
                "operationId": "closeGate",
                "summary": "Close a gate that stands open",
                "200": ["It is closed.", "ClosedGate"]
              }
            }
          },
          "parameters": {
            "streamName": {"name": "name", "in": "path", "required": true, "schema": {"type": "string"}},
            "gate": {"name": "gate", "in": "path", "required": true, "schema": {"type": "string"}}
          },
          "schemas": {
            "GateHold": {
              "description": "The name of a gate, or an object with what happens when nobody releases it.",
              "oneOf": [
                {"type": "string"},
                {
                  "type": "object",
                  "required": ["gate"],
                  "additionalProperties": false,
                  "properties": {
                    "gate": {"type": "string"},
                    "timeout": {"type": "string", "description": "A duration such as 30s."},
                    "onTimeout": {
                      "description": "answer, fail, the name of a fault, or a status.",
                      "oneOf": [{"type": "string"}, {"type": "integer", "minimum": 200, "maximum": 999}]
                    }
                  }
                }
              ]
            },
            "StreamEvents": {
              "type": "array",
              "minItems": 1,
              "items": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                  "after": {"type": "string", "description": "The wait before it: a duration such as 100ms."},
                  "comment": {"type": "string"},
                  "event": {"type": "string"},
                  "id": {"type": "string"},
                  "retry": {"type": "integer", "minimum": 0, "description": "Milliseconds."},
                  "data": {"nullable": true, "description": "A text, or any JSON."},
                  "chunk": {"type": "string", "description": "Sent as it is, without any other member but after."},
                  "base64": {"$ref": "#/components/schemas/Base64"},
                  "hold": {"$ref": "#/components/schemas/GateHold"}
                }
              }
            },
            "Stream": {
              "description": "Events, or an object with them, sent in place of a body.",
              "oneOf": [
                {"$ref": "#/components/schemas/StreamEvents"},
                {
                  "type": "object",
                  "additionalProperties": false,
                  "properties": {
                    "name": {"type": "string", "description": "Callers send events under this name."},
                    "events": {"$ref": "#/components/schemas/StreamEvents"},
                    "repeat": {
                      "oneOf": [{"type": "integer", "minimum": 1}, {"type": "string", "enum": ["forever"]}]
                    }
                  }
                }
              ]
            },
            "Gate": {
              "type": "object",
              "required": ["name", "open", "waiting", "requests"],
              "properties": {
                "name": {"type": "string"},
                "open": {"type": "boolean"},
                "waiting": {"type": "integer", "minimum": 0},
                "requests": {
                  "type": "array",
                  "description": "The first to come first; 100 unless limit says otherwise.",
                  "items": {"$ref": "#/components/schemas/WaitingRequest"}
                }
              }
            },
            "Gates": {
              "type": "object",
              "required": ["gates", "meta"],
              "properties": {
                "gates": {"type": "array", "items": {"$ref": "#/components/schemas/Gate"}},
                "meta": {
                  "type": "object",
                  "required": ["total", "waiting"],
                  "properties": {
                    "total": {"type": "integer", "minimum": 0},
                    "waiting": {"type": "integer", "minimum": 0}
                  }
                }
              }
            },
            "WaitingRequest": {
              "type": "object",
              "required": ["id", "sequence", "method", "url", "since", "ageMs", "inStream"],
              "properties": {
                "id": {"type": "string", "format": "uuid"},
                "sequence": {"type": "integer", "minimum": 1},
                "method": {"type": "string"},
                "url": {"type": "string"},
                "stub": {"$ref": "#/components/schemas/StubReference"},
                "since": {"type": "string", "format": "date-time"},
                "ageMs": {"type": "integer", "minimum": 0},
                "inStream": {"type": "boolean", "description": "Whether a part of the answer has been sent."}
              }
            },
            "WholeRequest": {
              "type": "object",
              "required": ["id", "request"],
              "properties": {
                "id": {"type": "string", "format": "uuid"},
                "request": {"type": "object", "description": "As the journal shows it, with the whole body."}
              }
            },
            "GateRelease": {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "count": {"type": "integer", "minimum": 1, "description": "The most requests; all by default."},
                "id": {"type": "string", "format": "uuid", "description": "The only request."},
                "response": {"$ref": "#/components/schemas/ResponseDefinition"}
              }
            },
            "GateFailure": {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "count": {"type": "integer", "minimum": 1, "description": "The most requests; all by default."},
                "id": {"type": "string", "format": "uuid", "description": "The only request."},
                "fault": {
                  "type": "string",
                  "default": "CONNECTION_RESET_BY_PEER",
                  "enum": [
                    "CONNECTION_RESET_BY_PEER", "EMPTY_RESPONSE", "MALFORMED_RESPONSE_CHUNK",
                    "RANDOM_DATA_THEN_CLOSE"
                  ]
                }
              }
            },
            "OpenStream": {
              "type": "object",
              "required": ["name", "readers", "sent", "requests"],
              "properties": {
                "name": {"type": "string"},
                "readers": {"type": "integer", "minimum": 0},
                "sent": {"type": "integer", "minimum": 0, "description": "The events that callers have sent."},
                "requests": {
                  "type": "array",
                  "description": "The first to come first; 100 unless limit says otherwise.",
                  "items": {
                    "type": "object",
                    "required": ["id", "sequence", "method", "url", "ageMs", "pendingBytes"],
                    "properties": {
                      "id": {"type": "string", "format": "uuid"},
                      "sequence": {"type": "integer", "minimum": 1},
                      "method": {"type": "string"},
                      "url": {"type": "string"},
                      "stub": {"$ref": "#/components/schemas/StubReference"},
                      "ageMs": {"type": "integer", "minimum": 0},
                      "pendingBytes": {"type": "integer", "minimum": 0}
                    }
                  }
                }
              }
            },
            "OpenStreams": {
              "type": "object",
              "required": ["streams", "meta"],
              "properties": {
                "streams": {"type": "array", "items": {"$ref": "#/components/schemas/OpenStream"}},
                "meta": {
                  "type": "object",
                  "required": ["total"],
                  "properties": {"total": {"type": "integer", "minimum": 0}}
                }
              }
            },
            "PushedEvent": {
              "type": "object",
              "minProperties": 1,
              "additionalProperties": false,
              "properties": {
                "comment": {"type": "string"},
                "event": {"type": "string"},
                "id": {"type": "string"},
                "retry": {"type": "integer", "minimum": 0, "description": "Milliseconds."},
                "data": {"nullable": true, "description": "A text, or any JSON."},
                "chunk": {"type": "string", "description": "Sent as it is, without any other member."},
                "base64": {"$ref": "#/components/schemas/Base64"}
              }
            },
            "PushedEvents": {
              "oneOf": [
                {"$ref": "#/components/schemas/PushedEvent"},
                {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/PushedEvent"}}
              ]
            },
            "PushResult": {
              "type": "object",
              "required": ["readers", "events"],
              "properties": {
                "readers": {"type": "integer", "minimum": 0},
                "events": {"type": "integer", "minimum": 1}
              }
            },
            "ClosedStream": {
              "type": "object",
              "required": ["closed"],
              "properties": {"closed": {"type": "integer", "minimum": 0}}
            },
            "StreamFailure": {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "fault": {
                  "type": "string",
                  "default": "CONNECTION_RESET_BY_PEER",
                  "enum": [
                    "CONNECTION_RESET_BY_PEER", "EMPTY_RESPONSE", "MALFORMED_RESPONSE_CHUNK",
                    "RANDOM_DATA_THEN_CLOSE"
                  ]
                }
              }
            },
            "ReleasedGate": {
              "type": "object",
              "required": ["released"],
              "properties": {"released": {"type": "integer", "minimum": 0}}
            },
            "FailedGate": {
              "type": "object",
              "required": ["failed"],
              "properties": {"failed": {"type": "integer", "minimum": 0}}
            },
            "ClosedGate": {
              "type": "object",
              "required": ["wasOpen"],
              "properties": {"wasOpen": {"type": "boolean"}}
            }
          }
        }
        """#)
}
