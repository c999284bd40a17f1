import SDJSON
import SDMatching
import SDPlatform
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
        (#"{"urlPathPattern": "/a/[0-9]+"}"#, "GET /a/1"),
        (#"{"urlPattern": "/a/(?<!b)c"}"#, "– its URL is an expression"),
        (#"{"urlPattern": "/v\\d/users/[^/]+\\?page=\\d{2}(&x=.*)?"}"#, "GET /v1/users/x?page=11"),
        (#"{"urlPathPattern": ".*/orders"}"#, "GET /x/orders"),
        (#"{"urlPathTemplate": "/a/{n}", "pathParameters": {"n": {"matches": "[a-z]{3}-[0-9]+"}}}"#, "GET /a/aaa-1"),
        (#"{}"#, "– it is for any URL"),
        (
            #"{"urlPath": "/a", "queryParameters": {"q": {"equalTo": "a b"}, "n": {"greaterThanNumber": 3}, "p": {"absent": true}, "i": {"includes": [{"equalTo": "1"}, {"contains": "2"}]}}}"#,
            "GET /a?q=a%20b&n=4&i=1&i=2"
        ),
        (#"{"urlPath": "/a", "queryParameters": {"id": {"matches": "[0-9]+"}}}"#, "GET /a?id=7"),
        (
            #"{"urlPath": "/a", "queryParameters": {"q": {"matches": "[0-9]+"}}}"#,
            "GET /a?q=1"
        ),
        (
            #"{"urlPath": "/a", "queryParameters": {"q": {"matches": "(?=a)a"}}}"#,
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
            "POST /a\nContent-Type: application/json\n\n{\"a\":\"text\"}"
        ),
        (
            #"{"url": "/a", "method": "POST", "bodyPatterns": [{"matchesJsonPath": "$.a.length()"}]}"#,
            "– its body has no example (`$.a.length()`)"
        ),
        (
            #"{"url": "/a", "method": "POST", "bodyPatterns": [{"matchesJsonPath": {"expression": "$.items[1].id", "equalTo": "7"}}, {"matchesJsonPath": "$['the name']"}]}"#,
            #"""
            POST /a
            Content-Type: application/json

            {"items":[{},{"id":7}],"the name":"text"}
            """#
        ),
        (
            #"{"url": "/a", "method": "POST", "bodyPatterns": [{"matchesJsonPath": "$.lines[?(@.count > 3 && @.kind == 'book')]"}]}"#,
            #"""
            POST /a
            Content-Type: application/json

            {"lines":[{"count":4,"kind":"book"}]}
            """#
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
            "POST /m\nContent-Type: multipart/form-data; boundary=stuntdouble-example\n\n--stuntdouble-example\r\n"
                + "Content-Disposition: form-data; name=\"a\"\r\nContent-Type: text/plain\r\n\r\nx\r\n"
                + "--stuntdouble-example--\r\n"
        ),
        (#"{"url": "/a", "host": {"equalTo": "h"}}"#, "– it asks for `host`, of which no example is made"),
    ]) func conditionsMakeARequest(request: String, expected: String) throws {
        let values = ["x": "lü", "id": "7", "x-id": "of a header"]
        #expect(try example(#"{"request": \#(request), "response": {}}"#, values) == expected)
    }

    /// Texts that expressions match, which the engine's own expressions confirm.
    @Test(arguments: [
        ("[0-9]+", "1"), ("\\d{4}-\\d{2}", "1111-11"), ("a|b", "a"), ("(GET|PUT) x?", "GET "), ("[^a]b*", "x"),
        ("\\w+@\\w+\\.com", "a@a.com"), ("(?:ab){2,3}", "abab"), ("(?<year>[12]\\d{3})", "1111"), ("[\\w.-]+", "a"),
        ("\\Qa.b\\E+", "a.b"), ("(?i)hello", "hello"), ("[A-Z]{2}[0-9]{0,4}", "AA1"), (".*", "x"), ("^$", ""),
        ("\\p{Lu}\\p{L}+", "Aa"), ("a{2}?b", "aab"), ("(a|b)(c|d)", "ac"),
    ])
    func expressionsHaveAnExample(expression: String, example: String) throws {
        #expect(ExpressionExample(expression)?.text == example)
        let matcher = try CompiledMatcher(ValueMatcher(.matches, expression))
        #expect(matcher.matches(text: example), "\(expression)")
    }

    @Test(arguments: ["(?=a)", "(?<!a)b", "(a)\\1", "[a-z&&[^b]]", "a)", "(a", "*", "a{9999}", "[", "\\"])
    func whatIsBeyondExpressionsHasNone(expression: String) {
        #expect(ExpressionExample(expression) == nil)
    }

    /// Dates lie a day beside the one that is named, and in its format.
    @Test(arguments: [
        (#"{"before": "2026-03-01T12:00:00Z"}"#, "2026-02-28T12:00:00Z"),
        (#"{"after": "2026-02-28", "actualFormat": "dd/MM/yyyy"}"#, "01/03/2026"),
        (#"{"before": "2026-01-01T00:00:00Z", "actualFormat": "unix"}"#, "1767139200"),
        (
            #"{"after": "2026-04-30T12:00:00Z", "expectedOffset": -2, "expectedOffsetUnit": "months"}"#,
            "2026-05-01T12:00:00Z"
        ),
        (#"{"equalToDateTime": "2026-01-01T00:00:00Z"}"#, "2026-01-01T00:00:00Z"),
        (#"{"after": "2026-01-01T00:00:00Z", "actualFormat": "EEE"}"#, "an example of no date as `EEE`"),
    ])
    func datesHaveAnExample(matcher: String, expected: String) throws {
        let value = try ValueMatcher(json: JSONValue(parsing: matcher))
        do throws(NoExample) {
            #expect(try ExampleValue(value).text == expected)
        } catch {
            #expect("an example of no \(error.description.dropFirst("a ".count))" == expected)
        }
    }

    /// A date of the present passes the matcher for which it was made.
    @Test(arguments: [
        #"{"after": "now"}"#, #"{"before": "now"}"#, #"{"before": "now +3 days"}"#, #"{"after": "now -2 months"}"#,
        #"{"after": "now", "expectedOffset": 5, "expectedOffsetUnit": "days"}"#,
        #"{"before": "now", "actualFormat": "yyyy-MM-dd HH:mm:ss"}"#, #"{"after": "now +1 years"}"#,
        #"{"after": "now", "truncateExpected": "first day of next month"}"#,
        #"{"before": "now", "truncateExpected": "first day of year"}"#,
        #"{"before": "now", "truncateActual": "last day of year"}"#,
        #"{"after": "now +2 days", "expectedOffset": 5, "expectedOffsetUnit": "months"}"#,
        #"{"after": "2026-04-30T12:00:00Z", "expectedOffset": -2, "expectedOffsetUnit": "months"}"#,
        #"{"equalToDateTime": "2026-04-30T12:00:00Z", "expectedOffset": -2, "expectedOffsetUnit": "months"}"#,
    ])
    func datesOfThePresentPass(matcher: String) throws {
        let value = try ValueMatcher(json: JSONValue(parsing: matcher))
        let text = try #require(try ExampleValue(value).text)
        #expect(try CompiledMatcher(value).matches(text: text), "\(text)")
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

extension CompiledMatcher {
    fileprivate func matches(text: String) -> Bool {
        let now = UInt64(SystemCalls.wallClockMilliseconds()) * 1_000_000
        return matches(Array(text.utf8), now: now, WorkBudget(limit: 250_000_000))
    }
}
