/// `/files`.
extension OpenAPIPart {
    static let files = OpenAPIPart(
        Tag(name: "Body files", description: "The files under `__files`, which responses take their bodies from."),
        #"""
        {
          "paths": {
            "/files": {
              "get": {
                "operationId": "listFiles",
                "summary": "List the paths of all body files, in order",
                "200": ["The paths.", "FilePaths"],
                "500": ["The folder cannot be read.", "Errors"]
              }
            },
            "/files/{path}": {
              "parameters": ["filePath"],
              "get": {
                "operationId": "getFile",
                "summary": "Get a body file",
                "200": "The bytes, without a type.",
                "400": ["The path is invalid.", "Errors"],
                "403": {
                  "description": "The path is outside of the folder, or the call comes from a page of another origin.",
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/Errors"}},
                    "text/plain": {"schema": {"type": "string"}}
                  }
                },
                "404": "There is no such file.",
                "500": ["The file cannot be read.", "Errors"]
              },
              "put": {
                "operationId": "writeFile",
                "summary": "Write a body file, and make the folders that it needs",
                "body": {
                  "required": true,
                  "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
                },
                "200": ["The bytes, in Base64.", "Base64"],
                "400": ["The path is invalid.", "Errors"],
                "403": {
                  "description": "The path is outside of the folder, or the call comes from a page of another origin.",
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/Errors"}},
                    "text/plain": {"schema": {"type": "string"}}
                  }
                },
                "409": ["The path is that of a folder, or a file is in place of one of its folders.", "Errors"],
                "500": ["The file cannot be written.", "Errors"]
              },
              "delete": {
                "operationId": "removeFile",
                "summary": "Remove a body file",
                "200": "It no longer exists.",
                "400": ["The path is invalid.", "Errors"],
                "403": {
                  "description": "The path is outside of the folder, or the call comes from a page of another origin.",
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/Errors"}},
                    "text/plain": {"schema": {"type": "string"}}
                  }
                },
                "409": ["It is a folder.", "Errors"],
                "500": ["The file cannot be removed.", "Errors"]
              }
            }
          },
          "parameters": {
            "filePath": {
              "name": "path",
              "in": "path",
              "required": true,
              "description": "Relative to `__files`. Slashes may be escaped or not. It is always within the folder.",
              "schema": {"type": "string", "minLength": 1}
            }
          },
          "schemas": {
            "FilePaths": {"type": "array", "items": {"type": "string"}},
            "Base64": {"type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$"}
          }
        }
        """#)
}
