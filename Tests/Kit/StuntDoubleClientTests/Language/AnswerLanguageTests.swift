import SDJSON
import SDStubModel
import StuntDoubleClient
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct AnswerLanguageTests {
    private struct Order: Encodable {
        var item = "book"
        var orderedAt = Date(timeIntervalSince1970: 0)
    }

    private struct Unencodable: Encodable {
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(1, EncodingError.Context(codingPath: [], debugDescription: "no way"))
        }
    }

    private static let isoDates: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }()

    private static let json: JSONValue = ["Content-Type": "application/json"]
    private static let text: JSONValue = ["Content-Type": "text/plain; charset=utf-8"]

    static let bodies: [AnswerCase] = [
        AnswerCase([.status(503)], ["status": 503]),
        AnswerCase([.status(402, message: "No money")], ["status": 402, "statusMessage": "No money"]),
        AnswerCase(
            [.json(Order(), status: 201, encoder: isoDates)],
            [
                "status": 201, "jsonBody": ["item": "book", "orderedAt": "1970-01-01T00:00:00Z"], "headers": json,
            ]),
        AnswerCase(
            [.json(["b": 1, "a": [true, 2.5]])],
            ["status": 200, "jsonBody": ["b": 1, "a": [true, 2.5]], "headers": json]),
        AnswerCase([.json(["a", "b"] as [String])], ["status": 200, "jsonBody": ["a", "b"], "headers": json]),
        AnswerCase([.json(.null)], ["status": 200, "body": "null", "headers": json]),
        AnswerCase([.json("text")], ["status": 200, "jsonBody": "text", "headers": json]),
        AnswerCase([.json(raw: "{oops")], ["status": 200, "body": "{oops", "headers": json]),
        AnswerCase([.text("hello")], ["status": 200, "body": "hello", "headers": text]),
        AnswerCase(
            [.text("<h1>", status: 404, type: "text/html")],
            ["status": 404, "body": "<h1>", "headers": ["Content-Type": "text/html"]]),
        AnswerCase(
            [.data([1, 2, 3])],
            ["status": 200, "base64Body": "AQID", "headers": ["Content-Type": "application/octet-stream"]]),
        AnswerCase(
            [.file("dogs/hound.jpg")],
            ["status": 200, "bodyFileName": "dogs/hound.jpg", "headers": ["Content-Type": "image/jpeg"]]),
        AnswerCase([.file("data")], ["status": 200, "bodyFileName": "data"]),
        AnswerCase([.openAPI("listPets")], ["status": 200, "openapi": "listPets"]),
        AnswerCase(
            [
                .openAPI(
                    "GET /pets/{petId}", code: 404, example: "cat", answers: .made, document: "pets.yaml")
            ],
            [
                "status": 200,
                "openapi": [
                    "operation": "GET /pets/{petId}", "document": "pets.yaml", "code": 404, "example": "cat",
                    "answers": "made",
                ],
            ]),
        AnswerCase(
            [.template("{{parameters.x}}").parameters(["x": 1]).transformers("response-template")],
            [
                "status": 200, "body": "{{parameters.x}}", "headers": text, "template": true,
                "transformerParameters": ["x": 1], "transformers": ["response-template"],
            ]),
        AnswerCase([.redirect(to: "/a")], ["status": 302, "headers": ["Location": "/a"]]),
        AnswerCase(
            [.text("x").header("content-type", "text/html").header("Set-Cookie", "a=1", "b=2")],
            ["status": 200, "body": "x", "headers": ["content-type": "text/html", "Set-Cookie": ["a=1", "b=2"]]]),
        AnswerCase(
            [.status(500).headers(["B": "2", "A": "1"]).text("x").json(["error": "x"])],
            [
                "status": 500, "jsonBody": ["error": "x"],
                "headers": ["A": "1", "B": "2", "Content-Type": "application/json"],
            ]),
        AnswerCase(
            [.status(200).header("Content-Type", "application/problem+json").json([1])],
            ["status": 200, "jsonBody": [1], "headers": ["Content-Type": "application/problem+json"]]),
    ]

    static let timing: [AnswerCase] = [
        AnswerCase([.status(200).delay(.milliseconds(80))], ["status": 200, "fixedDelayMilliseconds": 80]),
        AnswerCase(
            [.status(200).delay(template: "{{request.query.wait}}")],
            ["status": 200, "fixedDelayMilliseconds": "{{request.query.wait}}", "template": true]),
        AnswerCase(
            [.status(200).delay(.fixed(.seconds(1)))],
            ["status": 200, "delayDistribution": ["type": "fixed", "milliseconds": 1000]]),
        AnswerCase(
            [.status(200).delay(.uniform(.milliseconds(50) ... .milliseconds(200)))],
            ["status": 200, "delayDistribution": ["type": "uniform", "lower": 50, "upper": 200]]),
        AnswerCase(
            [.status(200).delay(.lognormal(median: .milliseconds(80), sigma: 0.4, max: .seconds(2)))],
            [
                "status": 200,
                "delayDistribution": ["type": "lognormal", "median": 80.0, "sigma": 0.4, "maxValue": 2000.0],
            ]),
        AnswerCase(
            [
                .status(200).delays(
                    firstByte: .gaussian(mean: .seconds(1), deviation: .milliseconds(10)),
                    perChunk: .exponential(mean: .milliseconds(20), max: .milliseconds(50)))
            ],
            [
                "status": 200,
                "delays": [
                    "firstByte": ["type": "gaussian", "mean": 1000.0, "standardDeviation": 10.0],
                    "perChunk": ["type": "exponential", "mean": 20.0, "maxValue": 50.0],
                ],
            ]),
        AnswerCase(
            [.status(200).dribble(chunks: 5, over: .seconds(1))],
            ["status": 200, "chunkedDribbleDelay": ["numberOfChunks": 5, "totalDuration": 1000]]),
        AnswerCase([.hold("orders")], ["status": 200, "hold": "orders"]),
        AnswerCase(
            [.status(200).hold("orders", timeout: .seconds(30), then: .status(504))],
            ["status": 200, "hold": ["gate": "orders", "timeout": "30s", "onTimeout": 504]]),
        AnswerCase(
            [.status(200).early().early(103, headers: ["Link": "</a>"])],
            ["status": 200, "early": [103, ["status": 103, "headers": ["Link": "</a>"]]]]),
        AnswerCase([.status(200).trailer("X-Sum", "1")], ["status": 200, "trailers": ["X-Sum": "1"]]),
        AnswerCase(
            [.file("a").conditional().fallThrough()],
            ["status": 200, "bodyFileName": "a", "conditional": true, "fallThrough": true]),
        AnswerCase(
            [.file("a.mp4").ranges()],
            [
                "status": 200, "bodyFileName": "a.mp4", "headers": ["Content-Type": "video/mp4"], "ranges": true,
            ]),
        AnswerCase(
            [
                .stream(
                    .event("tick", id: "1", data: ["n": 1], retry: .seconds(3), comment: "hi"),
                    .data("two\nlines").after(.milliseconds(200)), .comment("c"), repeat: .forever)
            ],
            [
                "status": 200,
                "stream": [
                    "events": [
                        ["comment": "hi", "event": "tick", "id": "1", "retry": 3000, "data": ["n": 1]],
                        ["after": "200ms", "data": "two\nlines"], ["comment": "c"],
                    ],
                    "repeat": "forever",
                ],
            ]),
        AnswerCase(
            [
                .stream(
                    name: "orders", .chunk("a"), .bytes([1, 2, 3]), .hold("gate", timeout: .seconds(1), then: .fail))
            ],
            [
                "status": 200,
                "stream": [
                    "name": "orders",
                    "events": [
                        ["chunk": "a"], ["base64": "AQID"],
                        ["hold": ["gate": "gate", "timeout": "1s", "onTimeout": "fail"]],
                    ],
                ],
            ]),
    ]

    static let faults: [AnswerCase] = [
        AnswerCase([.fault(.connectionReset)], ["status": 200, "fault": "CONNECTION_RESET_BY_PEER"]),
        AnswerCase(
            [.fault(.connectionReset.first(2))],
            ["status": 200, "fault": ["kind": "CONNECTION_RESET_BY_PEER", "first": 2]]),
        AnswerCase(
            [.text("0123456789").cut(after: 4, then: .reset).bandwidth(.bytes(100))],
            [
                "status": 200, "body": "0123456789", "headers": text,
                "fault": [["cutAfter": 4, "then": "rst"], ["bandwidth": "100B/s"]],
            ]),
        AnswerCase(
            [.text("x").cut(after: .head)],
            ["status": 200, "body": "x", "headers": text, "fault": ["cutAfter": "headers"]]),
    ]

    static let proxied: [AnswerCase] = [
        AnswerCase(
            [.proxy(to: "https://staging.example.com/")],
            ["status": 200, "proxyBaseUrl": "https://staging.example.com"]),
        AnswerCase(
            [
                .proxy(to: "http://localhost:8080/v2").removingPathPrefix("/v1").proxyHeader("X-A", "1", "2")
                    .removingProxyHeaders("Cookie", "X-B").overHTTP2().delay(.milliseconds(5))
            ],
            [
                "status": 200, "proxyBaseUrl": "http://localhost:8080/v2", "proxyUrlPrefixToRemove": "/v1",
                "additionalProxyRequestHeaders": ["X-A": ["1", "2"]], "removeProxyRequestHeaders": ["Cookie", "X-B"],
                "proxyHttp2": true, "fixedDelayMilliseconds": 5,
            ]),
    ]

    static let responses = bodies + timing + faults + proxied

    @Test(arguments: responses) func aTypedAnswerIsTheDialectsOwn(_ example: AnswerCase) throws {
        let stub = try Stub(.any, example.value)
        #expect(stub.model.response.json == example.json)
        #expect(try SDStubModel.StubMapping(json: stub.model.json()) == stub.model)
    }

    @Test func everyFieldOfAResponseHasATypedForm() {
        let used = Self.responses.flatMap { $0.json.objectValue?.keys ?? [] }
        // What the daemon says about its own answers.
        let written = ["fromConfiguredStub"]
        let names = DialectNames.response
        #expect(Set(names).subtracting(used + written) == [])
    }

    @Test func everyKindOfDelayAndEventHasATypedForm() {
        let texts = Self.responses.map(\.json.compactText)
        for kind in SDStubModel.DelayDistribution.kinds {
            #expect(texts.contains { $0.contains("\"type\":\"\(kind)\"") })
        }
        let names = Self.responses.reduce(into: Set<String>()) { $0.formUnion(memberNames($1.json)) }
        #expect(
            Set(StreamDefinition.names + SDStubModel.StreamDefinition.Item.keys + GateHold.names).subtracting(names)
                == []
        )
    }

    // MARK: The stub

    static let stubs: [AnswerCase] = [
        AnswerCase([.status(200)], ["response": ["status": 200]]),
        AnswerCase([.status(503).times(2)], ["response": ["status": 503], "times": 2]),
        AnswerCase(
            [.status(503).times(2), .status(200)],
            ["responses": [["status": 503], ["status": 503], ["status": 200]]]),
        AnswerCase(
            [.status(503), .status(200).times(3)],
            ["responses": [["status": 503], ["status": 200]], "times": 4]),
        AnswerCase(
            [.status(503), .status(200).onEnd(.loop)],
            ["responses": [["status": 503], ["status": 200]], "onEnd": "loop"]),
        AnswerCase(
            [.status(503), .status(200).times(2).onEnd(.notFound)],
            ["responses": [["status": 503], ["status": 200], ["status": 200]], "onEnd": "notFound"]),
        AnswerCase(
            [.status(202), .status(200).per(.header("X-User"))],
            ["responses": [["status": 202], ["status": 200]], "per": "header.X-User"]),
        AnswerCase(
            [.status(202).times(2).per(.body("$.user.id")), .status(200).onEnd(.loop)],
            ["responses": [["status": 202], ["status": 202], ["status": 200]], "onEnd": "loop", "per": "$.user.id"]),
        AnswerCase(
            [.status(503).weight(1), .status(200).weight(5)],
            ["responses": [["status": 503, "weight": 1], ["status": 200, "weight": 5]], "select": "random"]),
        AnswerCase(
            [.status(200).named("users").priority(1).enabled(false).persistent().metadata(["a": 1]).ttl(.seconds(90))],
            [
                "response": ["status": 200], "name": "users", "priority": 1, "enabled": false, "persistent": true,
                "metadata": ["a": 1], "ttl": "90s",
            ]),
        AnswerCase(
            [.status(503).named("busy").priority(1), .status(200)],
            ["responses": [["status": 503], ["status": 200]], "name": "busy", "priority": 1]),
        AnswerCase(
            [.status(200).inScenario("cart", from: "filled", to: "empty")],
            [
                "response": ["status": 200], "scenarioName": "cart", "requiredScenarioState": "filled",
                "newScenarioState": "empty",
            ]),
        AnswerCase(
            [.status(200).cors("https://app.example", credentials: true)],
            ["response": ["status": 200], "cors": ["origins": ["https://app.example"], "credentials": true]]),
        AnswerCase([.status(200).cors()], ["response": ["status": 200], "cors": true]),
        AnswerCase(
            [
                .status(200).capture(["user": "{{request.body}}"]).capture(["a": "b"], in: "user-{{path.id}}")
                    .deleteState(
                        "old")
            ],
            [
                "response": ["status": 200],
                "serveEventListeners": [
                    [
                        "name": "recordState",
                        "parameters": ["context": "session", "state": ["user": "{{request.body}}"]],
                    ],
                    ["name": "recordState", "parameters": ["context": "user-{{path.id}}", "state": ["a": "b"]]],
                    ["name": "deleteState", "parameters": ["context": "old"]],
                ],
            ]),
        AnswerCase(
            [
                .status(200).webhook("http://localhost:1/a").webhook(
                    "http://localhost:1/b", headers: ["X-A": "b"], json: ["n": 1], delay: .milliseconds(5), retries: 2,
                    ["hmac": ["secret": "s"]])
            ],
            [
                "response": ["status": 200],
                "serveEventListeners": [
                    ["name": "webhook", "parameters": ["method": "GET", "url": "http://localhost:1/a"]],
                    [
                        "name": "webhook",
                        "parameters": [
                            "method": "POST", "url": "http://localhost:1/b", "headers": ["X-A": "b"],
                            "jsonBody": ["n": 1], "delay": ["type": "fixed", "milliseconds": 5],
                            "retry": ["times": 2, "backoff": 1000], "hmac": ["secret": "s"],
                        ],
                    ],
                ],
            ]),
    ]

    @Test(arguments: stubs) func whatAnAnswerSaysAboutItsStubIsTheDialectsOwn(_ example: AnswerCase) throws {
        let stub = try Stub(.any, example.value)
        var json = try #require(stub.model.json(view: .file).objectValue)
        for name in ["id", "uuid", "request"] { json[name] = nil }
        #expect(.object(json) == example.json)
        #expect(try SDStubModel.StubMapping(json: stub.model.json()) == stub.model)
    }

    @Test func everyFieldOfAStubHasATypedForm() throws {
        var used = Self.stubs.flatMap { $0.json.objectValue?.keys ?? [] } + ["request"]
        let records = try Stub.records("/users", data: [["id": 1]], schema: ["type": "object"])
        used += try records.flatMap { try #require($0.model.json(view: .file).objectValue).keys }
        // Actions are refused, and the others are the daemon's to write.
        let written = ["postServeActions", "insertionIndex", "timesLeft"]
        #expect(Set(SDStubModel.StubMapping.names).subtracting(used + written) == [])
    }

    @Test func aCollectionHasThreeStubs() throws {
        let stubs = try Stub.records("/users/{userId}/posts/", key: "number", dataFile: "posts.json")
        #expect(
            stubs.map(\.model.request.url) == [
                .urlPathTemplate("/users/{userId}/posts"), .urlPathTemplate("/users/{userId}/posts/{number}"),
                .urlPathTemplate("/users/{userId}/posts/"),
            ])
        #expect(
            stubs.allSatisfy { $0.model.resource?.name == "posts" && $0.model.resource?.data == .file("posts.json") })
        for stub in stubs { #expect(try SDStubModel.StubMapping(json: stub.model.json()) == stub.model) }
        #expect(throws: Stub.Problem.self) { try Stub.records("/{id}") }
    }

    @Test func anIdIsKept() throws {
        let id = SDStubModel.StubMapping.id(hashing: "one")
        #expect(try Stub(.any, .status(200).id(id)).id == id)
    }

    @Test func aMistakeIsThrownWhereTheStubIsMade() {
        for (answer, reason) in [
            (Stub.Answer.json(Unencodable()), "no way"), (.json(["a": .encoding(Unencodable())]), "no way"),
            (.stream(.data(.encoding(Unencodable()))), "no way"), (.status(200).times(0), "times(0)"),
            (.status(200).delay(template: "80"), "without an expression"),
            (.status(200).times(0).delay(template: "80"), "times(0)"),
        ] {
            let problem = #expect(throws: Stub.Problem.self) { try Stub(.any, .status(200), answer) }
            #expect(problem?.description.contains(reason) == true)
        }
        #expect(throws: Stub.Problem.self) { try Stub(.any, .status(200).times(2), .status(200).weight(1)) }
        #expect(throws: Stub.Problem.self) { try Stub(.any, .status(200).times(10_001), .status(200)) }
    }

    @Test func aMappingOfWireMockIsReadAsItStands() throws {
        let text = "{'request': {'url': '/a'}, /* none */ 'response': {'status': 204}}"
        #expect(try Stub.mapping(json: text).model.request.url == .url("/a"))
        #expect(try Stub.mapping(json: ["response": ["status": 204]]).model.response.status == 204)
        struct Mapping: Encodable { let response = ["status": 204] }
        #expect(try Stub.mapping(encoding: Mapping()).model.response.status == 204)
        let misspelt = #expect(throws: Stub.Problem.self) { try Stub.mapping(json: ["respnse": [:]]) }
        #expect(misspelt?.description.contains("did you mean \"response\"?") == true)
        let broken = #expect(throws: Stub.Problem.self) { try Stub.mapping(json: "{\n\"a\": }") }
        #expect(broken?.description.contains("line 2") == true)
    }
}
