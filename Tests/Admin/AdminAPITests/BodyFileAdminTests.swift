import Foundation
import SDJSON
import SDMockEngine
import SDPlatform
import SDTestSupport
import Testing

/// `/__admin/files` with a real folder.
@Suite struct BodyFileAdminTests {
    private let daemon: RunningDaemon

    init() throws {
        daemon = try RunningDaemon(files: [
            "__files/a.txt": "a", "__files/sub/b.txt": "b", "__files/.hidden": "h", "secret.txt": "secret",
            "outside/c.txt": "c",
        ])
        let links = [("out.txt", "../secret.txt"), ("outside", "../outside"), ("nowhere", "missing"), ("again", ".")]
        for (name, target) in links { try daemon.link("__files/\(name)", to: target) }
    }

    private func call(_ method: String, _ path: String, _ body: String = "") throws -> Exchange {
        try Exchange(daemon.port, method, "/__admin/files" + path, body: body)
    }

    @Test func theListHasExactlyTheFilesOfTheFolder() throws {
        #expect(try call("GET", "").json == [".hidden", "a.txt", "sub/b.txt"])
    }

    /// A path that leaves the folder, by name or by link, is neither read nor written nor removed.
    @Test(
        arguments: ["GET", "PUT", "DELETE"],
        [
            "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/sub/..%2f..%2fsecret.txt", "/%2fetc/passwd",
            "/outside/c.txt", "/outside/new.txt", "/out.txt/x",
        ])
    func noPathLeavesTheFolder(method: String, path: String) throws {
        let answer = try call(method, path, "overwritten")
        #expect([403, 404, 409].contains(answer.status) || method == "DELETE" && answer.status == 200, "\(answer)")
        if answer.status == 403 { #expect(answer.json?["errors"]?.arrayValue?.count == 1) }
        #expect(try daemon.text("secret.txt") == "secret")
        #expect(try daemon.text("outside/c.txt") == "c")
        #expect(throws: (any Error).self) { try daemon.text("outside/new.txt") }
    }

    @Test func aLinkOutOfTheFolderIsNotReadAndAWriteReplacesIt() throws {
        #expect(try call("GET", "/out.txt").status == 403)
        #expect(try call("PUT", "/out.txt", "mine").status == 200)
        #expect(try call("GET", "/out.txt").text == "mine")
        #expect(try daemon.text("secret.txt") == "secret")
    }

    @Test func removingALinkKeepsItsTarget() throws {
        #expect(try call("DELETE", "/out.txt").status == 200)
        #expect(try call("GET", "/out.txt").status == 404)
        #expect(try daemon.text("secret.txt") == "secret")
    }

    @Test(arguments: [
        ("PUT", "/sub", 409), ("PUT", "/a.txt/b.txt", 409), ("PUT", "/nowhere/b.txt", 409), ("DELETE", "/sub", 409),
        ("GET", "/sub", 404), ("PUT", "/.", 409), ("PUT", "/%FF", 400), ("PUT", "/.stuntdouble-1-1.tmp", 400),
        ("PUT", "/" + String(repeating: "n", count: 256), 400), ("PUT", "/" + String(repeating: "n", count: 255), 200),
        ("PUT", "/" + String(repeating: "n/", count: 2_000) + "x", 400),
    ])
    func nonFilesAreRefused(method: String, path: String, status: Int) throws {
        let answer = try call(method, path, "x")
        #expect(answer.status == status, "\(answer)")
        if status == 400 || status == 409 {
            #expect(answer.json?["errors"]?.arrayValue?.first?["title"]?.stringValue?.isEmpty == false)
        }
        #expect(try call("GET", "/sub/b.txt").text == "b")
    }

    @Test func aWrittenFileIsServedByItsStubAtOnce() throws {
        let stub = #"{"request": {"url": "/s"}, "response": {"bodyFileName": "new/one.txt"}}"#
        _ = try Exchange(daemon.port, "POST", "/__admin/mappings", body: stub)
        #expect(try Exchange(daemon.port, "GET", "/s").status == 500)
        for text in ["first", "second, longer", "3"] {
            #expect(try call("PUT", "/new/one.txt", text).status == 200)
            #expect(try Exchange(daemon.port, "GET", "/s").text == text)
        }
    }

    @Test func aFileIsCompleteWhileOthersWriteIt() async throws {
        let daemon = try RunningDaemon(arguments: ["--no-watch", "--workers", "3"])
        let port = daemon.port
        func content(_ number: Int) -> String { String(repeating: "\(number)", count: 1 + number * 20_000) }
        #expect(try Exchange(port, "PUT", "/__admin/files/deep/shared.txt", body: content(0)).status == 200)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    for _ in 0..<10 {
                        let path = "/__admin/files/deep/shared.txt"
                        #expect(try Exchange(port, "PUT", path, body: content(number)).status == 200)
                        let read = try Exchange(port, "GET", path).text
                        #expect(read.first?.wholeNumberValue.map(content) == read)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try Exchange(port, "GET", "/__admin/files").json == ["deep/shared.txt"])
    }

    @Test func binaryContentIsReturnedUnchanged() throws {
        #expect(try call("PUT", "/bytes.bin", "\0\u{1}\r\n\u{7f}é").text == "\"AAENCn/DqQ==\"")
        #expect(try call("GET", "/bytes.bin").body == [0, 1, 13, 10, 127, 0xc3, 0xa9])
    }

    @Test func aDaemonWithoutAFolderHasNoFiles() throws {
        let mock = try TestMock()
        #expect(try Exchange(mock.port, "GET", "/__admin/files").json == [])
        #expect(try Exchange(mock.port, "GET", "/__admin/files/a").status == 404)
        #expect(try Exchange(mock.port, "DELETE", "/__admin/files/a").status == 200)
        #expect(try Exchange(mock.port, "PUT", "/__admin/files/a").status == 500)
    }

    /// A call that waits for the disk makes nobody else wait.
    @Test(arguments: ["GET", "PUT", "DELETE"]) func callsAreMadeBesideTheLoop(method: String) throws {
        let mock = try TestMock(files: ["a.txt": "a"])
        let gate = Events<Int>()
        mock.session.bodyWork.add { _ = gate.next() }
        let client = try RawClient(port: mock.port)
        try client.send(
            "\(method) /__admin/files/a.txt HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
                + "Connection: close\r\n\r\n")
        #expect(try Exchange(mock.port, "GET", "/__admin/mappings").status == 200)
        #expect(client.receiveUntilQuiet(milliseconds: 20).bytes.isEmpty)
        gate.tell(0)
        #expect(client.receiveAll(within: 10_000).text.hasPrefix("HTTP/1.1 "))
    }
}
