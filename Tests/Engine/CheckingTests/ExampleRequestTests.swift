import SDJSON
import SDStubModel
import Testing

@testable import SDChecking

/// The request that is made of a stub's conditions.
@Suite struct ExampleRequestTests {
    /// The request as text: the request line, the fields, the body.
    private func example(_ json: String, _ values: [String: String] = [:]) throws -> String {
        let stub = try StubMapping(json: JSONValue(parsing: json))
        do throws(NoExample) {
            let request = try ExampleRequest(of: stub, values: values)
            let lines = ["\(request.method) \(request.target)"] + request.headers.map { "\($0.name): \($0.value)" }
            let body = request.body.isEmpty ? "" : "\n\n" + String(decoding: request.body, as: UTF8.self)
            return lines.joined(separator: "\n") + body
        } catch {
            return "– \(error)"
        }
    }

    @Test(arguments: [
        (#"{"url": "/a?b=c"}"#, "GET /a?b=c"), (#"{"method": "HEAD", "urlPath": "/a"}"#, "HEAD /a"),
        (#"{"method": "ANY", "url": "/a"}"#, "GET /a"),
        (#"{"method": {"oneOf": ["POST", "GET"]}, "url": "/a"}"#, "GET /a"),
        (#"{"method": {"oneOf": ["POST", "PUT"]}, "url": "/a"}"#, "POST /a"),
        (#"{"method": {"noneOf": ["POST"]}, "url": "/a"}"#, "GET /a"),
        (#"{"method": {"noneOf": ["GET"]}, "url": "/a"}"#, "– it is for all methods but GET"),
        (#"{"urlPathTemplate": "/a/{x}/b/{id}"}"#, "GET /a/l%C3%BC/b/7"),
        (
            #"{"urlPathTemplate": "/a/{y}"}"#,
            "– the variable `y` of its path has no example: give one by --param y=VALUE"
        ),
        (#"{"urlPathTemplate": "/a/{y}", "pathParameters": {"y": {"equalTo": "b c"}}}"#, "GET /a/b%20c"),
        (#"{"urlPathTemplate": "/a/**"}"#, "– `**` of its path has no example: give one by --param '**=VALUE'"),
        (#"{"urlPattern": "/a\\.json\\?b=1"}"#, "GET /a.json?b=1"),
        (#"{"urlPathPattern": "/a/[0-9]+"}"#, "– its URL is an expression"), (#"{}"#, "– it is for any URL"),
        (
            #"{"urlPath": "/a", "queryParameters": {"q": {"equalTo": "a b"}, "n": {"greaterThanNumber": 3}, "p": {"absent": true}, "i": {"includes": [{"equalTo": "1"}, {"contains": "2"}]}}}"#,
            "GET /a?q=a%20b&n=4&i=1&i=2"
        ),
        (#"{"urlPath": "/a", "queryParameters": {"id": {"matches": "[0-9]+"}}}"#, "GET /a?id=7"),
        (
            #"{"urlPath": "/a", "queryParameters": {"q": {"matches": "[0-9]+"}}}"#,
            "– the query parameter `q` has no example (an expression): give one by --param q=VALUE"
        ),
        (
            #"{"url": "/a", "headers": {"Accept": {"equalTo": "text/html"}, "X-Id": {"matches": ".+"}}}"#,
            "GET /a\nAccept: text/html\nX-Id: of a header"
        ),
        (
            #"{"url": "/a", "cookies": {"a": {"equalTo": "b"}, "c": {"and": [{"contains": "d"}, {"doesNotContain": "e"}]}}}"#,
            "GET /a\nCookie: a=b; c=d"
        ),
        (#"{"url": "/a", "basicAuth": {"username": "u", "password": "p"}}"#, "GET /a\nAuthorization: Basic dTpw"),
        (
            #"{"url": "/a", "method": "POST", "bodyPatterns": [{"equalToJson": {"a": "${json-unit.any-number}"}}]}"#,
            "POST /a\nContent-Type: application/json\n\n{\"a\":1}"
        ),
        (
            #"{"url": "/a", "method": "PUT", "bodyPatterns": [{"matchesJsonPath": {"expression": "$.u.name", "equalTo": "Ada"}}, {"matchesJsonPath": "$.u.id"}]}"#,
            "PUT /a\nContent-Type: application/json\n\n{\"u\":{\"name\":\"Ada\",\"id\":\"text\"}}"
        ),
        (
            #"{"url": "/a", "method": "POST", "bodyPatterns": [{"matchesJsonPath": "$..a"}]}"#,
            "– its body has no example (`$..a`)"
        ),
        (
            #"{"url": "/a", "method": "POST", "headers": {"Content-Type": {"equalTo": "a/b"}}, "bodyPatterns": [{"contains": "x"}]}"#,
            "POST /a\nContent-Type: a/b\n\nx"
        ),
        (
            #"{"url": "/a", "method": "POST", "formParameters": {"a": {"equalTo": "b c"}}}"#,
            "POST /a\nContent-Type: application/x-www-form-urlencoded\n\na=b%20c"
        ),
        // A value that was given stands before one that is made up, and behind the only one.
        (#"{"urlPath": "/a", "queryParameters": {"id": {"contains": "1"}}}"#, "GET /a?id=7"),
        (#"{"urlPath": "/a", "queryParameters": {"id": {"equalTo": "1"}}}"#, "GET /a?id=1"),
        (#"{"urlPathTemplate": "/a/{id}", "pathParameters": {"id": {"equalTo": "1"}}}"#, "GET /a/1"),
        (#"{"urlPath": "/a", "queryParameters": {"s": {"matches": "^(asc|desc)$"}}}"#, "GET /a?s=asc"),
        (
            #"{"urlPath": "/a", "queryParameters": {"s": {"or": [{"equalTo": "asc"}, {"equalTo": "desc"}]}}}"#,
            "GET /a?s=asc"
        ),
        (
            #"{"urlPathTemplate": "/a/{n}/{e}", "pathParameters": {"n": {"matchesJsonSchema": {"type": "integer", "minimum": 5}}, "e": {"matchesJsonSchema": {"enum": ["one", "two"]}}}}"#,
            "GET /a/5/one"
        ),
        (
            #"{"urlPath": "/a", "queryParameters": {"d": {"matchesJsonSchema": {"type": "string", "default": "x"}}, "f": {"matchesJsonSchema": {"format": "date", "type": "string"}}}}"#,
            "GET /a?d=x&f=2026-01-31"
        ),
        (
            ##"{"url": "/a", "method": "POST", "bodyPatterns": [{"matchesJsonSchema": {"type": "object", "required": ["name", "tags", "age", "home"], "properties": {"name": {"example": "Ada"}, "tags": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/tag"}}, "age": {"type": ["null", "integer"], "exclusiveMinimum": 17}, "home": {"allOf": [{"required": ["a"]}, {"required": ["b"], "properties": {"b": {"type": "boolean"}}}]}}, "definitions": {"tag": {"type": "string", "maxLength": 2}}}}]}"##,
            "POST /a\nContent-Type: application/json\n\n"
                + #"{"name":"Ada","tags":["te"],"age":18,"home":{"a":"text","b":true}}"#
        ),
        (
            ##"{"url": "/a", "method": "POST", "bodyPatterns": [{"matchesJsonSchema": {"required": ["a"], "properties": {"a": {"$ref": "#"}}}}]}"##,
            "– its body has no example (a schema that refers to itself)"
        ),
        (
            #"{"url": "/g", "method": "POST", "bodyPatterns": [{"matchesGraphql": {"query": "{ a }", "operationName": null, "variables": {"n": "${json-unit.any-number}"}}}]}"#,
            "POST /g\nContent-Type: application/json\n\n{\"query\":\"{ a }\",\"variables\":{\"n\":1}}"
        ),
        (
            #"{"url": "/g", "method": "POST", "bodyPatterns": [{"matchesGraphql": {"operationName": "A"}}]}"#,
            "– the query of its GraphQL request has no example: give one by --param 'query=DOCUMENT'"
        ),
        (
            #"{"url": "/m", "method": "POST", "multipartPatterns": [{"name": "a", "headers": {"Content-Type": {"equalTo": "image/png"}}, "bodyPatterns": [{"binaryEqualTo": "aGk="}]}, {"name": "b", "fileName": "b.json", "bodyPatterns": [{"equalToJson": {"x": 1}}]}]}"#,
            "POST /m\nContent-Type: multipart/form-data; boundary=stuntdouble-example\n\n--stuntdouble-example\r\n"
                + "Content-Disposition: form-data; name=\"a\"\r\nContent-Type: image/png\r\n\r\nhi\r\n"
                + "--stuntdouble-example\r\nContent-Disposition: form-data; name=\"b\"; filename=\"b.json\"\r\n"
                + "Content-Type: application/json\r\n\r\n{\"x\":1}\r\n--stuntdouble-example--\r\n"
        ),
        (
            #"{"url": "/m", "method": "POST", "multipartPatterns": [{"name": "a", "bodyPatterns": [{"matches": ".+"}]}]}"#,
            "– the part `a` of its body has no example: its body has no example (an expression)"
        ),
        (#"{"url": "/a", "host": {"equalTo": "h"}}"#, "– it asks for `host`, of which no example is made"),
    ]) func conditionsMakeARequest(request: String, expected: String) throws {
        let values = ["x": "lü", "id": "7", "x-id": "of a header"]
        #expect(try example(#"{"request": \#(request), "response": {}}"#, values) == expected)
    }

    @Test(arguments: [
        (#""enabled": false"#, "it is not enabled"),
        (#""response": {"proxyBaseUrl": "http://h"}"#, "it sends requests on to a real server"),
        (#""response": {"fault": "EMPTY_RESPONSE"}"#, "it answers with a fault"),
        (
            #""scenarioName": "s", "requiredScenarioState": "two""#,
            #"it answers in the state "two" of a scenario only"#
        ),
    ]) func whatIsNoAnswerOfTheServiceIsNotAsked(members: String, reason: String) throws {
        #expect(try example(#"{"request": {"url": "/a"}, \#(members)}"#) == "– \(reason)")
    }

    @Test func aCollectionIsAskedForAll() throws {
        let stub = #"{"request": {}, "resource": {"name": "users", "path": "/users", "data": []}}"#
        #expect(try example(stub) == "GET /users")
    }

    @Test(arguments: [
        ("{ a }", true), ("query A { a(mutation: 1) }", false), ("query A { a }", true), ("mutation { a }", false),
        ("# of a query\nmutation { a }", false),
    ])
    func aQueryOfGraphQLChangesNothing(document: String, isSafe: Bool) throws {
        let body: JSONValue = ["matchesGraphql": ["query": .string(document)]]
        let stub: JSONValue = ["request": ["method": "POST", "url": "/g", "bodyPatterns": [body]]]
        #expect(try ExampleRequest(of: StubMapping(json: stub)).isSafe == isSafe)
    }

    @Test(arguments: [("GET", true), ("HEAD", true), ("OPTIONS", true), ("POST", false), ("DELETE", false)])
    func whatMayChangeSomethingIsNotSafe(method: String, isSafe: Bool) throws {
        let stub = try StubMapping(json: JSONValue(parsing: #"{"request": {"method": "\#(method)", "url": "/a"}}"#))
        #expect(try ExampleRequest(of: stub).isSafe == isSafe)
    }
}
