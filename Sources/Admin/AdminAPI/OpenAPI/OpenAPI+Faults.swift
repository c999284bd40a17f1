/// `/faults`: the faults of a session, and the sets of files.
extension OpenAPIPart {
    static let faults = OpenAPIPart(
        Tag(name: "Faults", description: "What goes wrong, on purpose."),
        #"""
        {
          "parameters": {
            "setName": {"name": "name", "in": "path", "required": true, "schema": {"type": "string"}}
          },
          "paths": {
            "/faults": {
              "get": {
                "operationId": "listFaults",
                "summary": "The session's faults and the sets that can be switched on",
                "200": ["They.", "Faults"]
              },
              "post": {
                "operationId": "addFaults",
                "summary": "Add a fault, or several",
                "body": "NewFaults",
                "201": ["They act from the next request on.", "AddedFaults"],
                "404": ["There is no set of that name.", "Errors"],
                "409": ["The port cannot be opened again.", "Errors"],
                "422": ["The body is no fault, or the session has no port.", "Errors"]
              },
              "delete": {
                "operationId": "removeFaults",
                "summary": "Remove all faults, those of sets included",
                "200": ["They act no more.", "RemovedFaults"],
                "409": ["The port cannot be opened again.", "Errors"]
              }
            },
            "/faults/{id}": {
              "parameters": ["stubId"],
              "get": {
                "operationId": "getFault",
                "summary": "A fault, and how often it has acted",
                "200": ["The fault.", "ActiveFault"],
                "400": ["The id is not a UUID.", "Errors"],
                "404": "Not found."
              },
              "delete": {
                "operationId": "removeFault",
                "summary": "Remove a fault",
                "200": ["It acts no more.", "RemovedFaults"],
                "400": ["The id is not a UUID.", "Errors"],
                "404": "Not found.",
                "409": ["The port cannot be opened again.", "Errors"]
              }
            },
            "/faults/sets/{name}": {
              "parameters": ["setName"],
              "put": {
                "operationId": "switchFaultSetOn",
                "summary": "Switch a set on, as its file has it now",
                "200": ["Its faults act from the next request on.", "AddedFaults"],
                "404": ["There is no set of that name.", "Errors"],
                "409": ["The port cannot be opened again.", "Errors"],
                "422": ["The session has no port for one of its faults.", "Errors"]
              },
              "delete": {
                "operationId": "switchFaultSetOff",
                "summary": "Switch a set off",
                "200": ["Its faults act no more.", "RemovedFaults"],
                "409": ["The port cannot be opened again.", "Errors"]
              }
            }
          },
          "schemas": {
            "FaultKind": {
              "type": "string",
              "enum": [
                "CONNECTION_RESET_BY_PEER", "EMPTY_RESPONSE", "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE"
              ]
            },
            "Delay": {
              "anyOf": [
                {"type": "string", "description": "Such as 120ms or 1.5s."},
                {"type": "object", "description": "A distribution, in short or with a type."}
              ]
            },
            "ResponseDelays": {
              "type": "object",
              "minProperties": 1,
              "additionalProperties": false,
              "properties": {
                "firstByte": {"$ref": "#/components/schemas/Delay"},
                "perChunk": {"$ref": "#/components/schemas/Delay"}
              }
            },
            "FaultRule": {
              "type": "object",
              "description": "What happens to an answer, and when; docs/faults.md has each.",
              "minProperties": 1,
              "properties": {
                "status": {"type": "integer", "minimum": 100, "maximum": 999},
                "kind": {"$ref": "#/components/schemas/FaultKind"},
                "neverAnswer": {"type": "boolean"},
                "delay": {"$ref": "#/components/schemas/Delay"},
                "cutAfter": {
                  "description": "Bytes, a part such as 50%, headers, or a number of chunks.",
                  "anyOf": [
                    {"type": "integer", "minimum": 0},
                    {"type": "string"},
                    {"type": "object", "required": ["chunk"], "properties": {"chunk": {"type": "integer"}}}
                  ]
                },
                "then": {"type": "string", "enum": ["fin", "rst"]},
                "corrupt": {
                  "type": "object",
                  "properties": {"byte": {"type": "integer"}, "rate": {"$ref": "#/components/schemas/Probability"}}
                },
                "wrongLength": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
                "duplicateHeader": {
                  "anyOf": [
                    {"type": "string"},
                    {
                      "type": "object",
                      "required": ["name"],
                      "properties": {"name": {"type": "string"}, "value": {"type": "string"}}
                    }
                  ]
                },
                "garbagePrefix": {"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 1}]},
                "bandwidth": {"type": "string", "description": "Such as 3KB/s."},
                "slice": {
                  "type": "object",
                  "required": ["size", "gap"],
                  "properties": {"size": {"anyOf": [{"type": "integer"}, {"type": "string"}]}, "gap": {"type": "string"}}
                },
                "stall": {
                  "type": "object",
                  "required": ["for"],
                  "properties": {
                    "after": {"anyOf": [{"type": "integer"}, {"type": "string"}]}, "for": {"type": "string"}
                  }
                },
                "slowClose": {"type": "string"},
                "probability": {"$ref": "#/components/schemas/Probability"},
                "first": {
                  "anyOf": [
                    {"type": "integer", "minimum": 1},
                    {
                      "type": "object",
                      "required": ["count"],
                      "properties": {"count": {"type": "integer"}, "perHeader": {"type": "string"}}
                    }
                  ]
                },
                "between": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string"}},
                "quota": {
                  "type": "object",
                  "required": ["limit", "per"],
                  "properties": {"limit": {"type": "integer", "minimum": 0}, "per": {"type": "string"}}
                },
                "concurrency": {"type": "integer", "minimum": 0}
              }
            },
            "Probability": {"anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"type": "string"}]},
            "SessionFault": {
              "allOf": [
                {"$ref": "#/components/schemas/FaultRule"},
                {
                  "type": "object",
                  "properties": {
                    "id": {"type": "string", "format": "uuid"},
                    "name": {"type": "string"},
                    "request": {"$ref": "#/components/schemas/RequestPattern"},
                    "readSlowly": {"type": "string", "description": "For uploads, such as 1KB/s."},
                    "refuseNext": {"type": "integer", "minimum": 1},
                    "listener": {"type": "string", "enum": ["down", "acceptAndStall"]}
                  }
                }
              ]
            },
            "NewFaults": {
              "anyOf": [
                {"$ref": "#/components/schemas/SessionFault"},
                {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/SessionFault"}},
                {"type": "object", "required": ["chaos"], "properties": {"chaos": {"type": "string"}}}
              ]
            },
            "ActiveFault": {
              "allOf": [
                {"$ref": "#/components/schemas/SessionFault"},
                {
                  "type": "object",
                  "required": ["id", "acted"],
                  "properties": {
                    "acted": {"type": "integer", "minimum": 0, "description": "The answers that it has changed."},
                    "set": {"type": "string"}
                  }
                }
              ]
            },
            "AddedFaults": {
              "type": "object",
              "required": ["faults"],
              "properties": {"faults": {"type": "array", "items": {"$ref": "#/components/schemas/ActiveFault"}}}
            },
            "RemovedFaults": {
              "type": "object",
              "required": ["removed"],
              "properties": {"removed": {"type": "integer", "minimum": 0}}
            },
            "Faults": {
              "type": "object",
              "required": ["faults", "sets", "meta"],
              "properties": {
                "faults": {"type": "array", "items": {"$ref": "#/components/schemas/ActiveFault"}},
                "sets": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["name", "file", "isOn"],
                    "properties": {
                      "name": {"type": "string"}, "file": {"type": "string"}, "isOn": {"type": "boolean"}
                    }
                  }
                },
                "meta": {
                  "type": "object",
                  "required": ["total"],
                  "properties": {"total": {"type": "integer", "minimum": 0}}
                }
              }
            }
          }
        }
        """#)
}
