import Foundation
import SDJSON
import SDTestSupport
import Testing

/// Sets of faults come from stub files, follow their changes, and are switched on and off.
@Suite struct FaultSetTests {
    private static let sets = "chaos:\n  bad-day: [{route: GET /x, status: 503}]\n"

    private func sets(_ daemon: Daemon) throws -> [String] {
        let list = try daemon.admin("GET", "/faults").json?["sets"]?.arrayValue ?? []
        return list.compactMap { $0["name"]?.stringValue }
    }

    @Test func aSetActsWhileItIsOn() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /x: { body: fine }", "chaos.yaml": Self.sets])
        #expect(try daemon.get("/x").status == 200)
        #expect(try daemon.admin("PUT", "/faults/sets/bad-day").status == 200)
        #expect(try daemon.get("/x").status == 503)
        #expect(try daemon.admin("DELETE", "/faults/sets/bad-day").status == 200)
        #expect(try daemon.get("/x").status == 200)
    }

    @Test func setsFollowTheirFileAndABadFileKeepsTheLastGoodOnes() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /x: {}", "chaos.yaml": Self.sets])
        let file = daemon.folder.path + "/chaos.yaml"
        func write(_ text: String) throws { try text.write(toFile: file, atomically: true, encoding: .utf8) }
        #expect(try sets(daemon) == ["bad-day"])
        try write(Self.sets + "  worse: [{status: 500}]\n")
        #expect(eventually(within: 10_000) { try? sets(daemon) == ["bad-day", "worse"] ? true : nil } == true)
        try write(Self.sets + "  worse: [{statu: 500}]\n")
        let error = "chaos.yaml:3:12: error: chaos.worse[0].statu: unknown key"
        #expect(eventually(within: 10_000) { daemon.process.errors.contains(error) ? true : nil } == true)
        #expect(try sets(daemon) == ["bad-day", "worse"])
        try write("chaos:\n  bad-day: [{request: {urlPattern: \"[\"}, status: 500}]\n")
        let pattern = "chaos.bad-day[0].request.urlPattern"
        #expect(eventually(within: 10_000) { daemon.process.errors.contains(pattern) ? true : nil } == true)
        #expect(try sets(daemon) == ["bad-day", "worse"])
        try FileManager.default.removeItem(atPath: file)
        #expect(eventually(within: 10_000) { try? sets(daemon).isEmpty ? true : nil } == true)
    }
}
