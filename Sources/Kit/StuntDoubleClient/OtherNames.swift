// Names from WireMock, its clients and other mock servers, and former names of this kit: the compiler's message gives
// the current one. Code completion does not offer them. Top-level names (`stubFor`, `aResponse`, OHHTTPStubs'
// `stub(condition:)`, Mocker's `Mock`) are left to their libraries, which a test may import beside this one.

extension MockServer {
    @available(*, unavailable, renamed: "launch(mocks:arguments:https:)")
    public static func start() async throws -> MockServer { fatalError() }
    @available(*, unavailable, message: "launch() chooses a free port, MockServer(url:) is a server that runs")
    public convenience init(port: Int) { fatalError() }
    @available(*, unavailable, renamed: "end()")
    public func stop() async throws {}
    @available(*, unavailable, renamed: "end()")
    public func shutdown() async throws {}
    @available(*, unavailable, renamed: "url")
    public var baseURL: String { fatalError() }
    @available(*, unavailable, renamed: "url")
    public var hostURL: String { fatalError() }
    @available(*, unavailable, renamed: "makeSession(name:seed:inheriting:ownPort:)")
    public func session(name: String? = nil) async throws -> MockServer { fatalError() }

    @available(*, unavailable, renamed: "stub(_:_:)")
    public func stubFor(_ request: Stub.Request, _ answers: Stub.Answer...) async throws {}
    @available(*, unavailable, renamed: "stub(_:_:)")
    public func givenThat(_ request: Stub.Request, _ answers: Stub.Answer...) async throws {}
    @available(*, unavailable, renamed: "addFault(_:on:name:)")
    public func fault(_ fault: Stub.Fault, on pattern: Stub.Request = .any) async throws {}
    @available(*, unavailable, renamed: "removeAllStubs()")
    public func resetMappings() async throws {}
    @available(*, unavailable, renamed: "reset()")
    public func resetAll() async throws {}
    @available(*, unavailable, renamed: "removeAllRequests()")
    public func resetRequests() async throws {}
    @available(*, unavailable, renamed: "resetScenarios()")
    public func resetAllScenarios() async throws {}
    @available(*, unavailable, renamed: "setState(_:ofScenario:)")
    public func setScenarioState(_ name: String, state: String) async throws {}

    @available(*, unavailable, message: "the request comes first: verify(.get(\"/orders\"), .exactly(2))")
    public func verify(_ count: MockServer.Count, _ pattern: Stub.Request) async throws {}
    @available(*, unavailable, message: "the request comes first: verify(.get(\"/orders\"), .exactly(2))")
    public func verify(_ count: Int, _ pattern: Stub.Request) async throws {}
    @available(*, unavailable, renamed: "requests(matching:)")
    public func findAll(_ pattern: Stub.Request) async throws -> [MockServer.ReceivedRequest] { fatalError() }
    @available(*, unavailable, renamed: "requests")
    public func getAllServeEvents() async throws -> [MockServer.ReceivedRequest] { fatalError() }
    @available(*, unavailable, renamed: "unmatchedRequests")
    public func findUnmatchedRequests() async throws -> [MockServer.ReceivedRequest] { fatalError() }
}

extension MockServer.ReceivedRequest {
    @available(*, unavailable, renamed: "url")
    public var absoluteURL: String { fatalError() }
}

extension MockServer {
    @available(*, unavailable, renamed: "collection(_:)")
    public func records(_ name: String) -> MockServer.Records { fatalError() }
}

extension MockServer.Records {
    @available(*, unavailable, renamed: "replaceAll(with:)")
    public func replace(with records: [Stub.JSON]) async throws {}
}

extension Stub.Request {
    @available(*, unavailable, message: "the answer comes second: stub(.get(\"/a\"), .text(\"hello\"))")
    public func willReturn(_ answer: Stub.Answer) -> Stub.Request { self }
    @available(*, unavailable, renamed: "header(_:_:)")
    public func withHeader(_ name: String, _ matcher: Stub.Match) -> Stub.Request { self }
    @available(*, unavailable, renamed: "query(_:_:)")
    public func withQueryParam(_ name: String, _ matcher: Stub.Match) -> Stub.Request { self }
    @available(*, unavailable, renamed: "form(_:_:)")
    public func withFormParam(_ name: String, _ matcher: Stub.Match) -> Stub.Request { self }
    @available(*, unavailable, renamed: "pathParameter(_:_:)")
    public func withPathParam(_ name: String, _ matcher: Stub.Match) -> Stub.Request { self }
    @available(*, unavailable, renamed: "cookie(_:_:)")
    public func withCookie(_ name: String, _ matcher: Stub.Match) -> Stub.Request { self }
    @available(*, unavailable, renamed: "basicAuth(_:_:)")
    public func withBasicAuth(_ username: String, _ password: String) -> Stub.Request { self }
    @available(*, unavailable, renamed: "body(_:)")
    public func withRequestBody(_ matcher: Stub.Match) -> Stub.Request { self }
    @available(*, unavailable, message: "write .get(\"/a\"), or with a query .get().url(\"/a?b=c\")")
    public static func urlEqualTo(_ url: String) -> Stub.Request { fatalError() }
    @available(*, unavailable, message: "write .get(\"/a\")")
    public static func urlPathEqualTo(_ path: String) -> Stub.Request { fatalError() }
}

extension Stub.Match {
    @available(*, unavailable, renamed: "equal(_:)")
    public static func equalTo(_ text: String) -> Stub.Match { fatalError() }
    @available(*, unavailable, renamed: "contains(_:)")
    public static func containing(_ text: String) -> Stub.Match { fatalError() }
    @available(*, unavailable, renamed: "json(_:)")
    public static func equalToJson(_ json: Stub.JSON) -> Stub.Match { fatalError() }
    @available(*, unavailable, renamed: "jsonPath(_:)")
    public static func matchingJsonPath(_ path: String) -> Stub.Match { fatalError() }
}

extension Stub.Answer {
    @available(*, unavailable, renamed: "deleteState(_:)")
    public func forget(_ context: String) -> Stub.Answer { self }
    @available(*, unavailable, message: "begin with .status(200), .text(\"a\") or .json([\"a\": 1])")
    public static func aResponse() -> Stub.Answer { fatalError() }
    @available(*, unavailable, renamed: "text(_:)")
    public static func ok(_ text: String = "") -> Stub.Answer { fatalError() }
    @available(*, unavailable, renamed: "json(_:)")
    public static func okJson(_ json: Stub.JSON) -> Stub.Answer { fatalError() }
    @available(*, unavailable, renamed: "json(_:status:)")
    public static func jsonResponse(_ json: Stub.JSON, status: Int = 200) -> Stub.Answer { fatalError() }
    @available(*, unavailable, renamed: "status(_:)")
    public func withStatus(_ status: Int) -> Stub.Answer { self }
    @available(*, unavailable, renamed: "header(_:_:)")
    public func withHeader(_ name: String, _ values: String...) -> Stub.Answer { self }
    @available(*, unavailable, renamed: "text(_:)")
    public func withBody(_ text: String) -> Stub.Answer { self }
    @available(*, unavailable, renamed: "file(_:)")
    public func withBodyFile(_ path: String) -> Stub.Answer { self }
    @available(*, unavailable, renamed: "delay(_:)")
    public func withFixedDelay(_ milliseconds: Int) -> Stub.Answer { self }
    @available(*, unavailable, renamed: "fault(_:)")
    public func withFault(_ fault: Stub.Fault) -> Stub.Answer { self }
}
