/// `/settings`.
extension OpenAPIPart {
    static let settings = OpenAPIPart(
        Tag(name: "Settings", description: "What holds for every stub."),
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
                "summary": "Replace all settings; what is left out is cleared",
                "body": "SettingsChange",
                "200": "They are replaced.",
                "422": ["The body holds no settings.", "Errors"]
              },
              "post": {
                "operationId": "replaceSettingsByPost",
                "summary": "The same as PUT",
                "body": "SettingsChange",
                "200": "They are replaced.",
                "422": ["The body holds no settings.", "Errors"]
              }
            },
            "/settings/extended": {
              "patch": {
                "operationId": "mergeExtendedSettings",
                "summary": "Add to the settings of your own",
                "body": "ExtendedSettings",
                "200": ["They are merged.", "Empty"],
                "422": ["The body holds no `extended`.", "Errors"]
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
                "proxyPassThrough": {"type": "boolean"}
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
                "summary": "Leads to /__admin/",
                "302": {
                  "description": "See there.",
                  "headers": {"Location": {"required": true, "schema": {"type": "string"}}}
                }
              }
            },
            "/health": {
              "get": {
                "operationId": "health",
                "summary": "Whether it is well, its version and uptime",
                "200": ["It is.", "Health"]
              }
            },
            "/version": {
              "get": {
                "operationId": "version",
                "summary": "Its version; bare text for a client that accepts text/plain",
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
                "summary": "End the daemon, once responses in flight are out",
                "200": "It ends."
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
                "summary": "The same page, where WireMock has Swagger's",
                "200": {"description": "A page.", "content": {"text/html": {"schema": {"type": "string"}}}}
              }
            },
            "/swagger-ui/index.html": {
              "get": {
                "operationId": "swaggerIndex",
                "summary": "The same page, by the name of its file in WireMock",
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
            "Version": {
              "type": "object",
              "required": ["version"],
              "properties": {"version": {"type": "string"}}
            }
          }
        }
        """#)
}
