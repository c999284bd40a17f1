/// `/requests`: the journal.
extension OpenAPIPart {
    static let requests = OpenAPIPart(
        Tag(name: "Requests", description: "The requests received, and the responses to them."),
        #"""
        {
          "paths": {
            "/requests": {
              "get": {
                "operationId": "listRequests",
                "summary": "List the serve events, the newest first",
                "parameters": [
                  "limit",
                  {"name": "since", "in": "query", "schema": {"type": "string"},
                   "description": "After this time, such as 2026-01-31T09:30:00Z."},
                  {"name": "unmatched", "in": "query", "schema": {"type": "boolean"}},
                  {"name": "matchingStub", "in": "query", "schema": {"type": "string", "format": "uuid"}},
                  {"name": "after", "in": "query", "schema": {"type": "integer", "minimum": 0},
                   "description": "A cursor: events of a higher sequence, the oldest first."},
                  {"name": "details", "in": "query", "schema": {"type": "boolean"}},
                  {"name": "format", "in": "query", "schema": {"type": "string", "enum": ["json", "har"]}}
                ],
                "200": ["The events, or an HTTP Archive of them.", "RequestList"],
                "400": ["A parameter cannot be read.", "Errors"]
              },
              "delete": {
                "operationId": "forgetRequests",
                "summary": "Remove all requests from the journal",
                "200": ["They are removed.", "Empty"]
              }
            },
            "/requests/count": {
              "post": {
                "operationId": "countRequests",
                "summary": "How many requests a pattern matches",
                "body": "RequestPattern",
                "200": ["The number; -1 without a journal. If requests that might count were dropped, `X-StuntDouble-Evicted`.", "RequestCount"],
                "409": ["Cannot tell of some: only the beginning of their bodies was kept.", "Errors"],
                "422": ["The body is not a request pattern.", "Errors"]
              }
            },
            "/requests/find": {
              "post": {
                "operationId": "findRequests",
                "summary": "Which requests a pattern matches, the oldest first",
                "body": "RequestPattern",
                "200": ["The requests.", "RequestList"],
                "409": ["Cannot tell of some: only the beginning of their bodies was kept.", "Errors"],
                "422": ["The body is not a request pattern.", "Errors"]
              }
            },
            "/requests/remove": {
              "post": {
                "operationId": "forgetRequestsByPattern",
                "summary": "Remove the requests that a pattern matches",
                "body": "RequestPattern",
                "200": ["The removed events.", "ForgottenRequests"],
                "409": ["Cannot tell of some: only the beginning of their bodies was kept.", "Errors"],
                "422": ["The body is not a request pattern.", "Errors"]
              }
            },
            "/requests/remove-by-metadata": {
              "post": {
                "operationId": "forgetRequestsByMetadata",
                "summary": "Remove the requests whose stubs' metadata a matcher accepts",
                "body": "Matcher",
                "200": ["The removed events.", "ForgottenRequests"],
                "422": ["The body is not a matcher.", "Errors"]
              }
            },
            "/requests/unmatched": {
              "get": {
                "operationId": "listUnmatchedRequests",
                "summary": "The requests that no stub matched, the newest first",
                "200": ["The requests.", "RequestList"]
              }
            },
            "/requests/counters": {
              "get": {
                "operationId": "countersOfStubs",
                "summary": "The number of requests that each stub has answered, including dropped ones",
                "200": ["The counters.", "Counters"]
              }
            },
            "/requests/{id}": {
              "parameters": ["stubId"],
              "get": {
                "operationId": "getRequest",
                "summary": "Show one serve event",
                "parameters": [{"name": "details", "in": "query", "schema": {"type": "boolean"}}],
                "200": ["The event.", "ServeEvent"],
                "400": ["The id is not a UUID.", "Errors"],
                "404": "Not found."
              },
              "delete": {
                "operationId": "forgetRequest",
                "summary": "Remove a request from the journal",
                "200": ["It is removed.", "Empty"],
                "400": ["The id is not a UUID.", "Errors"]
              }
            },
            "/requests/{id}/curl": {
              "parameters": ["stubId"],
              "get": {
                "operationId": "curlOfRequest",
                "summary": "A command that sends the request again",
                "200": {
                  "description": "A command line for a POSIX shell.",
                  "content": {"text/plain": {"schema": {"type": "string"}}}
                },
                "400": ["The id is not a UUID.", "Errors"],
                "404": "Not found."
              }
            }
          },
          "schemas": {
            "RequestList": {
              "type": "object",
              "properties": {
                "requests": {"type": "array", "items": {"type": "object"}},
                "meta": {"type": "object"},
                "requestJournalDisabled": {"type": "boolean"},
                "log": {"type": "object", "description": "The content of an HTTP Archive."}
              }
            },
            "RequestCount": {
              "type": "object",
              "required": ["count", "requestJournalDisabled"],
              "properties": {
                "count": {"type": "integer"},
                "requestJournalDisabled": {"type": "boolean"}
              }
            },
            "ForgottenRequests": {
              "type": "object",
              "required": ["serveEvents"],
              "properties": {
                "serveEvents": {"type": "array", "items": {"$ref": "#/components/schemas/ServeEvent"}}
              }
            },
            "ServeEvent": {
              "type": "object",
              "required": ["id", "request", "wasMatched", "timing", "subEvents", "stubMapping"],
              "properties": {
                "id": {"type": "string", "format": "uuid"},
                "request": {"type": "object"},
                "responseDefinition": {"type": "object"},
                "response": {"type": "object", "description": "Missing until it is made."},
                "wasMatched": {"type": "boolean"},
                "timing": {"type": "object"},
                "subEvents": {"type": "array", "items": {"type": "object"}},
                "stubMapping": {"$ref": "#/components/schemas/StubMapping"},
                "sequence": {"type": "integer"},
                "end": {"type": "string"},
                "bytesSent": {"type": "integer"},
                "bodyBytesSent": {"type": "integer", "description": "Of a response that was cut."}
              }
            },
            "Counters": {
              "type": "object",
              "required": ["requests", "unmatched", "failed", "stubs"],
              "properties": {
                "requests": {"type": "integer"},
                "unmatched": {"type": "integer"},
                "failed": {"type": "integer", "description": "Requests whose stub could not be served."},
                "stubs": {"type": "array", "items": {"type": "object"}}
              }
            }
          }
        }
        """#)
}
