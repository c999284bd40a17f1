import Foundation
import StuntDoubleTesting
import XCTest

/// A test case of XCTest with a mock server for each test.
final class XCTestCaseTests: XCTestCase {
    private var shared: MockServer?

    override func setUp() async throws {
        shared = try await mockServer(mocks: "Mocks")
    }

    func testAServerOfSetUpHasTheStubsOfItsFolder() async throws {
        let mock = try XCTUnwrap(shared)
        let answer = try await mock.url.get("greeting")
        XCTAssertEqual(answer.text, "hello")
    }

    func testATestHasItsOwnServer() async throws {
        let mock = try await mockServer()
        try await mock.stub(.get("/who"), .text("first"))
        try mock.expect(.get("/who"), .exactly(1))
        let answer = try await mock.url.get("who")
        XCTAssertEqual(answer.text, "first")
        XCTAssertNotEqual(mock.url, shared?.url)
    }

    func testAPartOfATestHasItsOwnServer() async throws {
        let text = try await withMockServer { mock in
            try await mock.stub(.get("/who"), .text("second"))
            return try await mock.url.get("who").text
        }
        XCTAssertEqual(text, "second")
    }

    func testTheServerOfTheTaskIsKnownWithinAPart() async throws {
        try await withMockServer { server in
            let url = try mock.url
            XCTAssertEqual(url, server.url)
        }
    }
}

/// Failing on purpose, in a process that `FrameworkTests` starts; in any other they do nothing.
final class FailingXCTests: XCTestCase {
    func testUnmatchedRequest() async throws {
        guard ChildRun.isChild else { return }
        let mock = try await mockServer()  // FAILS: unmatched
        _ = try await mock.url.get("nothing")
    }

    func testUnmetExpectation() async throws {
        guard ChildRun.isChild else { return }
        let mock = try await mockServer()
        try mock.expect(.post("/orders"))  // FAILS: unmet
    }

    func testVerify() async throws {
        guard ChildRun.isChild else { return }
        let mock = try await mockServer()
        try await mock.verify(.get("/verified"))  // FAILS: verify
    }

    func testPart() async throws {
        guard ChildRun.isChild else { return }
        try await withMockServer { mock in  // FAILS: part
            _ = try await mock.url.get("part")
        }
    }
}
