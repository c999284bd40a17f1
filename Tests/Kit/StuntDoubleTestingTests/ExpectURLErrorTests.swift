import Foundation
import StuntDoubleTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Errors of URLSession are compared by their code.
@Suite struct ExpectURLErrorTests {
    @Test(.mockServer) func anErrorOfASessionIsEqualByItsCode() async throws {
        try await mock.stub(.get("/reset"), .fault(.connectionReset))
        let url = try mock.url
        let error = try await expectURLError(.networkConnectionLost) { try await url.get("reset") }
        #expect(error?.code == .networkConnectionLost)
        let (_, _, told) = try await completion {
            URLSession.shared.dataTask(with: url.appending(path: "reset"), completionHandler: $0).resume()
        }
        try await expectURLError(.networkConnectionLost) { if let told { throw told } }
    }

    @Test(.mockServer) func anErrorOfARoutingIsEqualByItsCode() async throws {
        let routing = try MockRouting("api.example.com", to: try mock)
        try routing.fail("https://api.example.com/a", with: .notConnectedToInternet)
        let url = try #require(URL(string: "https://api.example.com"))
        try await expectURLError(.notConnectedToInternet) { try await url.get("a", session: routing.makeSession()) }
    }

    @Test(arguments: [
        (URLError(.timedOut) as (any Error)?, ".timedOut (-1001) was thrown"),
        (MockServerError("no"), "another error was thrown: no"), (nil, "nothing was thrown"),
    ])
    func anotherErrorFailsTheTestAtTheCall(error: (any Error)?, text: String) async throws {
        let line = #line + 2
        try await withKnownIssue {
            try await expectURLError(.cancelled) { if let error { throw error } }
        } matching: { issue in
            issue.sourceLocation?.line == line
                && issue.comments.contains {
                    $0.rawValue.hasPrefix("expected a URLError .cancelled (-999), ") && $0.rawValue.contains(text)
                }
        }
    }
}
