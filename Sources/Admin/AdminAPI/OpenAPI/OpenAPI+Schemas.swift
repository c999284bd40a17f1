/// Stubs, and other schemas used by several groups of endpoints.
extension OpenAPIPart {
    static let stubs = OpenAPIPart(
        nil,
        #"""
        {
          "parameters": {
            "stubId": {"name": "id", "in": "path", "required": true, "schema": {"type": "string", "format": "uuid"}}
          },
          "schemas": {
            "StubMapping": {
              "type": "object",
              "properties": {
                "$schema": {"type": "string"},
                "id": {"type": "string", "format": "uuid"},
                "uuid": {"type": "string", "format": "uuid", "description": "Another name for the id."},
                "name": {"type": "string"},
                "request": {"$ref": "#/components/schemas/RequestPattern"},
                "response": {"$ref": "#/components/schemas/ResponseDefinition"},
                "persistent": {"type": "boolean", "description": "Kept in a file."},
                "priority": {"type": "integer", "description": "Lower numbers are tried first; 5 without one."},
                "scenarioName": {"type": "string"},
                "requiredScenarioState": {"type": "string"},
                "newScenarioState": {"type": "string"},
                "times": {"type": "integer", "minimum": 1, "description": "The number of requests that it answers."},
                "timesLeft": {"type": "integer", "minimum": 0, "description": "Written, never read."},
                "ttl": {"type": "string", "description": "Its time to live, such as 30s."},
                "enabled": {"type": "boolean", "description": "If false, the stub is listed but never matched."},
                "responses": {
                  "type": "array",
                  "minItems": 1,
                  "description": "Instead of response; each with a weight if select is random.",
                  "items": {"type": "object"}
                },
                "onEnd": {"type": "string", "enum": ["repeatLast", "loop", "notFound"]},
                "select": {"type": "string", "enum": ["sequence", "random"]},
                "resource": {
                  "type": "object",
                  "description": "A collection of records that the stub serves instead of response.",
                  "required": ["name", "path"],
                  "properties": {
                    "name": {"type": "string"},
                    "path": {"type": "string"},
                    "key": {"type": "string"},
                    "data": {"description": "A list of records, or the name of a file below __files."},
                    "schema": {"description": "A JSON Schema, or the name of a file below __files."}
                  }
                },
                "cors": {"description": "What pages of other origins may do: true, false, or origins, credentials, expose."},
                "metadata": {"type": "object", "additionalProperties": true},
                "postServeActions": {"type": "array", "items": {"type": "object", "required": ["name"]}},
                "serveEventListeners": {"type": "array", "items": {"type": "object", "required": ["name"]}}
              }
            },
            "StubMappings": {
              "type": "object",
              "required": ["mappings", "meta"],
              "properties": {
                "mappings": {"type": "array", "items": {"$ref": "#/components/schemas/StubMapping"}},
                "meta": {
                  "type": "object",
                  "required": ["total"],
                  "properties": {"total": {"type": "integer", "minimum": 0}}
                }
              }
            },
            "ImportedStubs": {
              "type": "object",
              "required": ["mappings", "warnings"],
              "properties": {
                "mappings": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["id"],
                    "properties": {"id": {"type": "string", "format": "uuid"}, "name": {"type": "string"}}
                  }
                },
                "warnings": {"type": "array", "items": {"type": "string"}}
              }
            },
            "StubImport": {
              "type": "object",
              "required": ["mappings"],
              "properties": {
                "mappings": {"type": "array", "items": {"$ref": "#/components/schemas/StubMapping"}},
                "importOptions": {
                  "type": "object",
                  "properties": {
                    "duplicatePolicy": {"type": "string", "enum": ["OVERWRITE", "IGNORE"]},
                    "deleteAllNotInImport": {"type": "boolean"}
                  }
                }
              }
            },
            "StubRemoval": {
              "anyOf": [
                {"$ref": "#/components/schemas/StubMapping"},
                {
                  "type": "object",
                  "required": ["mappings"],
                  "properties": {
                    "mappings": {"type": "array", "items": {"$ref": "#/components/schemas/StubMapping"}}
                  }
                }
              ]
            },
            "ResponseDefinition": {
              "type": "object",
              "properties": {
                "status": {
                  "description": "A number, or a template of one (an addition).",
                  "oneOf": [{"type": "integer"}, {"type": "string"}]
                },
                "statusMessage": {"type": "string"},
                "headers": {"$ref": "#/components/schemas/Headers"},
                "body": {"type": "string"},
                "jsonBody": {"nullable": true, "description": "Any JSON."},
                "base64Body": {"$ref": "#/components/schemas/Base64"},
                "bodyFileName": {"type": "string", "description": "Relative to `__files`."},
                "fixedDelayMilliseconds": {
                  "description": "Milliseconds, or a template of a duration (an addition).",
                  "oneOf": [{"type": "integer"}, {"type": "string"}]
                },
                "delayDistribution": {"$ref": "#/components/schemas/DelayDistribution"},
                "chunkedDribbleDelay": {
                  "type": "object",
                  "properties": {"numberOfChunks": {"type": "integer"}, "totalDuration": {"type": "integer"}}
                },
                "delays": {"$ref": "#/components/schemas/ResponseDelays"},
                "fault": {
                  "anyOf": [
                    {"$ref": "#/components/schemas/FaultKind"},
                    {"$ref": "#/components/schemas/FaultRule"},
                    {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/FaultRule"}}
                  ]
                },
                "proxyBaseUrl": {"type": "string"},
                "proxyUrlPrefixToRemove": {"type": "string"},
                "additionalProxyRequestHeaders": {"$ref": "#/components/schemas/Headers"},
                "removeProxyRequestHeaders": {"type": "array", "items": {"type": "string"}},
                "transformers": {"type": "array", "items": {"type": "string"}},
                "transformerParameters": {"type": "object", "additionalProperties": true},
                "template": {
                  "type": "boolean", "description": "Whether the response is a template, in any case (an addition)."
                },
                "fromConfiguredStub": {"type": "boolean"},
                "hold": {"$ref": "#/components/schemas/GateHold"},
                "stream": {"$ref": "#/components/schemas/Stream"},
                "early": {
                  "type": "array",
                  "description": "Informational responses, sent first: a status, or one with headers.",
                  "items": {
                    "oneOf": [
                      {"type": "integer", "minimum": 100, "maximum": 199},
                      {
                        "type": "object",
                        "properties": {
                          "status": {"type": "integer", "minimum": 100, "maximum": 199, "default": 103},
                          "headers": {"$ref": "#/components/schemas/Headers"}
                        }
                      }
                    ]
                  }
                },
                "trailers": {"$ref": "#/components/schemas/Headers"},
                "ranges": {"type": "boolean", "description": "Whether a request may ask for parts of the body."},
                "conditional": {"type": "boolean", "description": "Whether a client that has this version gets a 304."},
                "fallThrough": {
                  "type": "boolean", "description": "Whether the next matching stub answers if the body file is missing."
                }
              }
            },
            "DelayDistribution": {
              "type": "object",
              "description": "In milliseconds. Each type has its own parameters.",
              "required": ["type"],
              "properties": {
                "type": {"type": "string", "enum": ["fixed", "uniform", "lognormal", "gaussian", "exponential"]},
                "milliseconds": {"type": "integer"},
                "mean": {"type": "number"},
                "standardDeviation": {"type": "number"},
                "lower": {"type": "integer"},
                "upper": {"type": "integer"},
                "median": {"type": "number"},
                "sigma": {"type": "number"},
                "maxValue": {"type": "number"}
              }
            }
          }
        }
        """#)

    static let shared = OpenAPIPart(
        nil,
        #"""
        {
          "securitySchemes": {
            "basic": {"type": "http", "scheme": "basic", "description": "`--admin-api-basic-auth`"},
            "token": {"type": "http", "scheme": "bearer", "description": "`--admin-token`"}
          },
          "parameters": {
            "limit": {
              "name": "limit", "in": "query", "description": "The largest number of results.",
              "schema": {"type": "integer", "minimum": 0}
            },
            "offset": {
              "name": "offset", "in": "query", "description": "The number of results to skip.",
              "schema": {"type": "integer", "minimum": 0}
            }
          },
          "schemas": {
            "Empty": {"type": "object", "additionalProperties": false},
            "Errors": {
              "type": "object",
              "required": ["errors"],
              "properties": {
                "errors": {
                  "type": "array",
                  "minItems": 1,
                  "items": {
                    "type": "object",
                    "required": ["code", "title"],
                    "properties": {
                      "code": {"type": "integer"},
                      "source": {
                        "type": "object",
                        "properties": {
                          "pointer": {"type": "string", "description": "A JSON Pointer, or the name of a parameter."}
                        }
                      },
                      "title": {"type": "string"},
                      "detail": {"type": "string"}
                    }
                  }
                }
              }
            },
            "Headers": {
              "type": "object",
              "description": "A value, or several.",
              "additionalProperties": {
                "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
              }
            },
            "LoggedRequest": {
              "type": "object",
              "required": ["url", "method"],
              "properties": {
                "url": {"type": "string"},
                "absoluteUrl": {"type": "string"},
                "method": {"type": "string"},
                "clientIp": {"type": "string"},
                "headers": {"$ref": "#/components/schemas/Headers"},
                "cookies": {"type": "object", "additionalProperties": true},
                "browserProxyRequest": {"type": "boolean"},
                "loggedDate": {"type": "integer", "description": "Milliseconds since 1970."},
                "loggedDateString": {"type": "string"},
                "bodyAsBase64": {"$ref": "#/components/schemas/Base64"},
                "body": {"type": "string"},
                "scheme": {"type": "string"},
                "host": {"type": "string"},
                "port": {"type": "integer"},
                "protocol": {"type": "string"},
                "queryParams": {"type": "object", "additionalProperties": true},
                "formParams": {"type": "object", "additionalProperties": true}
              }
            }
          }
        }
        """#)
}
