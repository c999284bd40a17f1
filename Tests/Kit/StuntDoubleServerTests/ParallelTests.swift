import Foundation
import StuntDoubleServer
import StuntDoubleTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Many tests at the same time on one launched server, all with other answers to the same requests. Half of them block
/// their threads while they wait.
@Suite(.mockServer) struct ParallelLaunchedTests {
    @Test(arguments: 0..<500) func eachTestHasItsOwnAnswers(number: Int) async throws {
        try await SameRequests(mock: mock, number: number).run()
    }
}

/// The same on one server within this process.
@Suite(.mockServer { try await MockServer.embedded() }) struct ParallelEmbeddedTests {
    @Test(arguments: 0..<500) func eachTestHasItsOwnAnswers(number: Int) async throws {
        try await SameRequests(mock: mock, number: number).run()
    }
}

/// What each of the tests does.
private struct SameRequests {
    let mock: MockServer
    let number: Int

    func run() async throws {
        try await mock.stub(.get("/user"), .json(["name": "user \(number)"]))
        try await mock.stub(.get("/order"), .status(503), .json(["order": number], status: 201))

        #expect(try await ask("/user") == #"200 {"name":"user \#(number)"}"#)
        #expect(try await ask("/order") == "503 ")
        #expect(try await ask("/order") == #"201 {"order":\#(number)}"#)
        try await mock.verify(.get("/user"), .exactly(1))
        try await mock.verify(.get("/order"), .exactly(2))
        #expect(try await mock.requests.count == 3)
        guard number.isMultiple(of: 10) else { return }
        try await mock.handle(.get("/handled")) { _ in .text("by \(number)") }
        #expect(try await ask("/handled") == "200 by \(number)")
    }

    private func ask(_ path: String) async throws -> String {
        if number.isMultiple(of: 2) { return BlockingClient.get(mock.url.appending(path: path)) }
        let (data, response) = try await URLSession.shared.data(from: mock.url.appending(path: path))
        return "\((response as? HTTPURLResponse)?.statusCode ?? 0) \(String(decoding: data, as: UTF8.self))"
    }
}
