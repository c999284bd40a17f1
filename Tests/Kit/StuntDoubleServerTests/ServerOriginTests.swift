import Foundation
import StuntDoubleServer
import Testing

/// A server behaves the same, however a test comes to it.
@Suite struct ServerOriginTests {
    @Test(arguments: ServerUse.all) func serversOfAllOriginsAnswerAlike(_ use: ServerUse) async throws {
        let launched = try await use.lines(.launched)
        #expect(launched.contains { $0.contains(use.proof) }, "\(launched)")
        #expect(try await use.lines(.connected) == launched)
        #expect(try await use.lines(.embedded) == launched)
    }

    @Test(arguments: [
        (["--sede", "7"], "did you mean --seed?"), (["--seed", "x"], "--seed: expected"),
        (["--load-resources-from-classpath", "x"], "--load-resources-from-classpath is refused"),
        (["--filename-template", "{{x}}"], "--filename-template"),
        (["--bind-address", "192.0.2.1"], "192.0.2.1"),
    ])
    func aServerThatCannotStartSaysWhy(_ arguments: [String], _ reason: String) async {
        for origin in [ServerOrigin.launched, .embedded] {
            let error = await #expect(throws: MockServerError.self) { try await origin.open(nil, arguments) }
            #expect(error?.message.contains(reason) == true, "\(origin): \(String(describing: error))")
        }
    }

    @Test(arguments: [
        ("GET /a: { jsn: 1 }", "a.yaml:1:", "jsn"), ("GET /a: { json: [1 }", "a.yaml:1:", "found"),
    ])
    func aBadStubFileIsNamedWithItsPlace(_ text: String, _ place: String, _ found: String) async throws {
        let folder = try ScratchFolder(["mappings/a.yaml": text, "mappings/b.yaml": "GET /b: { body: b }"])
        for origin in [ServerOrigin.launched, .embedded] {
            let error = await #expect(throws: MockServerError.self) { try await origin.open(folder.path) }
            #expect(error?.message.contains(place) == true, "\(origin): \(String(describing: error))")
            #expect(error?.message.contains(found) == true, "\(origin): \(String(describing: error))")
            // With it, the rest is served, and the log has the reason.
            let answer = try await origin.open(mocks: folder.path, ["--keep-going"]) { mock in
                let answer = try await ask("/b", of: mock)
                #expect(mock.serverLog.contains(place), "\(origin): \(mock.serverLog)")
                return answer
            }
            #expect(answer.hasPrefix("200 ") && answer.hasSuffix(" b"))
        }
    }

    @Test func aFolderThatIsNotThereIsNamed() async {
        for origin in [ServerOrigin.launched, .embedded] {
            let error = await #expect(throws: MockServerError.self) { try await origin.open("no-such-folder") }
            #expect(error?.message.contains("no-such-folder") == true, "\(origin): \(String(describing: error))")
        }
    }

    @Test func aTakenPortIsNamed() async throws {
        try await ServerOrigin.embedded.open { mock in
            let port = "\(mock.url.port ?? 0)"
            for origin in [ServerOrigin.launched, .embedded] {
                let error = await #expect(throws: MockServerError.self) {
                    try await origin.open(nil, ["--port", port])
                }
                #expect(error?.message.contains(port) == true, "\(origin): \(String(describing: error))")
            }
        }
    }
}

extension ServerOrigin {
    /// Opens a server that is not meant to open.
    fileprivate func open(_ mocks: String?, _ arguments: [String] = []) async throws {
        try await open(mocks: mocks, arguments) { _ in }
    }
}
