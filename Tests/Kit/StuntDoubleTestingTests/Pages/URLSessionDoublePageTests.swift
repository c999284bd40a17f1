import Foundation
import StuntDoubleTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The client of docs/swift/from-urlsession-doubles.md: completion handlers, and a task that it starts.
private struct HTTPClient {
    var session = URLSession.shared

    func get(_ url: URL, completion: @escaping @Sendable (Result<Data, any Error>) -> Void) {
        let task = session.dataTask(with: url) { data, response, error in
            if let error { return completion(.failure(error)) }
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            completion(200..<300 ~= status ? .success(data ?? Data()) : .failure(URLError(.badServerResponse)))
        }
        task.resume()
    }
}

@Suite(.mockServer) struct URLSessionDoublePageTests {
    @Test func theURLIsRequestedOnce() async throws {
        try await mock.stub(.get("/feed"), .json(["first", "second"]))

        HTTPClient().get(try mock.url.appending(path: "feed")) { _ in }

        try await mock.verify(.get("/feed"), .exactly(1), within: .seconds(20))
        #expect(try await mock.lastRequest()?.target == "/feed")
    }

    @Test func theDataArrive() async throws {
        try await mock.stub(.get("/feed"), .json(["first", "second"]))
        let url = try mock.url.appending(path: "feed")

        let result = try await completion { HTTPClient().get(url, completion: $0) }

        #expect(try JSONDecoder().decode([String].self, from: result.get()) == ["first", "second"])
    }

    @Test func whatTheSessionSaysArrives() async throws {
        try await mock.stub(.get("/feed"), .text("first", status: 203))
        let url = try mock.url.appending(path: "feed")

        let (data, response, error) = try await completion {
            URLSession.shared.dataTask(with: url, completionHandler: $0).resume()
        }

        #expect(data == Data("first".utf8))
        #expect((response as? HTTPURLResponse)?.statusCode == 203)
        #expect(error == nil)
    }

    @Test(arguments: [Stub.Answer.fault(.connectionReset), .status(500), .text("cut").cut(after: 1)])
    func anErrorArrives(answer: Stub.Answer) async throws {
        try await mock.stub(.get("/feed"), answer)
        let url = try mock.url.appending(path: "feed")

        let result = try await completion { HTTPClient().get(url, completion: $0) }

        #expect(throws: URLError.self) { try result.get() }
    }

    @Test func aTaskThatIsNotStartedRequestsNothing() async throws {
        let task = URLSession.shared.dataTask(with: try mock.url.appending(path: "feed"))

        try await mock.verify(.any, .never, within: .milliseconds(200))

        #expect(task.state == .suspended)
    }
}
