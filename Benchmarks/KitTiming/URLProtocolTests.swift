import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The work of a test with a mock: two paths, one of which answers differently at its second request.
struct ShopTest {
    let session: URLSession
    let base: URL
    let number: Int

    struct Failure: Error {
        let found: String
    }

    func run() async throws {
        try await expect("/user", 200, #"{"name":"user \#(number)"}"#)
        try await expect("/order", 503, "")
        try await expect("/order", 201, #"{"order":\#(number)}"#)
    }

    private func expect(_ path: String, _ status: Int, _ body: String) async throws {
        let (data, response) = try await session.data(from: base.appending(path: path))
        let found = (response as? HTTPURLResponse)?.statusCode
        let text = String(decoding: data, as: UTF8.self)
        guard found == status, text == body else { throw Failure(found: "\(found ?? 0) \(text)") }
    }
}

/// The usual mock of Swift tests: static handlers, and so one test at a time.
final class StaticProtocol: URLProtocol {
    typealias Handler = (URLRequest) -> (status: Int, body: String)
    // Tests that use it run one after another.
    nonisolated(unsafe) static var handler: Handler?

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        guard let url = request.url, let answer = Self.handler?(request),
            let response = HTTPURLResponse(url: url, statusCode: answer.status, httpVersion: nil, headerFields: nil)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(answer.body.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    /// Runs the tests, each with its own handlers.
    static func run(_ count: Int) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StaticProtocol.self]
        let session = URLSession(configuration: configuration)
        guard let base = URL(string: "http://shop.example") else { return }
        for number in 0..<count {
            var orders = 0
            handler = { request in
                guard request.url?.path == "/order" else { return (200, #"{"name":"user \#(number)"}"#) }
                orders += 1
                return orders == 1 ? (503, "") : (201, #"{"order":\#(number)}"#)
            }
            try await ShopTest(session: session, base: base, number: number).run()
        }
    }
}
