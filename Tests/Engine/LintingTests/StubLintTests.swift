import SDJSON
import SDLinting
import SDMockEngine
import SDStubModel
import SDStubs
import Testing

/// Findings about a single stub.
@Suite struct StubLintTests {
    private func findings(_ request: String) throws -> [StubFinding] {
        try LintedFile(request: request).session.findings()
    }

    @Test(arguments: [
        (#"{"urlPattern": "/thing?x=1"}"#, "unescaped-question-mark /request/urlPattern"),
        (#"{"urlPathPattern": "/thing?x=1"}"#, "unescaped-question-mark /request/urlPathPattern"),
        (#"{"urlPathPattern": "/thing\\?x=1"}"#, "query-in-path /request/urlPathPattern"),
        (#"{"urlPath": "/thing?x=1"}"#, "query-in-path /request/urlPath"),
        (#"{"urlPathTemplate": "/{a}?x={b}"}"#, "query-in-path /request/urlPathTemplate"),
        (#"{"customMatcher": {"name": "grapqhl-body-matcher"}}"#, "unknown-custom-matcher /request/customMatcher/name"),
        (
            #"{"bodyPatterns": [{"matchesJsonSchema": {"pattern": "("}}]}"#,
            "invalid-json-schema /request/bodyPatterns/0/matchesJsonSchema/pattern"
        ),
        (
            #"{"bodyPatterns": [{"matchesJsonSchema": "{\"pattern\": \"(\"}"}]}"#,
            "invalid-json-schema /request/bodyPatterns/0/matchesJsonSchema"
        ),
        (
            ##"{"bodyPatterns": [{"matchesJsonSchema": {"$ref": "#/nowhere"}}]}"##,
            "json-schema-problem /request/bodyPatterns/0/matchesJsonSchema/$ref"
        ),
        (
            #"{"bodyPatterns": [{"matchesXPath": "//["}]}"#,
            "invalid-xpath /request/bodyPatterns/0/matchesXPath"
        ),
        (
            #"{"bodyPatterns": [{"matchesXPath": {"expression": "//[", "equalTo": "a"}}]}"#,
            "invalid-xpath /request/bodyPatterns/0/matchesXPath/expression"
        ),
        (
            #"{"headers": {"D": {"before": "12 of May"}}}"#,
            "unreadable-date /request/headers/D/before"
        ),
        (
            #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$.d", "not": {"after": "12 of May"}}}]}"#,
            "unreadable-date /request/bodyPatterns/0/matchesJsonPath/not/after"
        ),
        (
            #"{"bodyPatterns": [{"equalToJson": {"a": ["${json-unit.any-nmber}"]}}]}"#,
            "equal-to-json-remark /request/bodyPatterns/0/equalToJson/a/0"
        ),
        (
            #"{"headers": {"A": {"and": [{"contains": "x"}, {"absent": true}]}}}"#,
            "contradiction /request/headers/A/and/1"
        ),
        (
            #"{"headers": {"A": {"and": [{"equalTo": "x"}, {"equalTo": "y"}]}}}"#,
            "contradiction /request/headers/A/and/1"
        ),
        (
            #"{"bodyPatterns": [{"absent": true}, {"matchesJsonPath": "$.a"}]}"#,
            "contradiction /request/bodyPatterns/1"
        ),
        (
            #"{"multipartPatterns": [{"bodyPatterns": [{"matchesXPath": "//["}]}]}"#,
            "invalid-xpath /request/multipartPatterns/0/bodyPatterns/0/matchesXPath"
        ),
        (
            #"{"headers": {"A": {"includes": [{"before": "12 of May"}]}}}"#,
            "unreadable-date /request/headers/A/includes/0/before"
        ),
    ]) func aSuspiciousStubIsReported(_ request: String, _ expected: String) throws {
        #expect(try findings(request).map(\.summary) == [expected])
    }

    @Test(arguments: [
        "{}", #"{"url": "/thing?x=1"}"#, #"{"urlPattern": "/thing\\?x=1"}"#, #"{"urlPathPattern": "/things?/?"}"#,
        #"{"urlPathTemplate": "/{a?}/b"}"#,
        #"{"customMatcher": {"name": "graphql-body-matcher", "parameters": {"query": "{a}"}}}"#,
        #"{"bodyPatterns": [{"matchesJsonSchema": {"type": "object", "required": ["a"]}}]}"#,
        #"{"bodyPatterns": [{"matchesXPath": "//a[@b='c']"}]}"#,
        #"{"headers": {"D": {"before": "now +3 days"}, "E": {"after": "2026-03-01T10:00:00Z"}}}"#,
        #"{"headers": {"D": {"equalToDateTime": "2026-03-01"}}}"#,
        #"{"bodyPatterns": [{"equalToJson": {"a": "${json-unit.any-number}"}}]}"#,
        #"{"headers": {"A": {"or": [{"contains": "x"}, {"absent": true}]}}}"#,
        #"{"headers": {"A": {"and": [{"doesNotContain": "x"}, {"absent": true}]}}}"#,
        #"{"headers": {"A": {"and": [{"equalTo": "x", "caseInsensitive": true}, {"equalTo": "X"}]}}}"#,
        #"{"bodyPatterns": [{"equalTo": "a"}, {"equalTo": "a"}]}"#,
        #"{"headers": {"A": {"includes": [{"equalTo": "x"}, {"equalTo": "y"}]}}}"#,
        #"{"bodyPatterns": [{"absent": true}, {"binaryEqualTo": ""}]}"#,
    ]) func aPlausibleStubIsNotReported(_ request: String) throws {
        #expect(try findings(request).map(\.summary) == [])
    }

    /// A template, the place of the finding, and the better spelling.
    @Test(arguments: [
        (#""body": "{{numberFormat 1 'currency' 'de-AT'}}""#, "body", "de_AT"),
        (#""body": "{{#if true}}{{join (array (numberFormat 1 'currency' 'en_gb')) ','}}{{/if}}""#, "body", "en_GB"),
        (#""jsonBody": {"a": ["{{dateFormat (now) 'full' locale='german'}}"]}"#, "jsonBody/a/0", nil),
        (#""headers": {"A": "{{dateFormat (now) 'full' 'de_XX'}}"}"#, "headers/A", "de"),
        (#""body": "{{now format='EEEE' locale='de'}}""#, "body", nil),
        (#""body": "{{numberFormat 1 locale='de_DE'}}""#, "body", nil),
    ])
    func aLocaleThatIsNotThereIsReported(response: String, place: String, suggestion: String?) throws {
        let file = try LintedFile(
            #"[{"response": {\#(response), "transformers": ["response-template"]}}]"#)
        let found = file.session.findings()
        #expect(found.map(\.summary) == ["unknown-locale /response/\(place)"])
        #expect(found.first?.suggestion == suggestion)
    }

    @Test(arguments: [
        "{{numberFormat 1 'currency' 'de_AT'}}", "{{dateFormat (now) 'full' locale='zh_TW'}}",
        "{{numberFormat 1 '' ''}}",
        "{{dateFormat (now) 'full' null locale=request.query.l}}", "{{numberFormat 1 'currency' request.query.l}}",
        "{{upper 'locale'}}",
    ])
    func aLocaleThatIsThereIsNot(template: String) throws {
        let file = try LintedFile(
            #"[{"response": {"body": "\#(template)", "transformers": ["response-template"]}}]"#)
        #expect(file.session.findings().map(\.summary) == [])
    }

    /// A request pattern, the finding, and the better spelling.
    @Test(
        arguments: [
            (#"{"urlPath": "/users/:id"}"#, "colon-in-path /request/urlPath", "/users/{id}"),
            (#"{"url": "/a/:b/:c_d?x=:e"}"#, "colon-in-path /request/url", "/a/{b}/{c_d}"),
            (#"{"urlPathTemplate": "/{a}/:b"}"#, "colon-in-path /request/urlPathTemplate", "/{a}/{b}"),
            (#"{"urlPath": "/files/*"}"#, "star-in-path /request/urlPath", "/files/**"),
            (#"{"urlPath": "/files/**"}"#, "star-in-path /request/urlPath", "/files/**"),
            (#"{"url": "/a/*/b/*.png"}"#, "star-in-path /request/url", "/a/{any}/b/{any2}.png"),
            (#"{"urlPathTemplate": "/{a*}/*/c"}"#, "star-in-path /request/urlPathTemplate", "/{a*}/{any}/c"),
            (#"{"urlPath": "/users/{id}"}"#, "variable-in-path /request/urlPath", "/users/{id}"),
            (#"{"url": "/a/{b}?c={d}"}"#, "variable-in-path /request/url", "/a/{b}"),
            (#"{"urlPath": "/users/<id>/x"}"#, "variable-in-path /request/urlPath", "/users/{id}/x"),
            (#"{"urlPathTemplate": "/{a}/<int:id>"}"#, "variable-in-path /request/urlPathTemplate", "/{a}/{id}"),
            (#"{"urlPathTemplate": "/a/%3Cid%3E"}"#, "variable-in-path /request/urlPathTemplate", "/a/{id}"),
            (#"{"urlPath": "/blog/[slug]"}"#, "variable-in-path /request/urlPath", "/blog/{slug}"),
            (#"{"urlPath": "/users/(\\d+)"}"#, "expression-in-path /request/urlPath", nil),
            (#"{"url": "/users/[0-9]+?x=1"}"#, "expression-in-path /request/url", nil),
            (#"{"urlPath": "/a/.*"}"#, "expression-in-path /request/urlPath", nil),
            (#"{"urlPath": "/a/[^/]+/b"}"#, "expression-in-path /request/urlPath", nil),
            (#"{"urlPathTemplate": "/{a}/(x|y)"}"#, "expression-in-path /request/urlPathTemplate", nil),
            (
                #"{"urlPathTemplate": "/users/{id:[0-9]+}"}"#, "expression-in-variable /request/urlPathTemplate",
                "/users/{id}"
            ),
            (
                #"{"urlPathTemplate": "/{a}/{b:\\d{2}}/c"}"#, "expression-in-variable /request/urlPathTemplate",
                "/{a}/{b}/c"
            ),
            (#"{"scheme": "HTTPS"}"#, "impossible-origin /request/scheme", "https"),
            (#"{"port": 0}"#, "impossible-origin /request/port", nil),
            (#"{"host": {"equalTo": "localhost:8080"}}"#, "impossible-origin /request/host", "localhost"),
            (#"{"method": "GTE", "urlPath": "/a"}"#, "unknown-method /request/method", "GET"),
            (#"{"method": "gte"}"#, "unknown-method /request/method", "GET"),
            (#"{"method": {"oneOf": ["GET", "PSOT"]}}"#, "unknown-method /request/method/oneOf/1", "POST"),
            (#"{"method": "get"}"#, "method-case /request/method", "GET"),
            (#"{"method": {"noneOf": ["Delete"]}}"#, "method-case /request/method/noneOf/0", "DELETE"),
            (#"{"url": "/__admin/mappings"}"#, "reserved-path /request/url", nil),
            (#"{"urlPath": "/__admin"}"#, "reserved-path /request/urlPath", nil),
            (#"{"url": "/__admin?x=1"}"#, "reserved-path /request/url", nil),
            (#"{"urlPathPattern": "/__admin/.*"}"#, "reserved-path /request/urlPathPattern", nil),
            (#"{"urlPathTemplate": "/__session/{id}/a"}"#, "reserved-path /request/urlPathTemplate", nil),
            (
                #"{"urlPathTemplate": "/{userId}", "pathParameters": {"userid": {"equalTo": "1"}}}"#,
                "unknown-path-parameter /request/pathParameters/userid", "userId"
            ),
            (
                #"{"urlPathTemplate": "/a/b", "pathParameters": {"id": {"equalTo": "1"}}}"#,
                "unknown-path-parameter /request/pathParameters/id", nil
            ),
            (#"{"headers": {"Accept:": {"equalTo": "x"}}}"#, "header-name /request/headers/Accept:", "Accept"),
            (#"{"headers": {"X Trace": {"absent": true}}}"#, "header-name /request/headers/X Trace", "X-Trace"),
            (#"{"headers": {"": {"absent": true}}}"#, "header-name /request/headers/", nil),
            (
                #"{"bodyPatterns": [{"equalToJson": "\"{\\\"a\\\": 1}\""}]}"#,
                "json-in-text /request/bodyPatterns/0/equalToJson", nil
            ),
        ] as [(String, String, String?)])
    func habitsFromOtherFormatsAreReported(request: String, expected: String, suggestion: String?) throws {
        let found = try findings(request)
        #expect(found.map(\.summary) == [expected])
        #expect(found.map(\.suggestion) == [suggestion])
        #expect(found.allSatisfy { $0.expected != nil })
    }

    @Test(arguments: [
        #"{"urlPath": "/Products(1)/Name"}"#, #"{"urlPath": "/a[0]/b"}"#, #"{"url": "/a?x={b}&y=[0-9]+"}"#,
        #"{"urlPathTemplate": "/{a.b}/{;c*}/{d-e}/{f_g}"}"#, #"{"urlPathPattern": "/users/(\\d+)"}"#,
        #"{"host": {"equalTo": "::1"}, "port": 80, "scheme": "http"}"#, #"{"host": {"contains": ":8080"}}"#,
        #"{"urlPath": "/projects/x:cancel"}"#, #"{"urlPath": "/at/:8080/10:30"}"#, #"{"urlPathPattern": "/a/:b/.*"}"#,
        #"{"urlPathTemplate": "/{a}/**/{b*}"}"#, #"{"method": "OPTIONS", "url": "*"}"#, #"{"url": "/a?q=*"}"#,
        #"{"method": "PURGE"}"#, #"{"method": "FROBNICATE"}"#, #"{"method": "PROPFIND"}"#,
        #"{"method": "GET_OR_HEAD"}"#,
        #"{"urlPath": "/__administrators"}"#, #"{"urlPath": "/a/__admin"}"#, #"{"urlPathPattern": "/.*"}"#,
        #"{"urlPathTemplate": "/{a}/**", "pathParameters": {"a": {"equalTo": "1"}, "0": {"contains": "x"}}}"#,
        #"{"headers": {"X-A_b.c~1": {"absent": true}}}"#, #"{"bodyPatterns": [{"equalToJson": "\"text\""}]}"#,
        #"{"bodyPatterns": [{"equalToJson": "{\"a\": 1}"}]}"#,
    ])
    func stubsThatOnlyResembleAHabitAreNotReported(request: String) throws {
        #expect(try findings(request).map(\.summary) == [])
    }

    /// Members of a mapping beside its request, and the finding.
    @Test(arguments: [
        (#""response": {"body": "Hello {{request.path}}!"}"#, ["untemplated-expression /response/body"]),
        (#""response": {"body": "{{#each a}}{{this}}{{/each}}"}"#, ["untemplated-expression /response/body"]),
        (
            #""response": {"jsonBody": {"a": [1, "{{ now format='x' }}"]}}"#,
            ["untemplated-expression /response/jsonBody/a/1"]
        ),
        (
            #""response": {"headers": {"Location": "/a/{{randomValue}}"}}"#,
            ["untemplated-expression /response/headers/Location"]
        ),
        (#""response": {"bodyFileName": "{{request.path}}.json"}"#, ["untemplated-expression /response/bodyFileName"]),
        (
            #""response": {"body": "{{request.quary.x}}", "transformers": ["response-template"]}"#,
            ["unknown-template-name /response/body"]
        ),
        (
            #""response": {"jsonBody": {"a": ["{{upper requst.path}}"], "b": "{{request.path}"}, "template": true}"#,
            ["unknown-template-name /response/jsonBody/a/0", "unended-tag /response/jsonBody/b"]
        ),
        (
            #""response": {"headers": {"A": "{{x}} {{request.path}"}, "template": true}"#,
            ["unknown-template-name /response/headers/A", "unended-tag /response/headers/A"]
        ),
        (#""response": {"status": "{{request.boddy}}"}"#, ["unknown-template-name /response/status"]),
        // What a helper or a block names is there.
        (
            #""response": {"body": "{{parseJson request.body 'requst'}}{{requst.x}}{{#each request.headers as |requests|}}{{requests.a}}{{/each}}{{{request.path.[0]}}}{{request.getMethod}} {{", "template": true}"#,
            []
        ),
        (#""response": {"proxyBaseUrl": "http://a", "fault": "EMPTY_RESPONSE"}"#, ["beside-proxy /response/fault"]),
        (#""response": {"proxyBaseUrl": "http://a", "body": "x"}"#, ["beside-proxy /response/body"]),
        (#""response": {"proxyBaseUrl": "http://a"}"#, []),
        (
            #""response": {"proxyBaseUrl": "http://a", "trailers": {"A": "b"}, "ranges": true, "conditional": true}"#,
            ["beside-proxy /response/trailers", "beside-proxy /response/ranges", "beside-proxy /response/conditional"]
        ),
        (#""response": {"proxyBaseUrl": "http://a", "ranges": false}"#, []),
        (#""response": {"proxyBaseUrl": "http://a/b?c=d"}"#, ["proxy-url /response/proxyBaseUrl"]),
        (#""response": {"proxyBaseUrl": "http://a/b#c"}"#, ["proxy-url /response/proxyBaseUrl"]),
        (#""response": {"proxyBaseUrl": "http://a:0"}"#, ["proxy-url /response/proxyBaseUrl"]),
        (#""response": {"proxyBaseUrl": "http://a:99999/b"}"#, ["proxy-url /response/proxyBaseUrl"]),
        (#""response": {"proxyBaseUrl": "http://a%2eb"}"#, ["proxy-url /response/proxyBaseUrl"]),
        (#""response": {"proxyBaseUrl": "/a"}"#, ["proxy-url /response/proxyBaseUrl"]),
        (#""response": {"proxyBaseUrl": "http://:pw@a"}"#, []),
        (#""response": {"proxyBaseUrl": "http://ada:s3cret@a:8443/b"}"#, []),
        (
            #""response": {"proxyBaseUrl": "http://a", "additionalProxyRequestHeaders": {"A": ["b", "c"], "B": ["d"]}}"#,
            ["header-value /response/additionalProxyRequestHeaders/A"]
        ),
        (#""response": {"proxyBaseUrl": "http://a", "proxyHttp2": true, "proxyUrlPrefixToRemove": "/a"}"#, []),
        (#""response": {"proxyHttp2": true}"#, ["without-proxy /response/proxyHttp2"]),
        (
            #""response": {"body": "x", "additionalProxyRequestHeaders": {"A": "b"}, "removeProxyRequestHeaders": ["A"]}"#,
            [
                "without-proxy /response/additionalProxyRequestHeaders",
                "without-proxy /response/removeProxyRequestHeaders",
            ]
        ),
        (
            #""responses": [{"proxyBaseUrl": "http://a"}, {"proxyUrlPrefixToRemove": "/a"}]"#,
            ["without-proxy /responses/1/proxyUrlPrefixToRemove"]
        ),
        (#""response": {"proxyHttp2": false, "removeProxyRequestHeaders": []}"#, []),
        (#""response": {"proxyBaseUrl": "http://a", "fault": {"cutAfter": 5}}"#, []),
        (#""response": {"jsonBody": "{\"a\": 1}"}"#, ["json-in-text /response/jsonBody"]),
        (#""response": {"jsonBody": " [1, 2]"}"#, ["json-in-text /response/jsonBody"]),
        (#""response": {"status": 204, "body": "x"}"#, ["body-without-content /response/body"]),
        (#""response": {"headers": {"X-A": "a\r\nB: c"}}"#, ["header-value /response/headers/X-A"]),
        (#""response": {"headers": {"X-A": ["a", "b\n"]}}"#, ["header-value /response/headers/X-A"]),
        (#""response": {"headers": {"Retry-After": "1s"}}"#, ["header-value /response/headers/Retry-After"]),
        (#""response": {"headers": {"retry-after": "500ms"}}"#, ["header-value /response/headers/retry-after"]),
        (#""response": {"headers": {"Retry-After": "120", "X-After": "1s"}}"#, []),
        (#""response": {"headers": {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}}"#, []),
        (#""response": {"status": 199}"#, ["impossible-status /response/status"]),
        (#""response": {"status": 101}"#, ["impossible-status /response/status"]),
        (#""responses": [{"status": 200}, {"status": 1000}]"#, ["impossible-status /responses/1/status"]),
        (#""response": {"status": 999}"#, []), (#""response": {"status": 199, "fault": "EMPTY_RESPONSE"}"#, []),
        (#""response": {"status": 304, "jsonBody": null}"#, []),
        (#""response": {"status": 304, "jsonBody": {}}"#, ["body-without-content /response/jsonBody"]),
        (#""response": {"status": 204, "base64Body": "AQID"}"#, ["body-without-content /response/base64Body"]),
        (#""response": {"headers": {"Content-Type:": "a/b"}}"#, ["header-name /response/headers/Content-Type:"]),
        (
            #""responses": [{"status": 200}, {"status": 204, "body": "{{x}}"}]"#,
            ["body-without-content /responses/1/body", "untemplated-expression /responses/1/body"]
        ),
        (
            #""response": {"stream": {"name": "s"}, "fault": {"wrongLength": 5}}"#,
            ["fault-without-effect /response/fault/wrongLength"]
        ),
        (
            #""response": {"stream": {"repeat": "forever", "events": [{"data": 1}]}, "#
                + #""fault": [{"corrupt": {"byte": 1}}, {"cutAfter": "50%"}]}"#,
            ["fault-without-effect /response/fault/1/cutAfter"]
        ),
        (
            #""responses": [{"stream": [{"data": 1}, {"hold": "g"}], "fault": {"wrongLength": 5, "cutAfter": "5%"}}]"#,
            [
                "fault-without-effect /responses/0/fault/wrongLength",
                "fault-without-effect /responses/0/fault/cutAfter",
            ]
        ),
        (
            #""response": {"stream": [{"data": "{{now}}"}], "transformers": ["response-template"], "#
                + #""fault": {"wrongLength": 5}}"#,
            ["fault-without-effect /response/fault/wrongLength"]
        ),
        (
            #""response": {"stream": {"repeat": 1001, "events": [{"data": 1}]}, "fault": {"wrongLength": 5}}"#,
            ["fault-without-effect /response/fault/wrongLength"]
        ),
        // The body of another server passes as it comes; trailers are its own.
        (
            #""response": {"proxyBaseUrl": "http://a", "fault": {"wrongLength": 5, "cutAfter": "5%"}}"#,
            ["fault-without-effect /response/fault/wrongLength", "fault-without-effect /response/fault/cutAfter"]
        ),
        (#""response": {"proxyBaseUrl": "http://a", "fault": {"dropTrailers": true, "cutAfter": 5}}"#, []),
        // A stream that is sent at once is an answer like others.
        (#""response": {"stream": [{"after": "1s", "data": 1}], "fault": {"wrongLength": 5, "cutAfter": "5%"}}"#, []),
        (#""response": {"stream": {"name": "s"}, "fault": {"cutAfter": 5}}"#, []),
        (#""response": {"body": "x", "fault": {"cutAfter": "50%"}}"#, []),
        (#""response": {"status": 204}"#, []), (#""response": {"status": 204, "body": ""}"#, []),
        (#""response": {"status": 205, "body": "x"}"#, []),
        (#""response": {"jsonBody": "text"}"#, []), (#""response": {"jsonBody": "{not json"}"#, []),
        (#""response": {"jsonBody": "42"}"#, []), (#""response": {"body": "{{}} {{ 1 }} {{\n}} }} {{"}"#, []),
        (#""response": {"body": "{\"a\": {\"b\": {}}}"}"#, []),
    ])
    func suspiciousResponsesAreReported(members: String, expected: [String]) throws {
        let found = try LintedFile("[{\(members)}]").session.findings()
        #expect(found.map(\.summary) == expected)
        #expect(found.allSatisfy { $0.expected != nil })
    }

    @Test func anUnreachableStateIsReported() throws {
        let found = try LintedFile(
            """
            [{"request": {"url": "/1"}, "scenarioName": "cart", "newScenarioState": "filled"},
             {"request": {"url": "/2"}, "scenarioName": "cart", "requiredScenarioState": "filed"},
             {"request": {"url": "/3"}, "scenarioName": "cart", "requiredScenarioState": "filled"},
             {"request": {"url": "/4"}, "scenarioName": "cart", "requiredScenarioState": "Started"},
             {"request": {"url": "/5"}, "scenarioName": "endpoint", "requiredScenarioState": "filled"},
             {"request": {"url": "/6"}, "requiredScenarioState": "nowhere"}]
            """
        ).session.findings()
        #expect(
            found.map { "\($0.summary) \($0.suggestion ?? "-")" } == [
                "unreachable-state /requiredScenarioState -", "unreachable-state /requiredScenarioState filled",
            ])
        #expect(
            found.last?.message
                == "no stub moves the scenario \"cart\" to the state \"filed\"; only the admin API can set it")
    }

    @Test func aFallbackThatHidesOtherFilesIsReportedOnce() throws {
        func stubs(_ requests: String...) throws -> [StubMapping] {
            try requests.map { try StubMapping(json: try JSONValue(parsing: $0)) }
        }
        let session = Session()
        let fallback = #"{"name": "fallback", "request": {"urlPathTemplate": "/**"}}"#
        let refused = session.update([
            (
                name: "a.json",
                stubs: try stubs(#"{"request": {"url": "/1"}}"#, #"{"request": {"url": "/2"}, "priority": 12}"#)
            ),
            (
                name: "b.json",
                stubs: try stubs(#"{"request": {"url": "/3"}, "priority": 1}"#, #"{"request": {"url": "/4"}}"#)
            ),
            (name: "c.json", stubs: try stubs(#"{"request": {"url": "/5"}}"#, fallback)),
        ])
        try #require(refused.isEmpty)
        let found = session.findings()
        #expect(found.map(\.code) == [.shadowed, .fallbackHidesFiles])
        #expect(found.last?.stub.name == "fallback")
        #expect(
            found.last?.message
                == "this matches every request, and is tried before 3 stubs of 2 other files: a.json, b.json")
        #expect(found.last?.expected == #"a priority that comes after theirs, such as "priority": 13"#)
    }

    @Test func theCorrectedExpressionIsSuggested() throws {
        #expect(try findings(#"{"urlPattern": "/thing?x=1"}"#).first?.suggestion == "/thing\\?x=1")
        let custom = try findings(#"{"customMatcher": {"name": "grapqhl-body-matcher"}}"#)
        #expect(custom.first?.suggestion == "graphql-body-matcher")
    }

    @Test func stubsThatCanNeverMatchAreReportedAtTheStart() throws {
        var stub = StubMapping()
        let session = Session()
        #expect(session.prepare([stub]).startProblems.isEmpty)
        stub.request.customMatcher = CustomMatcher(name: "nobody")
        stub.request.bodyPatterns = [
            ValueMatcher(.not, operand: ["matchesJsonSchema": ["pattern": "("]]), ValueMatcher(.matchesXPath, "//["),
        ]
        let problems = session.prepare([StubMapping(), stub]).startProblems
        #expect(problems.map(\.stub) == [1, 1, 1])
        #expect(
            problems.map(\.problem.pointer.text) == [
                "/request/customMatcher/name", "/request/bodyPatterns/1/matchesXPath",
                "/request/bodyPatterns/0/not/matchesJsonSchema/pattern",
            ])
    }

    @Test func faultsThatCannotActOnAStreamAreReportedAtTheStart() throws {
        let stub = try StubMapping(
            json: ["response": ["stream": ["name": "s"], "fault": ["wrongLength": 5, "cutAfter": "50%"]]])
        #expect(
            Session().prepare([stub]).startProblems.map(\.problem.pointer.text) == [
                "/response/fault/wrongLength", "/response/fault/cutAfter",
            ])
    }

    @Test func problemsInASchemaGivenAsTextArePlacedInTheText() throws {
        let schema = #"{"properties": {"a": {"pattern": "("}}}"#
        let found = try findings(
            #"{"bodyPatterns": [{"matchesJsonSchema": \#(JSONValue.string(schema).compactText)}]}"#)
        let message = try #require(found.first?.message)
        #expect(message.hasPrefix("not a valid JSON Schema, so this never matches at /properties/a/pattern: "))
    }

    @Test func everyDoubtfulPartOfEverySchemaIsReported() throws {
        let found = try findings(
            ##"""
            {"multipartPatterns": [{"bodyPatterns": [
                {"and": [
                    {"matchesJsonSchema": {"anyOf": [{"$ref": "#/a"}, {"$ref": "#/b"}]}},
                    {"matchesJsonSchema": {"pattern": "("}}]}]}]}
            """##)
        let place = "/request/multipartPatterns/0/bodyPatterns/0/and"
        #expect(
            found.map(\.summary).sorted() == [
                "invalid-json-schema \(place)/1/matchesJsonSchema/pattern",
                "json-schema-problem \(place)/0/matchesJsonSchema/anyOf/0/$ref",
                "json-schema-problem \(place)/0/matchesJsonSchema/anyOf/1/$ref",
            ])
    }
}
