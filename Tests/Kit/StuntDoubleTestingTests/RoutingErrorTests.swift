import Foundation
import Testing

@testable import StuntDoubleTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Errors that no server can make, faults that only one can, and what a routing refuses.
@Suite(.mockServer, .timeLimit(.minutes(30))) struct RoutingErrorTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test(arguments: [
        URLError.Code.notConnectedToInternet, .cannotFindHost, .dnsLookupFailed, .timedOut, .secureConnectionFailed,
        .serverCertificateUntrusted, .networkConnectionLost, .dataNotAllowed, .internationalRoamingOff,
    ])
    func aRequestFailsBeforeItReachesAServer(code: URLError.Code) async throws {
        let routing = try MockRouting("api.example.com")
        try routing.fail("https://api.example.com/me", with: code)
        let target = try url("https://api.example.com/me")
        let error = await #expect(throws: URLError.self) { try await routing.makeSession().data(from: target) }
        #expect(error?.code == code)
        #expect(error?.userInfo[NSURLErrorFailingURLErrorKey] as? URL == target)
        #expect(try await mock.requests.isEmpty)
        #expect(routing.requests.map(\.url) == [target])
    }

    @Test func someRequestsFailAndThenTheServerAnswers() async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub(.get("/me"), .text("me"))
        try routing.fail("api.example.com", with: .notConnectedToInternet, times: 2)
        let session = routing.makeSession()
        let target = try url("https://api.example.com/me")
        for _ in 0..<2 {
            await #expect(throws: URLError.self) { try await session.data(from: target) }
        }
        #expect(String(decoding: try await session.data(from: target).0, as: UTF8.self) == "me")
        try routing.fail("*", with: .cannotFindHost)
        await #expect(throws: URLError.self) { try await session.data(from: target) }
        routing.recover()
        #expect(String(decoding: try await session.data(from: target).0, as: UTF8.self) == "me")
    }

    @Test func aHostThatIsNotRoutedMayFail() async throws {
        let routing = try MockRouting("api.example.com")
        try routing.fail("images.example.com", with: .cannotConnectToHost)
        let error = await #expect(throws: URLError.self) {
            try await routing.makeSession().data(from: url("https://images.example.com/1.png"))
        }
        #expect(error?.code == .cannotConnectToHost)
    }

    @Test(arguments: [
        ("api.example.com", "https://api.example.com/a?b=c", true),
        ("api.example.com/a", "https://api.example.com/a?b=c", true),
        ("api.example.com/a?b=c", "https://api.example.com/a?b=c", true),
        ("api.example.com/a?b=d", "https://api.example.com/a?b=c", false),
        ("http://api.example.com/a", "https://api.example.com/a", false),
        ("api.example.com/", "https://api.example.com", true),
        ("api.example.com/v1/*", "https://api.example.com/v1/x/y", true),
        ("api.example.com/v1/*", "https://api.example.com/v2/x", false),
        ("*.example.com/a", "https://api.example.com/a", true),
        ("api.example.com:8443", "https://api.example.com/a", false),
    ])
    func aRuleMatchesItsURLs(rule: String, target: String, isMatch: Bool) throws {
        #expect(try URLRule(rule).matches(#require(RoutedURL(URL(string: target)))) == isMatch)
    }

    @Test(arguments: ["", "/me", "ftp://api.example.com", "https://", "a b/c"])
    func whatIsNoURLIsRefused(text: String) throws {
        let routing = try MockRouting("api.example.com")
        #expect(throws: MockServerError.self) { try routing.fail(text, with: .timedOut) }
    }

    // MARK: Faults of the server

    @Test(arguments: Stub.Fault.Kind.allCases.map(\.rawValue))
    func aFaultOfAStubIsTheErrorThatURLSessionMakesOfIt(name: String) async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub(.mapping(json: "{'request': {'url': '/f'}, 'response': {'fault': '\(name)'}}"))
        let routed = await #expect(throws: URLError.self) {
            try await routing.makeSession().data(from: url("https://api.example.com/f"))
        }
        let plain = await #expect(throws: URLError.self) { try await mock.url.get("f") }
        #expect(routed?.code == plain?.code, "\(name)")
    }

    @Test func aBodyThatIsCutShortIsTheErrorThatURLSessionMakesOfIt() async throws {
        let routing = try MockRouting("api.example.com")
        // What a client has compressed for it is shorter; nothing can be made shorter here.
        let body = (0..<20_000).map { _ in UInt8.random(in: 0...255) }
        try await mock.stub(.get("/f"), .data(body).cut(after: 1_337))
        let routed = await #expect(throws: URLError.self) {
            try await routing.makeSession().data(from: url("https://api.example.com/f"))
        }
        let plain = await #expect(throws: URLError.self) { try await mock.url.get("f") }
        #expect(routed?.code == plain?.code)
    }

    @Test func aRequestThatGetsNoAnswerTimesOut() async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub(.get("/slow"), .text("late").hold("gate"))
        var request = URLRequest(url: try url("https://api.example.com/slow"))
        request.timeoutInterval = 0.2
        let slow = request
        let error = await #expect(throws: URLError.self) { try await routing.makeSession().data(for: slow) }
        #expect(error?.code == .timedOut)
    }

    // MARK: Cancelling

    @Test func aCancelledTaskEndsAtOnce() async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub(.get("/held"), .text("late").hold("gate"))
        let target = try url("https://api.example.com/held")
        let loading = Task { [session = routing.makeSession()] in try await session.data(from: target) }
        _ = try await mock.callAdmin("POST", "/requests/wait", ["pattern": ["url": "/held"], "timeoutMs": 20_000])
        loading.cancel()
        await #expect(throws: (any Error).self) { try await loading.value }
    }

    /// The client of a protocol must not be called for a task that is no longer there.
    @Test func cancellingAtAnyMomentIsSafe() async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub(.get("/x"), .text("x"))
        let target = try url("https://api.example.com/x")
        let session = routing.makeSession()
        var generator = SystemRandomNumberGenerator()
        for round in 0..<20 {
            let ended = Locked(0)
            let tasks = (0..<20).map { _ in
                session.dataTask(with: target) { _, _, _ in ended.withLock { $0 += 1 } }
            }
            for task in tasks {
                task.resume()
                let pause = UInt64.random(in: 0...(UInt64(round) * 100_000), using: &generator)
                Task.detached {
                    try await Task.sleep(nanoseconds: pause)
                    task.cancel()
                }
            }
            while ended.value < tasks.count { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    @Test func aSuspendedTaskIsToldWhenItIsResumed() async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub(.get("/held"), .text("late").hold("gate"))
        let target = try url("https://api.example.com/held")
        let answer = Locked<String?>(nil)
        let task = routing.makeSession().dataTask(with: target) { data, _, _ in
            answer.withLock { $0 = data.map { String(decoding: $0, as: UTF8.self) } }
        }
        task.resume()
        _ = try await mock.callAdmin("POST", "/requests/wait", ["pattern": ["url": "/held"], "timeoutMs": 20_000])
        task.suspend()
        _ = try await mock.callAdmin("POST", "/gates/gate/open")
        _ = try await mock.callAdmin("POST", "/requests/idle", ["quietMs": 50])
        #expect(answer.value == nil)
        task.resume()
        while answer.value == nil { try await Task.sleep(for: .milliseconds(1)) }
        #expect(answer.value == "late")
        #expect(try await mock.requests.count == 1)
    }
}

