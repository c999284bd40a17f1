/// `/near-misses`, `/requests/unmatched/near-misses` and `/explain`.
extension OpenAPIPart {
    static let nearMisses = OpenAPIPart(
        Tag(name: "Near misses", description: "The stubs nearest to a request, and why it gets its response."),
        #"""
        {
          "paths": {
            "/near-misses/request": {
              "post": {
                "operationId": "nearMissesOfRequest",
                "summary": "The three stubs nearest to a request",
                "body": "RequestDescription",
                "200": ["The nearest first.", "NearMisses"],
                "422": ["The body describes no request.", "Errors"]
              }
            },
            "/near-misses/request-pattern": {
              "post": {
                "operationId": "nearMissesOfPattern",
                "summary": "The three requests of the journal nearest to a pattern",
                "body": "RequestPattern",
                "200": ["The nearest first.", "NearMisses"],
                "422": ["The body is not a request pattern.", "Errors"]
              }
            },
            "/requests/unmatched/near-misses": {
              "get": {
                "operationId": "nearMissesOfUnmatched",
                "summary": "The three nearest stubs of each unmatched request",
                "200": ["The newest request first.", "NearMisses"]
              }
            },
            "/explain": {
              "post": {
                "operationId": "explain",
                "summary": "Which stub would answer a request, and why",
                "body": "RequestDescription",
                "200": ["The stub, or the nearest ones.", "Explanation"],
                "422": ["The body describes no request.", "Errors"]
              }
            }
          },
          "schemas": {
            "NearMisses": {
              "type": "object",
              "required": ["nearMisses"],
              "properties": {
                "nearMisses": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["request", "matchResult"],
                    "properties": {
                      "request": {"$ref": "#/components/schemas/LoggedRequest"},
                      "stubMapping": {"$ref": "#/components/schemas/StubMapping"},
                      "requestPattern": {"$ref": "#/components/schemas/RequestPattern"},
                      "matchResult": {
                        "type": "object",
                        "required": ["subEvents", "diffDescriptions", "distance"],
                        "properties": {
                          "subEvents": {"type": "array", "items": {"type": "object"}},
                          "diffDescriptions": {"type": "array", "items": {"type": "object"}},
                          "distance": {"type": "number", "minimum": 0}
                        }
                      },
                      "scenarioState": {"type": "string"}
                    }
                  }
                }
              }
            },
            "Explanation": {
              "type": "object",
              "required": ["reason", "notes"],
              "properties": {
                "stubMapping": {
                  "anyOf": [
                    {"$ref": "#/components/schemas/StubMapping"},
                    {"type": "object", "nullable": true, "enum": [null], "description": "No stub would answer."}
                  ]
                },
                "key": {"type": "string", "description": "The stub's key in the shorthand: GET /users/{id}."},
                "file": {"type": "string"},
                "line": {"type": "integer", "minimum": 1},
                "failure": {"type": "string", "description": "Why the stub would answer with a 500."},
                "bodyFile": {"type": "string", "description": "The path below __files of the file that would answer."},
                "reason": {"type": "string"},
                "attributes": {"type": "array", "items": {"$ref": "#/components/schemas/ComparedAttribute"}},
                "shadows": {"type": "array", "items": {"$ref": "#/components/schemas/StubWithReason"}},
                "shadowCount": {"type": "integer", "minimum": 0},
                "ineligible": {
                  "type": "array",
                  "description": "Stubs whose patterns match but that may not answer now.",
                  "items": {"$ref": "#/components/schemas/StubWithReason"}
                },
                "ineligibleCount": {"type": "integer", "minimum": 1},
                "nearMisses": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["stubMapping", "distance", "attributes"],
                    "properties": {
                      "stubMapping": {"$ref": "#/components/schemas/StubMapping"},
                      "key": {"type": "string"},
                      "file": {"type": "string"},
                      "line": {"type": "integer", "minimum": 1},
                      "distance": {"type": "number", "minimum": 0},
                      "scenarioState": {"type": "string"},
                      "ineligible": {"type": "string", "description": "Why the stub may not answer now."},
                      "warnings": {"type": "array", "items": {"type": "string"}, "description": "What is hardly meant in the stub."},
                      "attributes": {"type": "array", "items": {"$ref": "#/components/schemas/ComparedAttribute"}}
                    }
                  }
                },
                "notes": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["type", "message"],
                    "properties": {"type": {"type": "string"}, "message": {"type": "string"}}
                  }
                }
              }
            },
            "StubWithReason": {
              "type": "object",
              "required": ["id", "key", "reason"],
              "properties": {
                "id": {"type": "string", "format": "uuid"},
                "name": {"type": "string"},
                "key": {"type": "string"},
                "file": {"type": "string"},
                "line": {"type": "integer", "minimum": 1},
                "reason": {"type": "string"}
              }
            },
            "StubReference": {
              "type": "object",
              "required": ["id", "key"],
              "properties": {
                "id": {"type": "string", "format": "uuid"},
                "name": {"type": "string"},
                "key": {"type": "string"},
                "file": {"type": "string"},
                "line": {"type": "integer", "minimum": 1}
              }
            },
            "ComparedAttribute": {
              "type": "object",
              "required": ["attribute", "matches", "distance"],
              "properties": {
                "attribute": {"type": "string"},
                "name": {"type": "string"},
                "expected": {"nullable": true},
                "actual": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
                "differences": {
                  "type": "array",
                  "description": "The first differences within a document, with their places.",
                  "items": {"type": "string"}
                },
                "matches": {"type": "boolean"},
                "distance": {"type": "number", "minimum": 0}
              }
            },
            "RequestDescription": {
              "type": "object",
              "description": "A request, which need not have been received.",
              "properties": {
                "method": {"type": "string"},
                "url": {"type": "string", "description": "Path and query."},
                "absoluteUrl": {"type": "string"},
                "scheme": {"type": "string"},
                "host": {"type": "string"},
                "port": {"type": "integer"},
                "clientIp": {"type": "string"},
                "headers": {"$ref": "#/components/schemas/Headers"},
                "cookies": {
                  "type": "object",
                  "additionalProperties": {
                    "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
                  }
                },
                "body": {"type": "string", "description": "Read only by `explain`."},
                "bodyAsBase64": {"$ref": "#/components/schemas/Base64"}
              }
            }
          }
        }
        """#)
}
