import SDJSON
import SDTestSupport
import Testing

/// A stub file with errors is named where nothing answers: what was asked for may stand in it.
@Suite struct BrokenFileWarningTests {
    private static let files = ["a.yaml": "GET /a: {}", "orders.yaml": "GET /orders:\n  staus: 201\n"]
    private static let place = "orders.yaml:2:3"

    @Test func the404NamesIt() throws {
        let daemon = try Daemon(files: Self.files, ["--keep-going"])
        let answer = try daemon.get("/orders")
        #expect(answer.status == 404)
        let line = try #require(answer.text.split(separator: "\n").first { $0.contains("It may be meant for") })
        #expect(line.contains("a stub file that has errors: ") && line.contains(Self.place), "\(answer.text)")
        #expect(line.contains(#"did you mean "status"?"#), "\(line)")
        let json = try daemon.request("GET", "/orders", headers: ["Accept: application/json"]).json
        #expect(json?["detail"]?.stringValue?.contains(Self.place) == true)
        #expect(
            eventually {
                daemon.process.errors.split(separator: "\n").contains {
                    $0.contains("no stub matches GET /orders") && $0.contains(Self.place)
                } ? true : nil
            } == true)
        // Who sees none of the daemon's stubs misses none of them.
        let alone = try daemon.admin("POST", "/sessions", #"{"inherit": false}"#).json?["id"]?.stringValue ?? ""
        #expect(try daemon.get("/__session/\(alone)/orders").text.contains("orders.yaml") == false)
        let other = try daemon.admin("POST", "/sessions", "{}").json?["id"]?.stringValue ?? ""
        #expect(try daemon.get("/__session/\(other)/orders").text.contains(Self.place))
        // Where something answers there is nothing to explain.
        #expect(try daemon.get("/a").status == 200)

        try daemon.folder.write("orders.yaml", "GET /orders:\n  status: 201\n")
        #expect(try eventually { try daemon.get("/orders").status == 201 ? true : nil } == true)
        #expect(try daemon.get("/nothing").text.contains("orders.yaml") == false)
    }

    /// A file that became bad while it was served keeps its old stubs, and its new ones are missing.
    @Test func aReloadThatFailsIsNamed() throws {
        let daemon = try Daemon(files: ["orders.yaml": "GET /a: {}"])
        #expect(try daemon.get("/orders").text.contains("errors") == false)
        try daemon.folder.write("orders.yaml", Self.files["orders.yaml"] ?? "")
        #expect(try eventually { try daemon.get("/orders").text.contains(Self.place) ? true : nil } == true)
    }

    @Test(arguments: [true, false]) func explainNamesIt(isRunning: Bool) throws {
        let daemon = try Daemon(files: Self.files, ["--keep-going"])
        let scratch = try TemporaryFolder()
        let target = isRunning ? ["--url", "http://127.0.0.1:\(daemon.port)"] : [daemon.folder.path]
        func ask(_ path: String) throws -> String {
            let process = try ChildProcess(Daemon.binary, ["explain", "GET", path] + target, outputsIn: scratch)
            _ = process.wait()
            return process.output
        }
        let text = try ask("/orders")
        #expect(text.contains("It may be meant for a stub file that has errors:\n  "), "\(text)")
        #expect(text.contains(Self.place), "\(text)")
        #expect(try ask("/a").contains("orders.yaml") == false)
    }
}
