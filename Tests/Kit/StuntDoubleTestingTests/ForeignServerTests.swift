import Foundation
import Testing

@testable import StuntDoubleTesting

/// What is at the URL of a running server in place of one of ours is told, in a few words.
@Suite struct ForeignServerTests {
    struct Stranger: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What it says: to each path, or to all others without one.
        let answers: [String: String]
        /// What is told of it, after its address.
        let words: String
    }

    private static func json(_ text: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n" + text
    }

    private static let nothing = "HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n"
    private static let page = """
        HTTP/1.1 404 Not Found\r\nServer: nginx/1.27\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n\
        <html>\(String(repeating: "<p>not found</p>\n", count: 100))</html>
        """

    static let strangers = [
        Stranger(
            testDescription: "WireMock 3",
            answers: [
                "": nothing,
                "/__admin/health": json(
                    #"{"status":"healthy","message":"Wiremock is ok","version":"3.13.2","uptimeInSeconds":12}"#),
            ], words: "is WireMock 3.13.2, not Stunt Double"),
        Stranger(
            testDescription: "WireMock 2",
            answers: ["": nothing, "/__admin/mappings": json(#"{"mappings":[],"meta":{"total":0}}"#)],
            words: "is WireMock, not Stunt Double"),
        Stranger(
            testDescription: "a server of pages", answers: ["": page],
            words: "answers, but is no mock server: GET /__admin/health got 404 of nginx/1.27"),
        Stranger(
            testDescription: "a server of JSON", answers: ["": json(#"{"message":"hello"}"#)],
            words: "answers, but is no mock server: GET /__admin/health got 200"),
        Stranger(
            testDescription: "a server that is none of HTTP", answers: ["": "SSH-2.0-OpenSSH_9.2\r\n"],
            words: "answers, but is no HTTP server"),
        Stranger(testDescription: "a server that says nothing", answers: ["": ""], words: "without an answer"),
    ]

    @Test(arguments: strangers) func aServerThatIsNotOursIsToldWhatItIs(stranger: Stranger) async throws {
        let server = try CannedServer(stranger.answers)
        let place = "127.0.0.1:\(server.port)"
        let told = try #require(await MockServer(url: server.url).foreignServerAtURL())
        #expect(told.contains(place) && told.contains(stranger.words), "\(told)")
        #expect(!told.contains("\n") && told.count < 200, "\(told)")
        let error = await #expect(throws: MockServerError.self) {
            try await MockServer(url: server.url).makeSession()
        }
        let message = try #require(error?.message)
        #expect(message.contains(place) && message.contains(stranger.words), "\(message)")
        #expect(!message.contains("\n") && message.count < 250, "\(message)")
    }

    @Test func whereNothingListensThatIsTold() async throws {
        let port = try CannedServer([:]).port
        let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
        // The port is free again once its listener has ended.
        var told: String?
        let deadline = ContinuousClock.now + .seconds(300)
        while told?.contains("nothing answers at 127.0.0.1:\(port)") != true, .now < deadline {
            told = await MockServer(url: url).foreignServerAtURL()
        }
        #expect(told?.contains("nothing answers at 127.0.0.1:\(port)") == true)
    }

    @Test func oneOfOursIsNoStranger() async throws {
        try await withMockServer { mock in
            #expect(await MockServer(url: mock.url).foreignServerAtURL() == nil)
        }
        let locked = try await MockServer.launch(arguments: ["--admin-token", "s3cret"])
        // It does not tell what it is; its refusal of the next call says what is missing.
        #expect(await MockServer(url: locked.url).foreignServerAtURL() == nil)
        try await locked.end()
    }

    /// A call that WireMock has and one that it lacks, of a client without sessions.
    @Test func aCallThatWireMockLacksIsToldWithWhatItIs() async throws {
        let server = try CannedServer(Self.strangers[0].answers)
        let mock = MockServer(url: server.url)
        let error = await #expect(throws: MockServerError.self) { try await mock.verify(.get("/a"), .never) }
        #expect(error?.message.contains("is WireMock 3.13.2") == true, "\(String(describing: error))")
        #expect(error?.status == 404)
    }

    #if os(Linux)
        @Test(.timeLimit(.minutes(30)), arguments: [0, 2]) func testsThatAreLedToAStrangerSayItShortly(index: Int)
            async throws
        {
            let server = try CannedServer(Self.strangers[index].answers)
            let run = try await ChildRun(
                ["--testing-library", "swift-testing", "--filter", "StuntDoubleTestingTests.ConnectedTests"],
                environment: [MockServer.urlVariable: server.url.absoluteString])
            #expect(run.status == 1)
            let words = "http://127.0.0.1:\(server.port) \(Self.strangers[index].words)"
            #expect(run.output.contains(words), "\(run.output)")
            #expect(run.output.contains("unset STUNTDOUBLE_URL"), "\(run.output)")
            #expect(!run.output.contains("<p>"), "\(run.output)")
            #expect(run.output.split(separator: "\n").count < 40, "\(run.output)")
        }
    #endif
}
