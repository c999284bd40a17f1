import Foundation
import StuntDoubleTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Helpers of tests hand on the place of their caller.
@Suite struct SourceLocationTests {
    /// A check of a test's own, which fails at the line that calls it.
    struct Check: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (MockServer, SourceLocation) async throws -> Void
    }

    static let checks = [
        Check(testDescription: "verify") { try await $0.verify(.get("/a"), .once, sourceLocation: $1) },
        Check(testDescription: "verifyInOrder") {
            try await $0.verifyInOrder(.get("/a"), .get("/b"), sourceLocation: $1)
        },
        Check(testDescription: "verifyNoUnmatched") { mock, place in
            _ = try await mock.url.get("nothing")
            try await mock.verifyNoUnmatched(sourceLocation: place)
        },
        Check(testDescription: "expect") { try $0.expect(.get("/a"), sourceLocation: $1) },
        Check(testDescription: "handle") { mock, place in
            try await mock.handle(.get("/x"), sourceLocation: place) { _ in throw MockServerError("no") }
            _ = try await mock.url.get("x")
        },
        Check(testDescription: "waitForRequests") {
            try await $0.gate("a").waitForRequests(within: .milliseconds(1), sourceLocation: $1)
        },
        Check(testDescription: "release") {
            try await $0.gate("a").release(within: .milliseconds(1), sourceLocation: $1)
        },
        Check(testDescription: "fail") {
            try await $0.gate("a").fail(within: .milliseconds(1), sourceLocation: $1)
        },
        Check(testDescription: "push") {
            try await $0.stream("a").push(.event(data: "x"), within: .milliseconds(1), sourceLocation: $1)
        },
        Check(testDescription: "waitForReaders") {
            try await $0.stream("a").waitForReaders(within: .milliseconds(1), sourceLocation: $1)
        },
        Check(testDescription: "routing") { mock, place in
            let routing = try MockRouting("a.example", to: mock, others: .refused, sourceLocation: place)
            let url = try #require(URL(string: "http://b.example/"))
            _ = try? await routing.makeSession().data(from: url)
        },
        Check(testDescription: "completion") { _, place in
            let body: (@escaping @Sendable (Int) -> Void) -> Void = { _ in }
            _ = try await completion(within: .milliseconds(1), sourceLocation: place, body)
        },
        Check(testDescription: "expectURLError") { _, place in
            try await expectURLError(.timedOut, sourceLocation: place) {}
        },
        Check(testDescription: "withMockServer") { _, place in
            try await withMockServer(sourceLocation: place) { _ = try await $0.url.get("nothing") }
        },
    ]

    @Test(arguments: checks) func aFailureIsAtThePlaceThatIsGiven(check: Check) async throws {
        let place = SourceLocation(fileID: "A/B.swift", filePath: "/A/B.swift", line: 7, column: 3)
        try await withKnownIssue {
            try await withMockServer(unmatched: .allowed) { mock in try await check.run(mock, place) }
        } matching: { issue in
            issue.sourceLocation?.fileID == "A/B.swift" && issue.sourceLocation?.line == 7
        }
    }

    @Test func aHelperFailsAtTheLineThatCallsIt() async throws {
        let line = Locked(0)
        try await withKnownIssue {
            try await withMockServer { mock in
                line.withLock { $0 = #line + 1 }
                try await expectOneOrder(of: mock)
            }
        } matching: { issue in
            issue.sourceLocation?.line == line.value
        }
    }
}

func expectOneOrder(of mock: MockServer, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await mock.verify(.post("/orders"), .once, sourceLocation: sourceLocation)
}
