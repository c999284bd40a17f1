/// `/data`.
extension OpenAPIPart {
    static let data = OpenAPIPart(
        Tag(name: "Data", description: "The collections of records that stubs serve."),
        #"""
        {
          "paths": {
            "/data": {
              "get": {
                "operationId": "listCollections",
                "summary": "All collections of records, in the order of their names",
                "200": ["The collections.", "Collections"]
              }
            },
            "/data/{name}": {
              "parameters": ["collectionName"],
              "get": {
                "operationId": "getCollection",
                "summary": "The records of a collection",
                "200": ["The records in order.", "Records"],
                "404": ["No stub serves such a collection.", "Errors"],
                "500": ["Its file cannot be read.", "Errors"]
              },
              "put": {
                "operationId": "replaceCollection",
                "summary": "Replace the records of a collection",
                "body": "Records",
                "200": ["They are.", "CollectionSize"],
                "404": ["No stub serves such a collection.", "Errors"],
                "422": ["The body is no list of records, each with a key of its own.", "Errors"],
                "507": ["Memory is short.", "Errors"]
              },
              "post": {
                "operationId": "addRecord",
                "summary": "Add a record; one without a key is given one",
                "body": "Record",
                "201": ["The record.", "Record"],
                "404": ["No stub serves such a collection.", "Errors"],
                "409": ["The key is taken.", "Errors"],
                "422": ["The body is no record.", "Errors"],
                "500": ["The collection's file cannot be read.", "Errors"],
                "507": ["Memory is short.", "Errors"]
              }
            },
            "/data/{name}/reset": {
              "parameters": ["collectionName"],
              "post": {
                "operationId": "resetCollection",
                "summary": "Take a collection back to its declaration",
                "200": ["It is.", "Empty"],
                "404": ["No stub serves such a collection.", "Errors"],
                "500": ["Its file cannot be read.", "Errors"]
              }
            },
            "/data/{name}/{key}": {
              "parameters": ["collectionName", "recordKey"],
              "get": {
                "operationId": "getRecord",
                "summary": "A record",
                "200": ["The record.", "Record"],
                "404": ["There is no such record, or no such collection.", "Errors"],
                "500": ["The collection's file cannot be read.", "Errors"]
              },
              "put": {
                "operationId": "setRecord",
                "summary": "Set the record of a key, whether there is one or not",
                "body": "Record",
                "200": ["The record, in the place of another.", "Record"],
                "201": ["The record, which is new.", "Record"],
                "404": ["No stub serves such a collection.", "Errors"],
                "422": ["The body is no record, or has another key.", "Errors"],
                "500": ["The collection's file cannot be read.", "Errors"],
                "507": ["Memory is short.", "Errors"]
              },
              "delete": {
                "operationId": "removeRecord",
                "summary": "Remove a record",
                "200": ["It is removed.", "Empty"],
                "404": ["There is no such record, or no such collection.", "Errors"],
                "500": ["The collection's file cannot be read.", "Errors"]
              }
            }
          },
          "parameters": {
            "collectionName": {"name": "name", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1}},
            "recordKey": {"name": "key", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1}}
          },
          "schemas": {
            "Record": {"type": "object", "additionalProperties": true},
            "Records": {"type": "array", "items": {"$ref": "#/components/schemas/Record"}},
            "CollectionSize": {
              "type": "object",
              "required": ["name", "count"],
              "properties": {"name": {"type": "string"}, "count": {"type": "integer", "minimum": 0}}
            },
            "Collections": {
              "type": "object",
              "required": ["collections"],
              "properties": {
                "collections": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["name", "paths", "key", "count", "changed"],
                    "properties": {
                      "name": {"type": "string"},
                      "paths": {"type": "array", "items": {"type": "string"}},
                      "key": {"type": "string", "description": "The field with a record's key."},
                      "count": {"type": "integer", "minimum": 0},
                      "changed": {"type": "boolean", "description": "Whether anything changed since its declaration."},
                      "file": {"type": "string", "description": "The file of its data, below __files."},
                      "problem": {"type": "string", "description": "Why it cannot be served."}
                    }
                  }
                }
              }
            }
          }
        }
        """#)
}
