import SDJSON
import SDTestSupport
import Testing

/// The daemon answers and logs curl's ways of sending a request as WireMock does, as recorded in
/// `Tests/Clients/curl.json`.
@Suite(.serialized, .enabled(if: ClientSuite.curl.python != nil, "python3 and curl are not here"))
struct CurlClientTests {
    @Test func theSuiteRunsToItsEnd() {
        #expect(ClientSuite.curl.recorded.count > 60)
        #expect(ClientSuite.curlRun.ending == .exited(0), "\(ClientSuite.curlRun.errors)")
        #expect(Set(ClientSuite.curlRun.outcomes.keys) == Set(ClientSuite.curl.recorded.keys))
        #expect(ClientSuite.curlRun.daemonEnding == nil, "\(ClientSuite.curlRun.daemonErrors)")
    }

    @Test(arguments: ClientSuite.curl.recorded.keys.sorted())
    func theOutcomeEqualsWireMocks(check: String) throws {
        let recorded = try #require(ClientSuite.curl.recorded[check])
        let ours = try #require(ClientSuite.curlRun.outcomes[check], "the suite did not come so far")
        #expect(ours == recorded, "\(ClientSuite.differences(ours, recorded))")
    }
}
