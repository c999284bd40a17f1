/// `/mappings` and `/reset`.
extension OpenAPIPart {
    static let mappings = OpenAPIPart(
        Tag(name: "Stub mappings", description: "The requests that the server answers, and how."),
        #"""
        {
          "paths": {
            "/": {
              "get": {
                "operationId": "listStubsAtRoot",
                "summary": "List stubs",
                "parameters": ["limit", "offset"],
                "200": ["The stubs.", "StubMappings"],
                "400": ["`limit` or `offset` is not a whole number.", "Errors"]
              }
            },
            "/mappings": {
              "get": {
                "operationId": "listStubs",
                "summary": "List stubs in the order in which they are tried",
                "parameters": ["limit", "offset"],
                "200": ["The stubs, and their total number.", "StubMappings"],
                "400": ["`limit` or `offset` is not a whole number.", "Errors"]
              },
              "post": {
                "operationId": "addStub",
                "summary": "Add a stub",
                "body": "StubMapping",
                "201": ["The stub as stored.", "StubMapping"],
                "422": ["The mapping cannot be read or served, or its id is taken.", "Errors"],
                "500": ["The stub is persistent, and could not be written.", "Errors"]
              },
              "delete": {
                "operationId": "removeAllStubs",
                "summary": "Remove all stubs, and the files of persistent ones",
                "200": ["They are removed.", "Empty"],
                "500": ["A file could not be removed.", "Errors"]
              }
            },
            "/mappings/{id}": {
              "parameters": ["stubId"],
              "get": {
                "operationId": "getStub",
                "summary": "Show one stub",
                "200": ["The stub.", "StubMapping"],
                "400": ["The id is not a UUID.", "Errors"],
                "404": "Not found."
              },
              "put": {
                "operationId": "editStub",
                "summary": "Edit a stub; it keeps its id and its place in the order",
                "body": "StubMapping",
                "200": ["The stub as stored.", "StubMapping"],
                "400": ["The id is not a UUID.", "Errors"],
                "404": "Not found.",
                "422": ["The mapping cannot be read or served.", "Errors"],
                "500": ["The stub is persistent, and could not be written.", "Errors"]
              },
              "delete": {
                "operationId": "removeStub",
                "summary": "Remove a stub, and its file if it is persistent",
                "200": ["It is removed.", "Empty"],
                "400": ["The id is not a UUID.", "Errors"],
                "404": "Not found.",
                "500": ["Its file could not be written or removed.", "Errors"]
              }
            },
            "/mappings/edit": {
              "post": {
                "operationId": "editStubByBody",
                "summary": "Edit the stub that the body names",
                "body": "StubMapping",
                "204": "It is edited.",
                "404": "Not found.",
                "422": ["The mapping cannot be read or served.", "Errors"],
                "500": ["The stub is persistent, and could not be written.", "Errors"]
              }
            },
            "/mappings/remove": {
              "post": {
                "operationId": "removeStubsByContent",
                "summary": "Remove the stub with the id of the body, or else all with an equal request",
                "body": "StubRemoval",
                "200": "It no longer exists.",
                "422": ["The mapping cannot be read.", "Errors"],
                "500": ["A file could not be written or removed.", "Errors"]
              }
            },
            "/mappings/import": {
              "post": {
                "operationId": "importStubs",
                "summary": "Add and edit many stubs at once: all, or nothing",
                "body": "StubImport",
                "200": "They are added and edited.",
                "422": ["A mapping cannot be read or served.", "Errors"],
                "500": ["A file could not be written or removed.", "Errors"]
              }
            },
            "/mappings/import/{path}": {
              "parameters": ["filePath"],
              "post": {
                "operationId": "importStubFile",
                "summary": "Add the stubs of a stub file in any form: mappings or routes, JSON or YAML; an addition",
                "body": {
                  "required": true,
                  "content": {"text/plain": {"schema": {"type": "string"}}}
                },
                "200": ["They are added, in place of those of a file with this name.", "ImportedStubs"],
                "415": ["The file is no stub file, by its name or its content.", "Errors"],
                "422": ["The file cannot be read, or a stub cannot be served.", "Errors"],
                "500": ["A file could not be written or removed.", "Errors"]
              }
            },
            "/mappings/save": {
              "post": {
                "operationId": "saveStubs",
                "summary": "Make all stubs persistent, and write those that are not on the disk",
                "200": "They are on the disk.",
                "500": ["A file could not be written.", "Errors"]
              }
            },
            "/mappings/reset": {
              "post": {
                "operationId": "resetStubs",
                "summary": "Reset the stubs to the files, and clear counters and journal",
                "200": "The stubs are those of the files."
              }
            },
            "/reset": {
              "post": {
                "operationId": "reset",
                "summary": "The same as /mappings/reset",
                "200": "The stubs are those of the files."
              }
            },
            "/mappings/find-by-metadata": {
              "post": {
                "operationId": "findStubsByMetadata",
                "summary": "The stubs whose metadata, as JSON text, a matcher accepts",
                "body": "Matcher",
                "200": ["The stubs.", "StubMappings"],
                "422": ["The body is not a matcher.", "Errors"]
              }
            },
            "/mappings/remove-by-metadata": {
              "post": {
                "operationId": "removeStubsByMetadata",
                "summary": "Remove the stubs whose metadata a matcher accepts",
                "body": "Matcher",
                "200": ["They are removed.", "Empty"],
                "422": ["The body is not a matcher.", "Errors"],
                "500": ["A file could not be written or removed.", "Errors"]
              }
            },
            "/mappings/unmatched": {
              "get": {
                "operationId": "listUnmatchedStubs",
                "summary": "The stubs that have answered nothing since the last reset",
                "200": ["The stubs.", "StubMappings"]
              },
              "delete": {
                "operationId": "removeUnmatchedStubs",
                "summary": "Remove the stubs that have answered nothing",
                "200": ["They are removed.", "Empty"],
                "500": ["A file could not be written or removed.", "Errors"]
              }
            }
          }
        }
        """#)
}