#if canImport(FoundationNetworking)
    /// What Foundation cannot do on this system fails the test with a reason, and nothing crashes or hangs.
    @Suite struct RoutingRefusalTests {
        private func refused(
            _ reason: String, _ answer: Stub.Answer = .text("x"),
            _ load: @Sendable (URLSession, URL) async throws -> Void
        ) async throws {
            let target = try #require(URL(string: "https://api.example.com/x"))
            let line = Locked(0)
            try await withKnownIssue {
                try await withMockServer(unmatched: .allowed) { mock in
                    try await mock.stub(.any("/x"), answer)
                    line.withLock { $0 = #line + 1 }
                    let routing = try MockRouting("api.example.com", to: mock)
                    let error = await #expect(throws: MockRouting.Refusal.self) {
                        try await load(routing.makeSession(), target)
                    }
                    #expect(error?.reason == reason)
                }
            } matching: { issue in
                issue.sourceLocation?.line == line.value
                    && issue.comments.contains { $0.rawValue.contains(reason) }
            }
        }

        @Test func aDownloadIsRefused() async throws {
            try await refused(MockRouting.Refusal.download) { session, url in _ = try await session.download(from: url)
            }
        }

        @Test func anUploadIsRefused() async throws {
            try await refused(MockRouting.Refusal.upload) { session, url in
                var request = URLRequest(url: url)
                request.httpMethod = "POST"
                _ = try await session.upload(for: request, from: Data("body".utf8))
            }
        }

        @Test func aRedirectIsRefused() async throws {
            try await refused(MockRouting.Refusal.redirect, .redirect(to: "/y")) { session, url in
                _ = try await session.data(from: url)
            }
        }

        @Test func aBasicChallengeIsRefused() async throws {
            let answer = Stub.Answer.status(401).header("WWW-Authenticate", "Basic realm=\"x\"")
            try await refused(MockRouting.Refusal.basicChallenge, answer) { session, url in
                _ = try await session.data(from: url)
            }
        }

        @Test func aBodyInAnUnreadCodingIsRefused() async throws {
            let answer = Stub.Answer.text("not gzip").header("Content-Encoding", "br")
            try await refused(MockRouting.Refusal.coding, answer) { session, url in
                _ = try await session.data(from: url)
            }
        }
    }
#endif
