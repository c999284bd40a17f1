import SDHTTPTransport
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// What came over an encrypted connection is known as that to matchers and to the journal, as WireMock knows it.
@Suite struct SecureRequestTests {
    private func session() throws -> Session {
        let session = Session()
        for scheme in ["http", "https"] {
            var mapping = StubMapping(name: scheme)
            mapping.request.url = .url("/a?b=c")
            mapping.request.scheme = scheme
            try session.add(mapping)
        }
        return session
    }

    @Test func theSchemeOfAnEncryptedConnectionIsHTTPS() throws {
        let session = try session()
        func listen(_ server: Server) throws -> UInt16 { try server.listenByXOR(seed: 1) }
        let server = try TestServer(limits: ServerLimits(), listen: listen) { session.serve($0, reply: $1) }
        for host in ["mock.test", "mock.test:8443", "mock.test:443"] {
            let client = try XORClient(port: server.port, seed: 1)
            try client.send("GET /a?b=c HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
            #expect(try client.receiveAll().text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
        let events = Array(session.events.reversed())
        #expect(events.map { $0.stub?.name } == ["https", "https", "https"])
        let logged = events.map { LoggedRequest($0) }
        #expect(
            logged.map(\.absoluteURL) == [
                "https://mock.test/a?b=c", "https://mock.test:8443/a?b=c", "https://mock.test/a?b=c",
            ])
        #expect(logged.map(\.port) == [443, 8443, 443])
        #expect(logged.map(\.scheme) == ["https", "https", "https"])
    }

    @Test(arguments: ["HTTP/1.0", "HTTP/1.1"])
    func aPlainConnectionIsHTTPInItsVersion(version: String) throws {
        let session = try session()
        let server = try TestServer(limits: ServerLimits()) { session.serve($0, reply: $1) }
        let client = try server.client()
        try client.send("GET /a?b=c \(version)\r\nHost: mock.test:443\r\n\r\n")
        #expect(client.receive(until: "\r\n").text == "HTTP/1.1 200 OK\r\n")
        let event = try #require(session.events.first)
        #expect(event.stub?.name == "http")
        let logged = LoggedRequest(event)
        #expect(logged.httpVersion == version)
        #expect(logged.scheme == "http")
        #expect(logged.absoluteURL == "http://mock.test:443/a?b=c")
    }

    /// A client that sends to a proxy names the whole URL. So does the Swift kit for a host that it routes here.
    @Test(
        arguments: [
            ("https://api.test/a?b=c", "https", 443), ("HTTPS://api.test/a?b=c", "https", 443),
            ("https://api.test:8443/a?b=c", "https", 8443), ("http://api.test/a?b=c", "http", 80),
            ("http://https:443/a?b=c", "http", 443),
        ])
    func anAbsoluteTargetSaysTheScheme(target: String, scheme: String, port: Int) throws {
        let session = try session()
        let server = try TestServer(limits: ServerLimits()) { session.serve($0, reply: $1) }
        let client = try server.client()
        try client.send("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        #expect(client.receive(until: "\r\n").text == "HTTP/1.1 200 OK\r\n")
        let event = try #require(session.events.first)
        #expect(event.stub?.name == scheme)
        let logged = LoggedRequest(event)
        #expect(logged.scheme == scheme)
        #expect(logged.port == port)
        #expect(logged.absoluteURL == target.replacing("HTTPS", with: "https"))
    }
}
