/// Request patterns and the matchers in them.
extension OpenAPIPart {
    static let matchers = OpenAPIPart(
        nil,
        #"""
        {
          "schemas": {
            "RequestPattern": {
              "type": "object",
              "description": "Absent conditions do not restrict. Only one of the URL fields is used.",
              "properties": {
                "method": {
                  "anyOf": [
                    {"type": "string"},
                    {
                      "type": "object",
                      "minProperties": 1,
                      "maxProperties": 1,
                      "additionalProperties": false,
                      "properties": {
                        "oneOf": {"type": "array", "minItems": 1, "items": {"type": "string"}},
                        "noneOf": {"type": "array", "items": {"type": "string"}}
                      }
                    }
                  ]
                },
                "url": {"type": "string", "description": "Path and query, exactly."},
                "urlPath": {"type": "string"},
                "urlPattern": {"type": "string", "description": "A regular expression."},
                "urlPathPattern": {"type": "string", "description": "A regular expression."},
                "urlPathTemplate": {"type": "string", "description": "Such as `/users/{id}`."},
                "scheme": {"type": "string"},
                "host": {"$ref": "#/components/schemas/Matcher"},
                "port": {"type": "integer"},
                "clientIp": {"$ref": "#/components/schemas/Matcher"},
                "headers": {"$ref": "#/components/schemas/MultiValueMatchers"},
                "queryParameters": {"$ref": "#/components/schemas/MultiValueMatchers"},
                "formParameters": {"$ref": "#/components/schemas/MultiValueMatchers"},
                "pathParameters": {"$ref": "#/components/schemas/Matchers"},
                "cookies": {"$ref": "#/components/schemas/Matchers"},
                "basicAuthCredentials": {
                  "type": "object",
                  "properties": {"username": {"type": "string"}, "password": {"type": "string"}}
                },
                "bodyPatterns": {"type": "array", "items": {"$ref": "#/components/schemas/Matcher"}},
                "multipartPatterns": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": {
                      "name": {"type": "string"},
                      "matchingType": {"type": "string", "enum": ["ANY", "ALL"]},
                      "headers": {"$ref": "#/components/schemas/MultiValueMatchers"},
                      "bodyPatterns": {"type": "array", "items": {"$ref": "#/components/schemas/Matcher"}}
                    }
                  }
                },
                "customMatcher": {
                  "type": "object",
                  "properties": {
                    "name": {"type": "string"},
                    "parameters": {"type": "object", "additionalProperties": true}
                  }
                }
              }
            },
            "Matchers": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Matcher"}},
            "MultiValueMatchers": {
              "type": "object",
              "additionalProperties": {
                "anyOf": [
                  {"$ref": "#/components/schemas/Matcher"},
                  {
                    "type": "object",
                    "required": ["hasExactly"],
                    "properties": {"hasExactly": {"$ref": "#/components/schemas/MatcherList"}}
                  },
                  {
                    "type": "object",
                    "required": ["includes"],
                    "properties": {"includes": {"$ref": "#/components/schemas/MatcherList"}}
                  },
                  {"type": "object", "required": ["count"]}
                ]
              }
            },
            "MatcherList": {"type": "array", "items": {"$ref": "#/components/schemas/Matcher"}},
            "Matcher": {
              "type": "object",
              "description": "One operator with its options. The first operator decides.",
              "minProperties": 1,
              "properties": {
                "equalTo": {"type": "string"},
                "caseInsensitive": {"description": "Beside equalTo."},
                "contains": {"type": "string"},
                "doesNotContain": {"type": "string"},
                "matches": {"type": "string", "description": "A regular expression."},
                "doesNotMatch": {"type": "string", "description": "A regular expression."},
                "startsWith": {"type": "string"},
                "endsWith": {"type": "string"},
                "glob": {"type": "string"},
                "binaryEqualTo": {"type": "string", "description": "Base64; bodies only."},
                "equalToJson": {"description": "JSON, or its text.", "nullable": true},
                "ignoreArrayOrder": {"description": "Beside equalToJson."},
                "ignoreExtraElements": {"description": "Beside equalToJson."},
                "nullsEqualMissing": {"description": "Beside equalToJson."},
                "matchesJsonPath": {"description": "A path, or an object of `expression` and a matcher."},
                "matchesJsonSchema": {"description": "A schema, or its text."},
                "schemaVersion": {"description": "Beside matchesJsonSchema."},
                "equalToXml": {"type": "string"},
                "enablePlaceholders": {"description": "Beside equalToXml."},
                "placeholderOpeningDelimiterRegex": {"description": "Beside equalToXml."},
                "placeholderClosingDelimiterRegex": {"description": "Beside equalToXml."},
                "exemptedComparisons": {"description": "Beside equalToXml."},
                "ignoreOrderOfSameNode": {"description": "Beside equalToXml."},
                "namespaceAwareness": {"description": "Beside equalToXml."},
                "matchesXPath": {"description": "A path, or an object of `expression` and a matcher."},
                "xPathNamespaces": {"description": "Beside matchesXPath."},
                "before": {"type": "string"},
                "after": {"type": "string"},
                "equalToDateTime": {"type": "string"},
                "actualFormat": {"description": "Beside a date."},
                "truncateExpected": {"description": "Beside a date."},
                "truncateActual": {"description": "Beside a date."},
                "applyTruncationLast": {"description": "Beside a date."},
                "expectedOffset": {"description": "Beside a date."},
                "expectedOffsetUnit": {"description": "Beside a date."},
                "equalToNumber": {"description": "A number."},
                "greaterThanNumber": {"description": "A number."},
                "greaterThanEqualNumber": {"description": "A number."},
                "lessThanNumber": {"description": "A number."},
                "lessThanEqualNumber": {"description": "A number."},
                "matchesPathTemplate": {"type": "string"},
                "matchesJwt": {"description": "Matchers of a token's header and claims."},
                "matchesGraphql": {"description": "A query, for bodies."},
                "absent": {"nullable": true, "description": "The value is missing; with false, it is present."},
                "anything": {"nullable": true, "description": "Any value, or none."},
                "and": {"type": "array", "items": {"type": "object", "description": "A matcher."}},
                "or": {"type": "array", "items": {"type": "object", "description": "A matcher."}},
                "not": {"type": "object", "description": "A matcher."}
              }
            }
          }
        }
        """#)
}
