import Foundation
import StuntDoubleTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTPS as code under test sees it.
@Suite(.mockServer(https: true)) struct HTTPSTests {
    @Test func eachTestHasABaseURLForHTTPS() async throws {
        let (https, plain) = (try #require(try mock.httpsURL), try mock.url)
        #expect(https.scheme == "https")
        #expect(https.host() == plain.host())
        #expect(https.port == plain.port)
        let certificate = try await mock.certificateAuthority()
        #expect(certificate.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
    }

    /// Where the system does not trust the authority, the session of Darwin does, and that of Linux says what to do.
    @Test func aSessionTrustsTheServer() async throws {
        try await mock.stub("/me", .json(["name": "Ada"]))
        let https = try #require(try mock.httpsURL)
        #if canImport(FoundationNetworking)
            let session: URLSession
            do {
                session = try await mock.makeURLSession()
            } catch let error as MockServerError {
                #expect(error.message.contains("stuntdouble ca --install"))
                return
            }
        #else
            let session = try await mock.makeURLSession()
        #endif
        let (data, _) = try await session.data(from: https.appendingPathComponent("me"))
        #expect(String(decoding: data, as: UTF8.self) == #"{"name":"Ada"}"#)
        try await mock.verify(.get("/me"), .exactly(1))
        #expect(try await mock.lastRequest()?.url.scheme == "https")
    }

    @Test func routedRequestsNeedNoCertificate() async throws {
        try await mock.stub("https://api.example.com/me", .json(["name": "Ada"]))
        try await mock.stub("http://api.example.com/me", .status(403))
        let session = try MockRouting("api.example.com").makeSession()

        let (data, response) = try await session.data(from: try #require(URL(string: "https://api.example.com/me")))

        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(String(decoding: data, as: UTF8.self) == #"{"name":"Ada"}"#)
        try await mock.verify(.get("https://api.example.com/me"), .exactly(1))
    }

    @Test func aRoutingLetsTheServersOwnURLsPass() async throws {
        try await mock.stub("/me", .text("here"))
        let session = try MockRouting("api.example.com").makeSession()
        // What the system makes of the certificate does not matter: the request is not refused by the routing.
        let url = try #require(try mock.httpsURL).appendingPathComponent("me")
        let result = await Result.of { try await session.data(from: url) }
        if case .failure(let error) = result { #expect(error is URLError) }
    }
}

@Suite(.mockServer) struct NoHTTPSTests {
    @Test func withoutHTTPSThereIsNoSuchURL() async throws {
        #expect(try mock.httpsURL == nil)
        await #expect(throws: MockServerError.self) { try await mock.makeURLSession() }
        await #expect(throws: MockServerError.self) { try await mock.certificateAuthority() }
    }
}

extension Result where Failure == any Error {
    fileprivate static func of(_ body: () async throws -> Success) async -> Self {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}
