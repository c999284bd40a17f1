/// `/settings`.
extension OpenAPIPart {
    static let settings = OpenAPIPart(
        Tag(name: "Settings", description: "Settings for all stubs."),
        #"""
        {
          "paths": {
            "/settings": {
              "get": {
                "operationId": "getSettings",
                "summary": "Show the settings",
                "200": ["The settings.", "SettingsDocument"]
              },
              "put": {
                "operationId": "replaceSettings",
                "summary": "Replace all settings; omitted ones are cleared",
                "body": "SettingsChange",
                "200": "They are replaced.",
                "422": ["The body has no settings.", "Errors"]
              },
              "post": {
                "operationId": "replaceSettingsByPost",
                "summary": "The same as PUT",
                "body": "SettingsChange",
                "200": "They are replaced.",
                "422": ["The body has no settings.", "Errors"]
              }
            },
            "/settings/extended": {
              "patch": {
                "operationId": "mergeExtendedSettings",
                "summary": "Merge user-defined settings",
                "body": "ExtendedSettings",
                "200": ["They are merged.", "Empty"],
                "422": ["The body has no `extended`.", "Errors"]
              }
            }
          },
          "schemas": {
            "Settings": {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "fixedDelay": {"type": "integer", "description": "Milliseconds."},
                "delayDistribution": {"$ref": "#/components/schemas/DelayDistribution"},
                "extended": {"type": "object", "additionalProperties": true},
                "proxyPassThrough": {"type": "boolean"},
                "clock": {
                  "type": "object",
                  "description": "What templates and date matchers call `now`. An addition.",
                  "additionalProperties": false,
                  "properties": {
                    "frozen": {"type": "string", "format": "date-time"},
                    "offset": {"type": "string", "description": "Such as `-3 days` or `2h`."},
                    "from": {"type": "string", "format": "date-time"},
                    "rate": {"type": "number", "description": "How many times as fast it runs."}
                  }
                },
                "delays": {"$ref": "#/components/schemas/ResponseDelays"},
                "timeScale": {
                  "type": "number", "minimum": 0, "maximum": 1000,
                  "description": "The part of each wait that is waited."
                }
              }
            },
            "SettingsDocument": {
              "type": "object",
              "required": ["settings"],
              "additionalProperties": false,
              "properties": {"settings": {"$ref": "#/components/schemas/Settings"}}
            },
            "SettingsChange": {
              "anyOf": [
                {"$ref": "#/components/schemas/Settings"}, {"$ref": "#/components/schemas/SettingsDocument"}
              ]
            },
            "ExtendedSettings": {
              "type": "object",
              "required": ["extended"],
              "properties": {"extended": {"type": "object", "additionalProperties": true}}
            }
          }
        }
        """#)

    static let system = OpenAPIPart(
        Tag(name: "Daemon", description: "The running process."),
        #"""
        {
          "paths": {
            "": {
              "get": {
                "operationId": "redirectToRoot",
                "summary": "Redirects to /__admin/",
                "302": {
                  "description": "The redirect.",
                  "headers": {"Location": {"required": true, "schema": {"type": "string"}}}
                }
              }
            },
            "/health": {
              "get": {
                "operationId": "health",
                "summary": "Health, version and uptime",
                "200": ["The daemon is healthy. `X-StuntDouble-Memory` says in bytes who holds memory.", "Health"]
              }
            },
            "/memory": {
              "get": {
                "operationId": "memory",
                "summary": "Who holds the memory that grows with what clients do",
                "200": ["The limit, and the bytes of each holder.", "Memory"]
              }
            },
            "/version": {
              "get": {
                "operationId": "version",
                "summary": "The version; plain text for a client that accepts text/plain",
                "200": {
                  "description": "The version.",
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/Version"}},
                    "text/plain": {"schema": {"type": "string"}}
                  }
                }
              }
            },
            "/shutdown": {
              "post": {
                "operationId": "shutDown",
                "summary": "End the daemon after the responses in flight",
                "200": "The daemon ends."
              }
            },
            "/docs": {
              "get": {
                "operationId": "documentationPage",
                "summary": "This document as a page",
                "200": {"description": "A page.", "content": {"text/html": {"schema": {"type": "string"}}}}
              }
            },
            "/swagger-ui": {
              "get": {
                "operationId": "swaggerPage",
                "summary": "The same page, at the address of WireMock's Swagger page",
                "200": {"description": "A page.", "content": {"text/html": {"schema": {"type": "string"}}}}
              }
            },
            "/swagger-ui/index.html": {
              "get": {
                "operationId": "swaggerIndex",
                "summary": "The same page, under the name of its file in WireMock",
                "200": {"description": "A page.", "content": {"text/html": {"schema": {"type": "string"}}}}
              }
            },
            "/docs/swagger": {
              "get": {
                "operationId": "documentation",
                "summary": "This document",
                "200": {
                  "description": "An OpenAPI 3.0 document.",
                  "content": {"application/json": {"schema": {"type": "object", "required": ["openapi", "paths"]}}}
                }
              }
            }
          },
          "schemas": {
            "Health": {
              "type": "object",
              "required": ["status", "message", "version", "uptimeInSeconds", "timestamp"],
              "properties": {
                "status": {"type": "string"},
                "message": {"type": "string"},
                "version": {"type": "string"},
                "uptimeInSeconds": {"type": "integer", "minimum": 0},
                "timestamp": {"type": "string", "format": "date-time"}
              }
            },
            "Memory": {
              "type": "object",
              "required": ["limit", "total", "holders", "journals"],
              "additionalProperties": false,
              "properties": {
                "limit": {"type": "integer", "minimum": 1, "description": "The bytes of `--max-memory`."},
                "total": {"type": "integer", "description": "The bytes of all holders."},
                "holders": {
                  "type": "object",
                  "required": ["journals", "bodies", "answers", "events", "uploads", "data", "state", "recordings"],
                  "additionalProperties": false,
                  "properties": {
                    "journals": {"type": "integer", "description": "Requests in the journals."},
                    "bodies": {"type": "integer", "description": "Body files that were read."},
                    "answers": {"type": "integer", "description": "Answers of this API that clients have not taken."},
                    "events": {"type": "integer", "description": "Events that readers have not taken."},
                    "uploads": {"type": "integer", "description": "Bodies of requests until they are answered."},
                    "data": {"type": "integer", "description": "Records that requests have made or changed."},
                    "state": {"type": "integer", "description": "What sessions' stubs have put away for later requests."},
                    "recordings": {"type": "integer", "description": "Sent parts of bodies that are read once they are whole."}
                  }
                },
                "journals": {
                  "type": "array",
                  "description": "The journal of each session, the first session's first.",
                  "items": {
                    "type": "object",
                    "required": ["session", "name", "requests", "bytes"],
                    "additionalProperties": false,
                    "properties": {
                      "session": {"type": "string", "nullable": true},
                      "name": {"type": "string", "nullable": true},
                      "requests": {"type": "integer", "minimum": 0},
                      "bytes": {"type": "integer", "minimum": 0}
                    }
                  }
                }
              }
            },
            "Version": {
              "type": "object",
              "required": ["version"],
              "properties": {"version": {"type": "string"}}
            }
          }
        }
        """#)
}
