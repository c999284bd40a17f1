import Foundation
import StuntDoubleTesting
import Testing
import XCTest

/// `mock` is the server of the innermost `withMockServer`, or else that of the test.
@Suite struct CurrentServerTests {
    @Test func mockIsTheServerOfWithMockServer() async throws {
        #expect(throws: MockServerError.self) { try mock }
        try await withMockServer { server in
            let current = try mock
            #expect(current === server)
        }
    }

    @Test(.mockServer) func mockIsTheInnermostServer() async throws {
        let outer = try mock
        try await withMockServer { server in
            #expect(try mock.url == server.url)
            try await withMockServer { inner in
                let current = try mock
                #expect(current === inner)
            }
            #expect(try mock.url == server.url)
            // What is expected of it is of its own scope.
            try mock.expect(.get("/late"), .never)
            try await mock.stub(.get("/a"), .text("inner"))
            #expect(try await server.url.get("a").text == "inner")
        }
        #expect(try mock === outer)
    }

    @Test @MainActor func mockIsTheServerOnTheMainActor() async throws {
        try await withMockServer { server in
            let current = try mock
            #expect(current === server)
        }
    }

    @Test(.mockServer) func mockInAHandlerIsTheServerOfItsTest() async throws {
        try await withMockServer { server in
            try await mock.handle(.get("/where")) { _ in .text(try mock.url.absoluteString) }
            #expect(try await mock.url.get("where").text == server.url.absoluteString)
        }
    }
}

final class CurrentServerXCTests: XCTestCase {
    func testMockIsTheServerOfWithMockServer() async throws {
        try await withMockServer { server in
            XCTAssertEqual(try mock.url, server.url)
        }
    }
}
