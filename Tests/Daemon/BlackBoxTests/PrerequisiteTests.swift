import Foundation
import SDTestSupport
import Testing

/// If CI is set, no test of this suite may be skipped because something is missing.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["CI"] != nil, "CI is not set"))
struct PrerequisiteTests {
    @Test(arguments: Conformance.suites) func theConformanceSuiteIsAvailable(suite: String) {
        #expect(Conformance.isPresent(suite), "there is no \(Conformance.path(suite)): set STUNTDOUBLE_CONFORMANCE")
    }

    @Test func theClientsAreAvailable() {
        #expect(ClientSuite.curl.python != nil, "python3 and curl are needed: `.ci/deps ci` installs them")
        #expect(ClientSuite.pythonWireMock.python != nil, "`.ci/deps ci` installs the PyPI client `wiremock`")
        #expect(ClientSuite.pythonWithPytest != nil, "`.ci/deps ci` installs `pytest` and `pytest-xdist`")
        #expect(ClientSuite.pythonWithHTTP2 != nil, "`.ci/deps ci` installs `h2` and `httpx`")
        #expect(ClientSuite.pythonWithWebSockets != nil, "`.ci/deps ci` installs `websockets` and others")
    }
}
