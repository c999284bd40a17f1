import Foundation
import SDStubModel
import Testing

@testable import StuntDoubleTesting

/// Errors of calls point to the line of the test that makes them.
@Suite struct CallSiteTests {
    struct Call: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let line: Int
        let run: @Sendable (MockServer) async throws -> Void

        init(_ name: String, line: Int = #line, _ run: @escaping @Sendable (MockServer) async throws -> Void) {
            (testDescription, self.line, self.run) = (name, line, run)
        }
    }

    /// A stub that the server refuses.
    private static let refused = Stub(
        SDStubModel.StubMapping(request: Stub.Request.any.header("A", .matching("[a-")).model))

    static let calls = [
        Call("stub, what cannot be sent") { try await $0.stub(.get("orders"), .status(200)) },
        Call("stub, what is refused") { try await $0.stub(.get("/a").header("A", .matching("[a-")), .status(200)) },
        Call("stub, a value") { try await $0.stub(refused) },
        Call("stub, a list") { try await $0.stub([refused]) },
        Call("replaceStub") { try await $0.replaceStub(UUID(), with: Stub(.any, .status(200))) },
        Call("removeStub") { try await $0.removeStub(UUID()) },
        Call("handle") { try await $0.handle(.get("orders")) { _ in .status(200) } },
        Call("addFault, on what is none") { try await $0.addFault(.connectionReset, on: .get("orders")) },
        Call("addFault, what cannot be") { try await $0.addFault(.bandwidth(.bytes(0))) },
        Call("addFault, of a port") { try await $0.addFault(port: .refuseNext(-1)) },
        Call("addFault, of TLS") { try await $0.addFault(tls: .expired, serverName: "a b") },
        Call("addFault, of HTTP/2") { try await $0.addFault(http2: .garbage, serverName: "a b") },
        Call("switchOn") { try await $0.switchOn(faultSet: "none") },
        Call("load, a folder") { try await $0.load(folder: "none") },
        Call("load, a bundle") { try await $0.load(bundle: .main, folder: "none") },
        Call("load, an archive") { try await $0.load(har: "none.har") },
        Call("record") { try await $0.record(to: "none", from: $0.url, mode: .replay) {} },
        Call("passThrough, to a URL") { try await $0.passThrough(to: URL(string: "ftp://a")) },
        Call("passThrough, of a host") { try await $0.passThrough(host: "a b") },
        Call("changeSettings") { try await $0.changeSettings { try $0.set("none", to: 1) } },
        Call("setState") { try await $0.setState("a", ofScenario: "none") },
        Call("callAdmin") { try await $0.callAdmin("GET", "/none") },
        Call("verify") { try await $0.verify(.get("orders"), .never) },
        Call("verifyInOrder") { try await $0.verifyInOrder(.get("orders"), .get("/a")) },
        Call("expect") { try $0.expect(.get("orders")) },
        Call("release") { try await $0.gate("a").release(with: .status(0), within: .zero) },
    ]

    @Test(arguments: calls) func anErrorHasThePlaceOfItsCall(call: Call) async throws {
        try await withMockServer { mock in
            let error = try #require(await #expect(throws: (any Error).self) { try await call.run(mock) })
            let place = try #require((error as? any CallSiteError)?.place, "\(error)")
            #expect((place.filePath, place.line) == (#filePath, call.line))
            let text = "\(error)"
            #expect(text.hasPrefix("StuntDoubleTestingTests/CallSiteTests.swift:\(call.line):"), "\(text)")
        }
    }

    /// Each with a place that it is given.
    private static let helpers: [@Sendable (MockServer, SourceLocation) async throws -> Void] = [
        { try await $0.stub(.get("orders"), .status(200), sourceLocation: $1) },
        { try await $0.stub(refused, sourceLocation: $1) },
        { try await $0.stub([refused], sourceLocation: $1) },
        { try await $0.replaceStub(UUID(), with: Stub(.any, .status(200)), sourceLocation: $1) },
        { try await $0.addFault(.connectionReset, on: .get("orders"), sourceLocation: $1) },
        { try await $0.load(folder: "none", sourceLocation: $1) },
        { try await $0.callAdmin("GET", "/none", sourceLocation: $1) },
    ]

    @Test(arguments: helpers.indices) func aHelperSaysThePlace(index: Int) async throws {
        let place = SourceLocation(fileID: "A/B.swift", filePath: "/A/B.swift", line: 7, column: 3)
        try await withMockServer { mock in
            let error = await #expect(throws: (any Error).self) { try await Self.helpers[index](mock, place) }
            #expect((error as? any CallSiteError)?.place == CallSite(place), "\(error as Any)")
        }
    }

    @Test func errorsOfDifferentPlacesAreEqual() {
        let error = MockServerError("no", call: "GET /__admin/a", status: 404)
        #expect(error == error.placed(at: CallSite()))
        #expect(Set([error, error.placed(at: CallSite())]).count == 1)
        #expect("\(error)" == "GET /__admin/a was refused with 404: no")
        #expect(Stub.Problem("no") == Stub.Problem("no").placed(at: CallSite()))
        // The innermost place is that of the call.
        #expect(error.placed(at: CallSite(line: 1)).placed(at: CallSite(line: 2)).callSite?.line == 1)
    }

    @Test(.mockServer) func anErrorThatIsExpectedIsNoIssue() async throws {
        let mock = try mock
        await #expect(throws: Stub.Problem.self) { try await mock.stub(.get("orders"), .status(200)) }
        await #expect(throws: MockServerError.self) { try await mock.removeStub(UUID()) }
    }

    // Each of these fails with one issue, which the trait around it looks at.

    @Test(.failsOnce(below: 2, "a path must start with /"), .mockServer)
    func aProblemOfAStubStandsAtItsLine() async throws {
        try await mock.stub(.get("orders"), .status(200))
    }

    @Test(.failsOnce(below: 2, "was refused with 404"), .mockServer)
    func aRefusalStandsAtItsLine() async throws {
        try await mock.removeStub(UUID())
    }

    @Test(.failsOnce(below: 2, "was refused with 404"), .mockServer)
    func anErrorOfAChildTaskStandsAtItsLine() async throws {
        async let removal: Void = mock.removeStub(UUID())
        try await removal
    }

    @Test(.failsOnce(below: 4, "expected GET /a at least once"), .mockServer)
    func whatIsThrownOfAServerWithoutAReporterStandsAtItsLine() async throws {
        try await mock.stub(.any, .status(200))
        let mock = try mock.reporting(to: nil)
        try await mock.verify(.get("/a"))
    }

    @Suite(.mockServer) struct Outer {
        @Test(.failsOnce(below: 2, "was refused with 404", isOutermost: false), .mockServer(seed: 1))
        func anErrorPassesATraitWithinAnother() async throws {
            try await mock.removeStub(UUID())
        }
    }
}

/// Expects that a test fails with one issue, at a line of its file; or, within the trait of the mock server, throws.
struct FailsOnce: TestTrait, TestScoping {
    /// The number of lines below that of `@Test`.
    let below: Int
    let text: String
    let isOutermost: Bool

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let line = test.sourceLocation.line + below
        if !isOutermost {
            let error = await #expect(throws: MockServerError.self) { try await function() }
            #expect(error?.callSite?.line == line && "\(error as Any)".contains(text))
            return
        }
        let issues = Locked<[String]>([])
        try await withKnownIssue {
            try await function()
        } matching: { issue in
            let words = (issue.error.map { "\($0)" } ?? "") + issue.comments.map(\.rawValue).joined()
            issues.withLock { $0.append("\(issue.sourceLocation?.line ?? 0): \(words)") }
            return true
        }
        #expect(issues.value.count == 1 && issues.value[0].hasPrefix("\(line): "), "\(issues.value)")
        #expect(issues.value[0].contains(text), "\(issues.value)")
    }
}

extension Trait where Self == FailsOnce {
    static func failsOnce(below: Int, _ text: String, isOutermost: Bool = true) -> Self {
        FailsOnce(below: below, text: text, isOutermost: isOutermost)
    }
}
