import SDTestSupport
import Testing

/// Other people's clients open WebSockets to the real daemon, and report what the table of docs/websocket.md says: those
/// of them that are here.
@Suite(
    .enabled(
        if: ClientSuite.pythonWithWebSockets != nil,
        "no Python here has `websockets`, `websocket-client`, `aiohttp` and `pycurl`; `.ci/deps ci` installs them"))
struct WebSocketClientTableTests {
    @Test(arguments: [
        "websockets;websockets, TLS", "websocket-client;websocket-client, TLS", "aiohttp;aiohttp, TLS",
        "libcurl;libcurl, TLS", "Node", "Java;Java, TLS", "Chromium;Chromium, TLS;Chromium, HTTP/2",
    ])
    func theClientsReportWhatThePageSays(clients: String) throws {
        let scratch = try TemporaryFolder()
        defer { withExtendedLifetime(scratch) {} }
        let python = try #require(ClientSuite.pythonWithWebSockets)
        let child = try ChildProcess(
            python,
            [
                "-B", PackageFiles.root + "/Tests/Clients/websocket/report.py", "--daemon", Daemon.binary, "--python",
                python, "--check", "--clients", clients,
            ], outputsIn: scratch)
        let ending = child.wait(milliseconds: 300_000)
        // 77: they are not on this machine.
        #expect(ending == .exited(0) || ending == .exited(77), "\(child.output)\(child.errors)")
    }
}

extension ClientSuite {
    static let pythonWithWebSockets = python(that: "import websockets, websocket, aiohttp, pycurl")
}
