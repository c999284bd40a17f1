import Foundation
import StuntDoubleTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The client of docs/swift/from-test-urlprotocol.md.
private struct Fetcher {
    enum Failure: Error, Equatable {
        case connection
        case status(Int)
        case data
    }

    var session = URLSession.shared

    func fetch<Value: Decodable>(_ type: Value.Type, from url: URL) async throws(Failure) -> Value {
        let answer: (Data, URLResponse)
        do { answer = try await session.data(from: url) } catch { throw .connection }
        let status = (answer.1 as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw .status(status) }
        do { return try JSONDecoder().decode(type, from: answer.0) } catch { throw .data }
    }
}

private struct Book: Codable, Equatable {
    var title = "On doubles"
}

@Suite(.mockServer) struct TestURLProtocolPageTests {
    @Test func aValueIsDecoded() async throws {
        try await mock.stub(.get("/books/1"), .json(Book()))

        #expect(try await Fetcher().fetch(Book.self, from: mock.url.appending(path: "books/1")) == Book())
    }

    @Test func failuresAreTold() async throws {
        for (answer, failure) in [
            (Stub.Answer.status(503), Fetcher.Failure.status(503)), (.json(raw: "{"), .data),
            (.json(["name": "x"]), .data), (.fault(.connectionReset), .connection),
            (.fault(.emptyResponse), .connection),
        ] {
            try await mock.stub(.get("/books/1"), answer)
            await #expect(throws: failure) {
                try await Fetcher().fetch(Book.self, from: mock.url.appending(path: "books/1"))
            }
        }
    }

    @Test func aHandlerAnswersByCode() async throws {
        try await mock.handle(.get("/books/{number}")) { request in
            .json(Book(title: "Book \(request.path.split(separator: "/").last ?? "")"))
        }

        let book = try await Fetcher().fetch(Book.self, from: mock.url.appending(path: "books/7"))

        #expect(book == Book(title: "Book 7"))
    }
}
