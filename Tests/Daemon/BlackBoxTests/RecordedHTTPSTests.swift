import Foundation
import SDJSON
import SDTestSupport
import Testing

/// What the daemon knows of requests over HTTP and HTTPS is what WireMock knows, as recorded in `Tests/Oracle/https.json`.
@Suite(.enabled(if: SecuredDaemon.curl != nil, "curl is not here")) struct RecordedHTTPSTests {
    private static let cases: [JSONValue] = {
        let path = PackageFiles.root + "/Tests/Oracle/https.json"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? "[]"
        return (try? JSONValue(parsing: text))?.arrayValue ?? []
    }()

    private static let stub = """
        {"request": {"urlPath": "/where"}, "response": {"transformers": ["response-template"],
        "body": "{{request.scheme}} {{request.host}} {{request.port}} {{request.baseUrl}}"}}
        """

    private func texts(_ value: JSONValue?) -> [String] { value?.arrayValue?.compactMap(\.stringValue) ?? [] }

    @Test(arguments: [[], ["--admin-api-require-https", "--admin-api-basic-auth", "ada:love"]])
    func theDaemonKnowsWhatWireMockKnows(flags: [String]) throws {
        let cases = Self.cases.filter { texts($0["flags"]) == flags }
        try #require(cases.count > 10)
        let secured = try SecuredDaemon(files: ["a.json": Self.stub], ["--https-port", "0"] + flags)
        let ports = ["{http}": String(secured.daemon.port), "{https}": String(try secured.httpsPort)]
        for recorded in cases {
            let arguments = texts(recorded["curl"]).map { text in
                ports.reduce(text) { $0.replacing($1.key, with: $1.value) }
            }
            let outcome = try SecuredDaemon.run(
                #require(SecuredDaemon.curl), ["-sSk", "-w", "\n%{http_code}"] + arguments, in: secured.scratch)
            let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.last.map(String.init) == recorded["status"]?.intValue.map(String.init), "\(arguments)")
            if let body = recorded["body"]?.stringValue, !body.isEmpty {
                let shown = hidden(lines.dropLast().joined(separator: "\n"), ports)
                #expect(shown == body, "\(arguments)")
            }
            guard let logged = recorded["logged"]?.objectValue else { continue }
            let request = try secured.daemon.admin("GET", "/requests?limit=1").json?["requests"]?[0]?["request"]
            for member in logged.members {
                let ours = request?[member.key].map { $0.stringValue ?? $0.compactText } ?? ""
                #expect(hidden(ours, ports) == member.value.stringValue, "\(member.key) of \(arguments)")
            }
        }
    }

    private func hidden(_ text: String, _ ports: [String: String]) -> String {
        ports.reduce(text) { $0.replacing($1.value, with: $1.key) }
    }
}
