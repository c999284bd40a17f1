import Foundation
import Testing

@testable import StuntDoubleTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests for fixed hosts that go to the mock server of a test.
@Suite(.mockServer, .timeLimit(.minutes(30))) struct MockRoutingTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test func aRequestForARoutedHostIsAnsweredByTheMockServer() async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub("https://api.example.com/me?x=1", .json(["name": "Ada"]).header("X-Mock", "yes"))
        let target = try url("https://api.example.com/me?x=1")
        let (data, response) = try await routing.makeSession().data(from: target)
        #expect(String(decoding: data, as: UTF8.self).contains("Ada"))
        let http = try #require(response as? HTTPURLResponse)
        #expect(http.url == target)
        #expect(http.statusCode == 200)
        #expect(http.value(forHTTPHeaderField: "x-mock") == "yes")
        #expect(http.allHeaderFields["Content-Type"] as? String == "application/json")
        let request = try #require(try await mock.requests.first)
        #expect(request.url.absoluteString == "https://api.example.com/me?x=1")
        #expect(request.header("Host") == "api.example.com")
    }

    @Test func methodHeadersAndBodyArrive() async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub(.any("/orders"), .status(201))
        var request = URLRequest(url: try url("http://api.example.com/orders"))
        request.httpMethod = "POST"
        request.httpBody = Data(#"{"item": 7}"#.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["Authorization": "Bearer s3cret", "Content-Type": "text/plain"]
        let session = URLSession(configuration: routing.makeConfiguration(configuration))
        _ = try await session.data(for: request)
        let received = try #require(try await mock.requests.first)
        #expect(received.method == "POST")
        #expect(try received.body(as: [String: Int].self) == ["item": 7])
        #expect(received.headerValues("Content-Type") == ["application/json"])
        #expect(received.header("Authorization") == "Bearer s3cret")
    }

    @Test func aBodyOfAStreamArrives() async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub(.post("/upload"), .status(204))
        var request = URLRequest(url: try url("http://api.example.com/upload"))
        request.httpMethod = "POST"
        let body = String(repeating: "0123456789", count: 20_000)
        request.httpBodyStream = InputStream(data: Data(body.utf8))
        _ = try await routing.makeSession().data(for: request)
        #expect(try await mock.requests.first?.text == body)
    }

    @Test(arguments: [
        ("HEAD", 200, ""), ("GET", 204, ""), ("GET", 304, ""), ("GET", 404, "none"), ("GET", 500, "broken"),
        ("GET", 301, "no location"), ("DELETE", 200, "gone"),
    ])
    func eachStatusIsAnAnswer(method: String, status: Int, body: String) async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub(.any("/x"), .text(method == "HEAD" ? "hidden" : body, status: status))
        var request = URLRequest(url: try url("https://api.example.com/x"))
        request.httpMethod = method
        let (data, response) = try await routing.makeSession().data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == status)
        #expect(String(decoding: data, as: UTF8.self) == body)
    }

    @Test func aLongBodyComesWhole() async throws {
        let routing = try MockRouting("api.example.com")
        let text = String(repeating: "lorem ipsum ", count: 100_000)
        try await mock.stub(.get("/long"), .text(text))
        try await mock.stub(.get("/dribbled"), .text(text).dribble(chunks: 20, over: .milliseconds(50)))
        for path in ["long", "dribbled"] {
            let (data, _) = try await routing.makeSession().data(from: try url("https://api.example.com/\(path)"))
            #expect(data.count == text.utf8.count)
        }
    }

    @Test func completionHandlersAndDelegatesAreCalled() async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub(.get("/x"), .text("body"))
        let target = try url("https://api.example.com/x")
        let text = await withCheckedContinuation { continuation in
            routing.makeSession().dataTask(with: target) { data, _, error in
                continuation.resume(returning: data.map { String(decoding: $0, as: UTF8.self) } ?? "\(error as Any)")
            }.resume()
        }
        #expect(text == "body")
        let recorder = Recorder()
        let session = URLSession(configuration: routing.makeConfiguration(), delegate: recorder, delegateQueue: nil)
        let told = await withCheckedContinuation { continuation in
            recorder.onEnd.withLock { $0 = { continuation.resume(returning: $0) } }
            session.dataTask(with: target).resume()
        }
        #expect(told == ["response 200", "data body", "end nil"])
    }

    @Test func aTaskThatIsNotResumedSendsNothing() async throws {
        let routing = try MockRouting("api.example.com")
        let task = routing.makeSession().dataTask(with: try url("https://api.example.com/x"))
        #expect(task.state == .suspended)
        #expect(try await mock.requests.isEmpty)
        #expect(routing.requests.isEmpty)
    }

    @Test func cookiesAreKeptAndSent() async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub(
            .get("/login"), .status(204).header("Set-Cookie", "id=7; Path=/", "theme=dark; Path=/; Max-Age=3600"))
        try await mock.stub(.get("/me"), .text("me"))
        let session = routing.makeSession()
        _ = try await session.data(from: try url("https://api.example.com/login"))
        _ = try await session.data(from: try url("https://api.example.com/me"))
        let last = try #require(try await mock.requests.last)
        #expect(last.cookie("id") == "7")
        #expect(last.cookie("theme") == "dark")
    }

    // MARK: Hosts

    @Test(arguments: [
        ("api.example.com", "https://API.example.com/x", true), ("api.example.com", "https://example.com/x", false),
        ("*.example.com", "https://a.b.example.com/x", true), ("*.example.com", "https://example.com/x", false),
        ("*", "https://anything/x", true), ("localhost:3000", "http://localhost:3000/x", true),
        ("localhost:3000", "http://localhost:3001/x", false), ("api.example.com:443", "https://api.example.com", true),
        ("[::1]", "http://[::1]:8080/", true), ("*", "ftp://anything/x", false), ("*", "file:///etc/hosts", false),
    ])
    func theRoutedHostsAreTaken(host: String, url: String, isTaken: Bool) throws {
        let routing = try MockRouting(host, others: .passThrough)
        let request = URLRequest(url: try self.url(url))
        let loader = try #require(routing.makeConfiguration().protocolClasses?.first as? URLProtocol.Type)
        #expect(loader.canInit(with: request) == isTaken)
    }

    @Test(arguments: ["", "https://api.example.com/v1", "a b", "a/b", "api.example.com:port", "*.", "api.*.com"])
    func whatIsNoHostIsRefused(text: String) throws {
        let error = #expect(throws: MockServerError.self) { try MockRouting(text) }
        #expect(error?.message.contains("is no host; expected one such as api.example.com") == true)
    }

    @Test func aURLInPlaceOfAHostIsExplained() throws {
        let error = #expect(throws: MockServerError.self) { try MockRouting("https://api.example.com/v1") }
        #expect(error?.message.hasSuffix("did you mean \"api.example.com\"?") == true)
    }

    /// A second server stands for the real network.
    @Test func otherHostsGoToTheRealNetworkIfTheTestSaysSo() async throws {
        let routing = try MockRouting("api.example.com", others: .passThrough)
        try await mock.stub(.get("/x"), .text("faked"))
        try await withMockServer { real in
            try await real.stub(.get("/x"), .text("real"))
            let session = routing.makeSession()
            #expect(try await real.url.get("x", session: session).text == "real")
            let (data, _) = try await session.data(from: try url("http://api.example.com/x"))
            #expect(String(decoding: data, as: UTF8.self) == "faked")
        }
        #expect(try await mock.requests.count == 1)
    }

    @Test func theMockServersOwnURLIsNotRefused() async throws {
        try await mock.stub(.get("/x"), .text("own"))
        let routing = try MockRouting("api.example.com")
        #expect(try await mock.url.get("x", session: routing.makeSession()).text == "own")
    }

    @Test func otherHostsAreRefused() async throws {
        let line = #line + 3
        try await withKnownIssue {
            try await withMockServer { mock in
                let routing = try MockRouting("api.example.com", to: mock)
                let error = await #expect(throws: MockRouting.Refusal.self) {
                    try await routing.makeSession().data(from: url("http://other.example.com/x"))
                }
                #expect(error?.request == "GET http://other.example.com/x")
            }
        } matching: { issue in
            issue.sourceLocation?.line == line && issue.comments.contains { $0.rawValue.contains("are refused") }
        }
    }

    // MARK: Side by side

    @Test(arguments: 0..<40) func routingsOfTestsSideBySideDoNotSeeEachOther(number: Int) async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub(.get("/who"), .text("\(number)"))
        let session = routing.makeSession()
        for _ in 0..<5 {
            let (data, _) = try await session.data(from: try url("https://api.example.com/who"))
            #expect(String(decoding: data, as: UTF8.self) == "\(number)")
        }
        #expect(try await mock.requests.count == 5)
    }

    @Test func aHundredRequestsOfOneSessionAtOnce() async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub(.get("/n/{n}"), .template("{{request.path.n}}"))
        let session = routing.makeSession()
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                let target = try url("https://api.example.com/n/\(number)")
                group.addTask {
                    let (data, _) = try await session.data(from: target)
                    return String(decoding: data, as: UTF8.self) == "\(number)"
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(answers == 100)
    }

    @Test func aRoutingEndsWithItsTest() async throws {
        let session = try await withMockServer { mock in try MockRouting("api.example.com", to: mock).makeSession() }
        let error = await #expect(throws: MockRouting.Refusal.self) {
            try await session.data(from: url("https://api.example.com/x"))
        }
        #expect(error?.reason == MockRouting.Refusal.ended)
    }
}

private final class Recorder: NSObject, URLSessionDataDelegate, Sendable {
    private let told = Locked<[String]>([])
    let onEnd = Locked<@Sendable ([String]) -> Void>({ _ in })

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        told.withLock { $0.append("response \((response as? HTTPURLResponse)?.statusCode ?? 0)") }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        told.withLock { $0.append("data \(String(decoding: data, as: UTF8.self))") }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        told.withLock { $0.append("end \(error.map { "\($0)" } ?? "nil")") }
        onEnd.withLock { $0 }(told.value)
    }
}
