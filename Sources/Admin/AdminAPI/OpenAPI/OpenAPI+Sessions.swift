/// `/sessions`.
extension OpenAPIPart {
    static let sessions = OpenAPIPart(
        Tag(
            name: "Sessions",
            description: """
                Separate servers within this one, for tests that run in parallel. All other calls act on the session \
                named by their port, path, header or host.
                """),
        #"""
        {
          "paths": {
            "/sessions": {
              "get": {
                "operationId": "listSessions",
                "summary": "All open sessions, the oldest first",
                "200": ["The sessions, and their number.", "Sessions"]
              },
              "post": {
                "operationId": "beginSession",
                "summary": "Begin a session",
                "requestBody": {
                  "required": false,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SessionRequest"}}}
                },
                "201": ["The session has begun.", "Session"],
                "409": ["The port is in use.", "Errors"],
                "422": ["The body is malformed.", "Errors"],
                "500": ["The port could not be opened.", "Errors"]
              },
              "delete": {
                "operationId": "endAllSessions",
                "summary": "End all sessions",
                "200": ["The number of ended sessions.", "EndedSessions"]
              }
            },
            "/sessions/{id}": {
              "parameters": ["sessionID"],
              "get": {
                "operationId": "getSession",
                "summary": "Show one session",
                "200": ["The session.", "Session"],
                "404": ["There never was such a session.", "Errors"],
                "410": ["It has ended.", "Errors"]
              },
              "delete": {
                "operationId": "endSession",
                "summary": "End a session",
                "200": ["It has ended; its data are removed, and its port is closed.", "Empty"],
                "404": ["There never was such a session.", "Errors"],
                "410": ["It had already ended.", "Errors"]
              }
            },
            "/sessions/{id}/report": {
              "parameters": ["sessionID"],
              "get": {
                "operationId": "reportOnSession",
                "summary": "A report: the requests served, the unmatched ones, and the unused stubs",
                "parameters": ["strict"],
                "200": ["The report.", "SessionReport"],
                "404": ["There never was such a session.", "Errors"],
                "410": ["It has ended.", "Errors"]
              }
            }
          },
          "parameters": {
            "sessionID": {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
            "strict": {
              "name": "strict", "in": "query", "description": "Unused stubs also fail the verdict.",
              "schema": {"type": "boolean"}
            }
          },
          "schemas": {
            "SessionRequest": {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "name": {"type": "string", "description": "A label."},
                "port": {
                  "type": "integer", "minimum": 0, "maximum": 65535,
                  "description": "Its own port; 0 takes a free one."
                },
                "inherit": {
                  "type": "boolean", "description": "Whether it has the daemon's stubs and settings beside its own. True if absent."
                },
                "seed": {"type": "integer", "description": "The seed of delays and random choices."},
                "settings": {"$ref": "#/components/schemas/SettingsChange"},
                "ttl": {
                  "type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$",
                  "description": "The time without a request after which it ends; 1h if absent."
                }
              }
            },
            "Session": {
              "type": "object",
              "required": [
                "id", "name", "url", "port", "header", "host", "inherit", "seed", "ttl", "idleMs", "createdAt", "served",
                "unmatched", "failed"
              ],
              "properties": {
                "id": {"type": "string"},
                "name": {"type": "string", "nullable": true},
                "url": {"type": "string", "description": "The base address for a client that does not support sessions."},
                "port": {"type": "integer", "nullable": true},
                "header": {"type": "object", "additionalProperties": {"type": "string"}},
                "host": {"type": "string"},
                "inherit": {"type": "boolean"},
                "seed": {"type": "integer"},
                "ttl": {"type": "string"},
                "idleMs": {"type": "integer", "minimum": 0},
                "createdAt": {"type": "string", "format": "date-time"},
                "served": {"type": "integer", "minimum": 0},
                "unmatched": {"type": "integer", "minimum": 0},
                "failed": {"type": "integer", "minimum": 0}
              }
            },
            "Sessions": {
              "type": "object",
              "required": ["sessions", "meta"],
              "properties": {
                "sessions": {"type": "array", "items": {"$ref": "#/components/schemas/Session"}},
                "meta": {
                  "type": "object", "required": ["total"], "properties": {"total": {"type": "integer", "minimum": 0}}
                }
              }
            },
            "EndedSessions": {
              "type": "object",
              "required": ["ended"],
              "properties": {"ended": {"type": "integer", "minimum": 0}}
            },
            "SessionReport": {
              "type": "object",
              "required": [
                "id", "name", "served", "unmatchedCount", "unmatched", "failedCount", "failed", "unusedStubCount",
                "unusedStubs", "verdict"
              ],
              "properties": {
                "id": {"type": "string"},
                "name": {"type": "string", "nullable": true},
                "served": {"type": "integer", "minimum": 0},
                "unmatchedCount": {"type": "integer", "minimum": 0},
                "unmatched": {
                  "type": "array",
                  "description": "The oldest first, 100 at most, each with its nearest stub.",
                  "items": {
                    "type": "object",
                    "required": ["sequence", "request"],
                    "properties": {
                      "sequence": {"type": "integer"},
                      "request": {"$ref": "#/components/schemas/LoggedRequest"},
                      "nearestStub": {"type": "object"}
                    }
                  }
                },
                "failedCount": {"type": "integer", "minimum": 0},
                "failed": {
                  "type": "array",
                  "description": "Requests whose stub could not be served: the oldest first, 100 at most.",
                  "items": {
                    "type": "object",
                    "required": ["sequence", "request", "status", "stub", "reason"],
                    "properties": {
                      "sequence": {"type": "integer"},
                      "request": {"$ref": "#/components/schemas/LoggedRequest"},
                      "status": {"type": "integer"},
                      "stub": {"$ref": "#/components/schemas/StubReference"},
                      "reason": {"type": "string"}
                    }
                  }
                },
                "unusedStubCount": {"type": "integer", "minimum": 0},
                "unusedStubs": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["id", "key", "request"],
                    "properties": {
                      "id": {"type": "string"}, "name": {"type": "string"}, "key": {"type": "string"},
                      "file": {"type": "string"}, "line": {"type": "integer"}, "request": {"type": "object"}
                    }
                  }
                },
                "verdict": {"type": "string", "enum": ["passed", "failed"]}
              }
            }
          }
        }
        """#)
}
