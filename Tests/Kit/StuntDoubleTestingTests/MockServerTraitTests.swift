import Foundation
import Testing

@testable import StuntDoubleTesting

/// Each test has a session of its own: all of these stub the same path, at the same time.
@Suite(.mockServer) struct MockServerTraitTests {
    @Test func aTestSeesItsOwnStub() async throws {
        try await mock.stub(.get("/who"), .text("first"))
        #expect(try await mock.url.get("who").text == "first")
        #expect(try await mock.requests.map(\.target) == ["/who"])
    }

    @Test func anotherTestSeesItsOwn() async throws {
        try await mock.stub(.get("/who"), .text("second"))
        #expect(try await mock.url.get("who").text == "second")
        #expect(try await mock.requests.count == 1)
    }

    @Test(arguments: 0..<30) func eachCaseOfATestHasItsOwn(number: Int) async throws {
        try await mock.stub(.get("/who"), .text("case \(number)"))
        #expect(try await mock.url.get("who").text == "case \(number)")
        #expect(try await mock.requests.count == 1)
    }

    @Test func aSessionHasTheNameAndTheSeedOfItsTest() async throws {
        // Without the line, so that the seed stays when a test moves in its file.
        let name = "StuntDoubleTestingTests.MockServerTraitTests/aSessionHasTheNameAndTheSeedOfItsTest()"
        let session = try await mock.callAdmin("GET", "/sessions/\(#require(mock.sessionID))")
        #expect(session["name"]?.stringValue == name)
        #expect(session["seed"]?.intValue == Int(TestScope.seed(of: name)))
    }

    @Test(.mockServer(seed: 7)) func aTestMaySayItsSeed() async throws {
        let session = try await mock.callAdmin("GET", "/sessions/\(#require(mock.sessionID))")
        #expect(session["seed"] == 7)
    }

    @Test func childTasksHaveTheServerOfTheirTest() async throws {
        let outer = try mock.url
        async let inner = mock.url
        #expect(try await inner == outer)
    }

    @Suite struct Inner {
        let url: URL

        init() throws { url = try mock.url }

        @Test func aSuiteWithinASuiteHasItToo() async throws {
            #expect(try mock.url == url)
        }
    }
}

/// What traits of a suite and of a test say together.
@Suite(.mockServer(mocks: "Mocks")) struct MocksFolderTests {
    @Test func testsInheritTheStubsOfTheFolder() async throws {
        #expect(try await mock.url.get("greeting").text == "hello")
    }

    @Test func aChangeIsTheTestsOwn() async throws {
        try await mock.stub(.get("/greeting"), .text("changed"))
        #expect(try await mock.url.get("greeting").text == "changed")
    }

    @Test(.mockServer(unmatched: .allowed)) func aTestRefinesWhatItsSuiteSays() async throws {
        #expect(try await mock.url.get("nowhere").status == 404)
        #expect(try await mock.url.get("greeting").text == "hello")
    }

    @Test(.mockServer(arguments: ["--verbose"])) func aServerOfATestPrecedesThatOfItsSuite() async throws {
        try await mock.stub(.get("/greeting"), .text("no folder"))
        #expect(try await mock.url.get("greeting").text == "no folder")
    }
}

/// A server that the test makes.
@Suite struct MadeServerTests {
    static let made = Locked(0)

    @Suite(
        .mockServer {
            made.withLock { $0 += 1 }
            return try await MockServer.launch()
        }
    )
    struct Two {
        @Test(arguments: 0..<5) func aServerIsMadeOnceForAllOfASuite(number: Int) async throws {
            try await mock.stub(.get("/who"), .text("made"))
            #expect(try await mock.url.get("who").text == "made")
            #expect(made.value == 1)
        }
    }

    private struct NoServer: Error, CustomStringConvertible {
        let description = "no server today"
    }

    @Test(.fails(with: "no server today"), .mockServer { throw NoServer() })
    func aServerThatCannotBeMadeFailsTheTest() {}

    @Test(.fails(with: "there is no folder NoMocks"), .mockServer(mocks: "NoMocks"))
    func aFolderThatDoesNotExistFailsTheTest() {}

    @Test func whereThereIsNoServerTheErrorSaysWhatToDo() {
        let error = #expect(throws: MockServerError.self) { try mock }
        #expect(error?.message.contains("the trait `.mockServer`") == true)
    }
}
