#if os(Linux)
    import Foundation
    import SDJSON
    import SDTestSupport
    import Testing

    /// Stubs are saved beside the loop: a disk that takes its time holds nobody but those who wait for it.
    @Suite struct SlowDiskTests {
        private static let hasCompiler = (try? SlowDisk()) != nil

        private static let id = "11111111-1111-4111-8111-111111111111"

        /// A stub with a fixed id, and the file that it is saved in.
        private func saved(_ body: String) -> String {
            #"{"id": "\#(Self.id)", "name": "saved", "persistent": true, "request": {"url": "/saved"}, "#
                + #""response": {"body": "\#(body)"}}"#
        }

        /// Sends an admin call whose answer is read later.
        private func begin(_ daemon: Daemon, _ method: String, _ path: String, _ body: String = "") throws -> RawClient
        {
            let client = try RawClient(port: daemon.port)
            try client.send(
                "\(method) /__admin\(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            return client
        }

        private func status(_ client: RawClient) -> Int? {
            HTTPAnswer(client.receiveAll(within: 30_000).bytes)?.status
        }

        @Test(.enabled("needs a C compiler") { hasCompiler }, arguments: [1, 2])
        func otherRequestsDoNotWaitForTheDisk(workers: Int) throws {
            let disk = try SlowDisk()
            let daemon = try disk.daemon(
                ["base.json": #"{"request": {"url": "/base"}, "response": {"body": "base"}}"#],
                ["--workers", String(workers)])
            let session = try daemon.admin("POST", "/sessions", "{}").json?["id"]?.stringValue ?? ""

            try disk.close()
            let first = try begin(daemon, "POST", "/mappings", saved("first"))
            #expect(disk.waitUntilHeld())

            // Requests, of this session and another one, reading calls, and changes that need no disk.
            #expect(try daemon.get("/base").text == "base")
            #expect(try daemon.get("/__session/\(session)/base").text == "base")
            #expect(try daemon.get("/saved").status == 404)
            #expect(try daemon.admin("GET", "/mappings").json?["meta"]?["total"]?.intValue == 1)
            #expect(try daemon.admin("GET", "/sessions").json?["meta"]?["total"]?.intValue == 1)
            let other = #"{"request": {"url": "/other"}, "response": {"body": "other"}}"#
            #expect(try daemon.admin("POST", "/mappings", other).status == 201)
            #expect(try daemon.get("/other").text == "other")
            #expect(try daemon.request("POST", "/__session/\(session)/__admin/mappings", body: other).status == 201)
            #expect(try daemon.admin("PUT", "/files/body.txt", "text").status == 200)

            try disk.open()
            #expect(status(first) == 201)
            #expect(try daemon.get("/saved").text == "first")
            #expect(daemon.folder.files.contains { $0.hasPrefix("saved") || $0.hasPrefix("mappings/saved") })
        }

        @Test(.enabled("needs a C compiler") { hasCompiler })
        func changesOfOneStubAndAResetKeepTheirOrder() throws {
            let disk = try SlowDisk()
            let daemon = try disk.daemon([:], [])
            try disk.close()
            let first = try begin(daemon, "POST", "/mappings", saved("first"))
            #expect(disk.waitUntilHeld())
            let second = try begin(daemon, "PUT", "/mappings/" + Self.id, saved("second"))
            let edit = saved("third").replacing("\"persistent\": true, ", with: "")
            // None of these may overtake the one before; the daemon has read a call when it answers the next one.
            _ = try daemon.get("/")
            let third = try begin(daemon, "PUT", "/mappings/" + Self.id, edit)
            _ = try daemon.get("/")
            let reset = try begin(daemon, "POST", "/reset")
            _ = try daemon.get("/")
            let last = try begin(daemon, "POST", "/mappings", #"{"request": {"url": "/last"}}"#)
            _ = try daemon.get("/")
            #expect(try daemon.get("/saved").status == 404)
            #expect(try daemon.get("/last").status == 404)

            try disk.open()
            #expect([first, second, third, reset, last].map(status) == [201, 200, 200, 200, 201])
            #expect(try daemon.get("/saved").text == "second")
            #expect(try daemon.get("/last").status == 200)
        }

        @Test(.enabled("needs a C compiler") { hasCompiler })
        func aSaveSyncsEachFileAndItsFolderOnce() throws {
            let disk = try SlowDisk()
            let daemon = try disk.daemon([:], [])
            for number in 0..<20 {
                let stub = #"{"request": {"url": "/\#(number)"}, "response": {"body": "\#(number)"}}"#
                #expect(try daemon.admin("POST", "/mappings", stub).status == 201)
            }
            #expect(disk.calls == 0)
            #expect(try daemon.admin("POST", "/mappings/save").status == 200)
            #expect(disk.calls == 21)
        }

        /// The end waits for the writing of recorded exchanges as long as for responses, and says what is lost.
        @Test(.enabled("needs a C compiler") { hasCompiler })
        func whatIsRecordedHasAsLongAsADrain() throws {
            let real = try CountingTarget { client, _, _ in
                try client.send(CountingTarget.ok)
                return true
            }
            let disk = try SlowDisk()
            let daemon = try disk.daemon(
                [:], ["--proxy-all", real.origin, "--record-mappings", "--drain-timeout=0"])
            try disk.close()
            #expect(try daemon.get("/a").status == 200)
            #expect(disk.waitUntilHeld())
            daemon.process.signal(15)
            #expect(daemon.says("an exchange that --record-mappings has seen could not be written in time"))
            try disk.open()
            #expect(daemon.process.wait() == .exited(0))
        }

        /// A loop that something holds takes no signal; the daemon ends after the drain's time, and says why.
        @Test(.enabled("needs a C compiler") { hasCompiler }, arguments: [Int32(15), 2])
        func aHeldLoopDoesNotHoldTheEnd(signal: Int32) throws {
            let disk = try SlowDisk()
            let scratch = try TemporaryFolder()
            let daemon = try disk.daemon(
                ["a.yaml": "GET /a: { file: held.txt }", "__files/held.txt": "text"],
                ["--drain-timeout", "100ms", "--port-file", scratch.path + "/port"], holding: "held.txt")
            try disk.close()
            let client = try RawClient(port: daemon.port)
            try client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(disk.waitUntilHeld())
            daemon.process.signal(signal)
            #expect(daemon.process.wait() == .exited(3))
            #expect(daemon.process.errors.contains("an event loop was blocked during shutdown"))
            #expect(scratch.files.isEmpty)
        }
    }

    /// A disk whose `fsync` a test can hold.
    private final class SlowDisk {
        private let folder: TemporaryFolder
        private let library: String

        init() throws {
            folder = try TemporaryFolder()
            library = folder.path + "/slow_disk.so"
            let source = PackageFiles.root + "/Tests/SlowDisk/slow_disk.c"
            let compiler = try ChildProcess(
                "/usr/bin/env", ["cc", "-shared", "-fPIC", "-Wall", "-Werror", "-o", library, source, "-ldl"],
                outputsIn: folder)
            guard compiler.wait() == .exited(0) else { throw Failure(text: "no library: \(compiler.errors)") }
        }

        private struct Failure: Error {
            let text: String
        }

        /// - Parameter name: that of files whose opening is held, too.
        func daemon(_ files: [String: String], _ arguments: [String], holding name: String = "") throws -> Daemon {
            try Daemon(
                files: files, arguments,
                environment: ["LD_PRELOAD": library, "SLOW_DISK_GATE": folder.path, "SLOW_DISK_OPEN": name])
        }

        func close() throws { try folder.write("closed", "") }

        func open() throws { try folder.remove("closed") }

        /// How often something was synced.
        var calls: Int { (try? folder.read("calls"))?.utf8.count ?? 0 }

        /// Waits until a call is held.
        func waitUntilHeld() -> Bool {
            eventually { calls > 0 ? true : nil } ?? false
        }
    }
#endif
