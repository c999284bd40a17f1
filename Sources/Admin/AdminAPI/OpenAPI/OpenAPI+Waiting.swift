/// `/requests/wait`, `verify` and `idle`, `/in-flight` and `/events`: current activity.
extension OpenAPIPart {
    static let waiting = OpenAPIPart(
        Tag(name: "Waiting", description: "Waiting for requests instead of polling; what is in flight; events."),
        #"""
        {
          "paths": {
            "/requests/wait": {
              "post": {
                "operationId": "waitForRequests",
                "summary": "Wait until requests are received",
                "body": "RequestWait",
                "200": ["They were received, or the time has expired.", "RequestWaitResult"],
                "422": ["The body is not such a document.", "Errors"]
              }
            },
            "/requests/verify": {
              "post": {
                "operationId": "verifyRequests",
                "summary": "Check many expectations at once, or wait until they are met",
                "body": "Verification",
                "200": ["The verdict.", "VerificationResult"],
                "422": ["The body is not such a document.", "Errors"]
              }
            },
            "/requests/idle": {
              "post": {
                "operationId": "waitUntilIdle",
                "summary": "Wait until nothing has been in flight for a while",
                "requestBody": {
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/IdleWait"}}}
                },
                "200": ["It is idle, or the time has expired.", "IdleResult"],
                "422": ["The body is not such a document.", "Errors"]
              }
            },
            "/in-flight": {
              "get": {
                "operationId": "listInFlight",
                "summary": "The answers that are delayed or paced, the oldest first",
                "200": ["The answers.", "InFlight"]
              },
              "delete": {
                "operationId": "endAllInFlight",
                "summary": "End all slow answers",
                "200": ["They have ended.", "EndedInFlight"]
              }
            },
            "/in-flight/{id}": {
              "parameters": ["stubId"],
              "delete": {
                "operationId": "endInFlight",
                "summary": "End one slow answer",
                "200": ["It has ended.", "EndedInFlight"],
                "400": ["The id is not a UUID.", "Errors"],
                "404": "Not found."
              }
            },
            "/events": {
              "get": {
                "operationId": "streamEvents",
                "summary": "Requests, responses and changes, as server-sent events",
                "parameters": [
                  {"name": "types", "in": "query", "schema": {"type": "string"},
                   "description": "The types to send, such as request,stub; all by default."},
                  {"name": "after", "in": "query", "schema": {"type": "string"},
                   "description": "The id of the last event that was read, or the sequence of a request."},
                  {"name": "Last-Event-ID", "in": "header", "schema": {"type": "string"},
                   "description": "The id of the last event that was read."}
                ],
                "200": {
                  "description": "An endless stream.",
                  "content": {"text/event-stream": {"schema": {"type": "string"}}}
                },
                "400": ["A type is unknown.", "Errors"]
              }
            }
          },
          "schemas": {
            "ExpectedCount": {
              "type": "object",
              "minProperties": 1,
              "additionalProperties": false,
              "properties": {
                "atLeast": {"type": "integer", "minimum": 0},
                "atMost": {"type": "integer", "minimum": 0},
                "exactly": {"type": "integer", "minimum": 0, "description": "Cannot be combined with other bounds."}
              }
            },
            "RequestWait": {
              "type": "object",
              "required": ["pattern"],
              "additionalProperties": false,
              "properties": {
                "pattern": {"$ref": "#/components/schemas/RequestPattern"},
                "name": {"type": "string"},
                "count": {"$ref": "#/components/schemas/ExpectedCount"},
                "since": {"type": "integer", "minimum": 0, "description": "Only requests with a higher sequence count."},
                "timeoutMs": {"type": "integer", "minimum": 0, "maximum": 3600000, "default": 5000}
              }
            },
            "RequestWaitResult": {
              "type": "object",
              "required": ["satisfied", "count", "expected"],
              "properties": {
                "satisfied": {"type": "boolean"},
                "count": {"type": "integer", "description": "-1 without a journal."},
                "expected": {"type": "string"},
                "requests": {"type": "array", "maxItems": 50, "items": {"type": "object"}},
                "nearMisses": {"type": "array", "maxItems": 3, "items": {"type": "object"}},
                "evicted": {"type": "boolean", "description": "Whether requests that might count were dropped."},
                "undecided": {"type": "array", "maxItems": 50, "items": {"type": "integer"},
                  "description": "The sequences of those that may count: only the beginning of their bodies was kept."},
                "cannotTell": {"type": "string", "description": "The same in words."},
                "requestJournalDisabled": {"type": "boolean"},
                "lastSequence": {"type": "integer", "minimum": 0},
                "warnings": {"type": "array", "items": {"type": "string"}, "description": "What is valid in the call and hardly meant."}
              }
            },
            "Verification": {
              "type": "object",
              "required": ["expectations"],
              "additionalProperties": false,
              "properties": {
                "expectations": {
                  "type": "array",
                  "maxItems": 200,
                  "items": {
                    "type": "object",
                    "required": ["pattern"],
                    "additionalProperties": false,
                    "properties": {
                      "name": {"type": "string"},
                      "pattern": {"$ref": "#/components/schemas/RequestPattern"},
                      "count": {"$ref": "#/components/schemas/ExpectedCount"}
                    }
                  }
                },
                "inOrder": {
                  "description": "True, or lists of places in the expectations.",
                  "oneOf": [
                    {"type": "boolean"},
                    {"type": "array", "items": {"type": "array", "items": {"type": "integer", "minimum": 0}}}
                  ]
                },
                "nothingElse": {
                  "oneOf": [
                    {"type": "boolean"},
                    {
                      "type": "object",
                      "required": ["since"],
                      "additionalProperties": false,
                      "properties": {"since": {"type": "integer", "minimum": 0}}
                    }
                  ]
                },
                "since": {"type": "integer", "minimum": 0},
                "timeoutMs": {"type": "integer", "minimum": 0, "maximum": 3600000, "default": 0}
              }
            },
            "VerificationResult": {
              "type": "object",
              "required": ["verified", "expectations", "order", "unexpected", "text"],
              "properties": {
                "verified": {"type": "boolean"},
                "expectations": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["expected", "count", "ok", "sequences"],
                    "properties": {
                      "name": {"type": "string"},
                      "expected": {"type": "string"},
                      "count": {"type": "integer", "minimum": 0},
                      "ok": {"type": "boolean"},
                      "sequences": {"type": "array", "items": {"type": "integer"}},
                      "evicted": {"type": "boolean"},
                      "undecided": {"type": "array", "maxItems": 50, "items": {"type": "integer"}},
                      "cannotTell": {"type": "string"},
                      "nearMisses": {"type": "array", "maxItems": 3, "items": {"type": "object"}}
                    }
                  }
                },
                "order": {
                  "type": "object",
                  "required": ["ok", "chains"],
                  "properties": {
                    "ok": {"type": "boolean"},
                    "chains": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "required": ["expectations", "ok", "sequences"],
                        "properties": {
                          "expectations": {"type": "array", "items": {"type": "integer"}},
                          "ok": {"type": "boolean"},
                          "sequences": {"type": "array", "items": {"type": "integer"}},
                          "missing": {"type": "integer"}
                        }
                      }
                    }
                  }
                },
                "unexpected": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["sequence", "request"],
                    "properties": {"sequence": {"type": "integer"}, "request": {"type": "object"}}
                  }
                },
                "text": {"type": "string", "description": "The verdict as text."},
                "requestJournalDisabled": {"type": "boolean"},
                "lastSequence": {"type": "integer", "minimum": 0},
                "warnings": {"type": "array", "items": {"type": "string"}, "description": "What is valid in the call and hardly meant."}
              }
            },
            "IdleWait": {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "quietMs": {"type": "integer", "minimum": 0, "maximum": 3600000, "default": 100},
                "timeoutMs": {"type": "integer", "minimum": 0, "maximum": 3600000, "default": 5000}
              }
            },
            "IdleResult": {
              "type": "object",
              "required": ["idle", "inFlight"],
              "properties": {
                "idle": {"type": "boolean"},
                "inFlight": {"type": "integer", "minimum": 0},
                "requests": {"type": "array", "items": {"$ref": "#/components/schemas/InFlightRequest"}}
              }
            },
            "InFlight": {
              "type": "object",
              "required": ["inFlight", "meta"],
              "properties": {
                "inFlight": {"type": "array", "items": {"$ref": "#/components/schemas/InFlightRequest"}},
                "meta": {
                  "type": "object",
                  "required": ["total"],
                  "properties": {"total": {"type": "integer", "minimum": 0}}
                }
              }
            },
            "InFlightRequest": {
              "type": "object",
              "required": ["id", "sequence", "method", "url", "since", "ageMs", "state", "delayMs"],
              "properties": {
                "id": {"type": "string", "format": "uuid"},
                "sequence": {"type": "integer", "minimum": 1},
                "method": {"type": "string"},
                "url": {"type": "string"},
                "stub": {"$ref": "#/components/schemas/StubReference"},
                "since": {"type": "string", "format": "date-time"},
                "ageMs": {"type": "integer", "minimum": 0},
                "state": {"type": "string", "enum": ["waiting", "held", "delayed", "sending"]},
                "gate": {"type": "string", "description": "The gate at which it is held."},
                "delayMs": {"type": "integer", "minimum": 0}
              }
            },
            "EndedInFlight": {
              "type": "object",
              "required": ["ended"],
              "properties": {"ended": {"type": "integer", "minimum": 0}}
            }
          }
        }
        """#)
}
