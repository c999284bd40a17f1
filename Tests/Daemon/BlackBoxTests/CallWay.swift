import Foundation
import SDJSON
import SDTestSupport
import Testing

/// A way on which a request reaches another server through the binary.
enum CallWay: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case stub
    case passThrough = "pass-through"
    case proxyAll = "--proxy-all"
    case forwardProxy = "forward proxy"
    case record, webhook

    var testDescription: String { rawValue }

    /// How the end of the body is told.
    enum Framing: String, CaseIterable, Sendable { case length, chunks, trailers }
}

/// The binary, set up for one way to a target.
///
/// `@unchecked Sendable`: nothing of it changes, and what it asks of its processes the system knows.
final class CallingDaemon: @unchecked Sendable {
    let way: CallWay
    let target: CountingTarget
    private let daemon: Daemon?
    private let recorder: ChildProcess?
    private let scratch: TemporaryFolder
    private let port: UInt16

    /// - Parameter user: what stands in front of the host where the target is named, with its `@`.
    init(_ way: CallWay, _ target: CountingTarget, user: String = "", _ options: [String] = []) throws {
        (self.way, self.target) = (way, target)
        let origin = target.origin.replacing("://", with: "://\(user)")
        scratch = try TemporaryFolder()
        guard way != .record else {
            daemon = nil
            let process = try ChildProcess(
                Daemon.binary,
                ["record", "--port", "0", "--target", origin, "--to", scratch.path + "/mocks", "--json"] + options,
                environment: ["XDG_STATE_HOME": scratch.path], outputsIn: scratch)
            recorder = process
            let line = eventually(within: 30_000) { () -> String? in
                if let end = process.output.firstIndex(of: "\n") { return String(process.output[..<end]) }
                return process.poll() == nil ? nil : ""
            }
            let ready = try JSONValue(parsing: line ?? "")
            port = UInt16(try #require(ready["port"]?.intValue, "\(process.errors)"))
            return
        }
        recorder = nil
        let (file, more): (String?, [String]) =
            switch way {
            case .stub: (#"{"request": {"urlPattern": "/.*"}, "response": {"proxyBaseUrl": "\#(origin)"}}"#, [])
            case .passThrough: (nil, ["--pass-through", origin])
            case .proxyAll: (nil, ["--proxy-all", origin])
            case .forwardProxy: (nil, ["--forward-proxy"])
            case .webhook, .record: (Self.webhooks(origin), [])
            }
        let files = file.map { ["stub.json": $0] } ?? [:]
        let daemon = try Daemon(files: files, ["--global-response-templating"] + more + options)
        self.daemon = daemon
        port = daemon.port
    }

    /// A stub for each framing, whose webhook calls the target at the path of the request.
    private static func webhooks(_ origin: String) -> String {
        let stubs = CallWay.Framing.allCases.map { framing in
            let headers = framing == .length ? "" : #""Transfer-Encoding": "chunked""#
            return """
                {"request": {"urlPattern": "/.*", "headers": {"X-Framing": {"equalTo": "\(framing.rawValue)"}}},
                 "response": {"status": 202}, "serveEventListeners": [{"name": "webhook", "parameters": {
                   "method": "POST", "url": "\(origin){{originalRequest.path}}", "headers": {\(headers)}, "body": "abc"}}]}
                """
        }
        return "{\"mappings\": [\(stubs.joined(separator: ","))]}"
    }

    func client() throws -> RawClient { try RawClient(port: port) }

    /// A POST as a client of this way sends it.
    func post(_ path: String, _ framing: CallWay.Framing) -> String {
        let url = way == .forwardProxy ? target.origin + path : path
        let head = "POST \(url) HTTP/1.1\r\nHost: 127.0.0.1:\(target.port)\r\nX-Framing: \(framing.rawValue)\r\n"
        switch framing {
        case .length: return head + "Content-Length: 3\r\n\r\nabc"
        case .chunks: return head + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        case .trailers: return head + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\nX-T: 1\r\n\r\n"
        }
    }

    /// Sends a request on a connection of its own.
    func ask(_ request: String) throws -> HTTPAnswer {
        let client = try client()
        try client.send(request.replacing("\r\nHost:", with: "\r\nConnection: close\r\nHost:"))
        return try #require(HTTPAnswer(client.receiveAll(within: 60_000).bytes), "\(errors)")
    }

    func get(_ path: String) throws -> HTTPAnswer {
        let url = way == .forwardProxy ? target.origin + path : path
        return try ask("GET \(url) HTTP/1.1\r\nHost: 127.0.0.1:\(target.port)\r\n\r\n")
    }

    /// The events of the journal, the oldest first; nil where there is none to ask.
    func journal() throws -> [JSONValue]? {
        guard let daemon else { return nil }
        return try daemon.get("/__admin/requests?after=0&limit=1000").json?["requests"]?.arrayValue
    }

    var errors: String { daemon?.process.errors ?? recorder?.errors ?? "" }
    var hasEnded: Bool { daemon?.process.poll() != nil || recorder?.poll() != nil }

    deinit {
        recorder?.signal(SIGINT)
        _ = recorder?.wait()
    }
}
