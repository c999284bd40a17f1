#if os(macOS) || os(Linux)
    import Foundation
    import Testing

    @testable import StuntDoubleClient

    #if canImport(Glibc)
        import Glibc
    #endif

    /// A daemon that does not get ready, or ends later, is told as that, with what it printed.
    @Suite final class LaunchFailureTests {
        private let folder = NSTemporaryDirectory() + "launch-" + UUID().uuidString

        init() throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        private func program(_ bytes: Data) throws -> String {
            let path = "\(folder)/stuntdouble"
            try #require(
                FileManager.default.createFile(
                    atPath: path, contents: bytes, attributes: [.posixPermissions: 0o755]))
            return path
        }

        private func failure(of path: String) async throws -> String {
            let error = await #expect(throws: MockServerError.self) { _ = try await launch(path) }
            return try #require(error?.message)
        }

        /// Launches a program that was just written: again, while a child that another test begins holds the file open.
        private func launch(_ path: String) async throws -> LaunchedDaemon {
            while true {
                do {
                    return try await LaunchedDaemon(binary: path, mocks: nil, arguments: [])
                } catch let error as MockServerError where error.message.hasSuffix("Text file busy") {
                    await Task.yield()
                }
            }
        }

        @Test(arguments: [
            ("exit 0", "ended at once: exit status 0; it printed nothing"),
            ("exit 127", "ended at once: exit status 127; it printed nothing"),
            ("echo no >&2; exit 2", "ended at once: exit status 2; it printed:\nno"),
            ("echo usage; exit 1", "ended at once: exit status 1; it printed:\nusage"),
            ("echo out; echo err >&2; exit 1", "ended at once: exit status 1; it printed:\nout\nerr"),
            (#"echo '{"event": "other", "port": 1}'; exit 3"#, "ended at once: exit status 3; it printed:\n"),
            (#"echo '{"level": "error", "message": "no room"}' >&2; exit 1"#, "it printed:\nerror: no room"),
            ("kill -9 $$", "ended at once: killed by SIGKILL; it printed nothing"),
            ("echo bye; kill -TERM $$", "ended at once: killed by SIGTERM; it printed:\nbye"),
            ("kill -SEGV $$", "ended at once: killed by SIGSEGV"),
            ("exec no-such-program", "ended at once: exit status 127; it printed:\n"),
            // A child that keeps its outputs open is not waited for.
            ("sleep 20 & echo up; exit 4", "ended at once: exit status 4; it printed:\nup"),
            ("exec >&- 2>&-; exec sleep 600", "closed its output before it was ready; it printed nothing"),
        ])
        func aProgramThatEndsAtOnceIsToldWithWhatItPrinted(script: String, words: String) async throws {
            let path = try program(Data("#!/bin/sh\n\(script)\n".utf8))
            let message = try await failure(of: path)
            #expect(message.hasPrefix(path + " "), "\(message)")
            #expect(message.contains(words), "\(message)")
        }

        @Test(arguments: [
            ("", "Exec format error: it is no program of this kind of machine"),
            ("MZ nothing", "Exec format error: it is no program of this kind of machine"),
            ("#!/no/such/interpreter\n", "it, or the interpreter or loader that it names, does not exist"),
        ])
        func aFileThatIsNoProgramIsToldWithTheReason(text: String, words: String) async throws {
            let path = try program(Data(text.utf8))
            let message = try await failure(of: path)
            #expect(message.hasPrefix("cannot launch \(path): ") && message.contains(words), "\(message)")
        }

        #if os(Linux)
            @Test func aLibraryThatIsMissingIsNamed() async throws {
                var bytes = try Data(contentsOf: URL(fileURLWithPath: "/proc/self/exe"))
                while let place = bytes.range(of: Data("libc.so.6\0".utf8)) {
                    bytes.replaceSubrange(place, with: Data("libq.so.6\0".utf8))
                }
                let message = try await failure(of: program(bytes))
                #expect(message.contains("ended at once: exit status 127; it printed:"), "\(message)")
                #expect(message.contains("libq.so.6: cannot open shared object file"), "\(message)")
            }
        #endif

        /// A script around the daemon may say something before.
        @Test func linesBeforeTheOneThatSaysReadyArePassedOver() async throws {
            let script = """
                #!/bin/sh
                echo "starting $(uname)"
                echo '{"event": "almost"}'
                exec '\(try DaemonBinary.find())' "$@"
                """
            let path = try program(Data(script.utf8))
            let daemon = try await launch(path)
            #expect(daemon.port > 0)
            #expect(daemon.log.contains("starting") && !daemon.log.contains("\"ready\""), "\(daemon.log)")
            #expect(await daemon.end(within: .zero) == nil)
            await daemon.stop()
            #expect(await daemon.end(within: .zero) == "exit status 0")
        }

        @Test(arguments: [(SIGKILL, "killed by SIGKILL"), (SIGTERM, "exit status 0")])
        func aDaemonThatEndsInTheMiddleOfATestIsToldWithHowAndItsLog(signal: Int32, end: String) async throws {
            let mock = try await MockServer.launch(arguments: ["--verbose"])
            let session = try await mock.makeSession()
            try await session.stub(.get("/a"), .text("a"))
            let daemon = try #require(mock.host.owner as? LaunchedDaemon)
            kill(daemon.child.identifier, signal)
            // Until it has ended in order it may still answer.
            if signal != SIGKILL { _ = await daemon.end(within: .seconds(300)) }
            let line = #line + 1
            let error = await #expect(throws: MockServerError.self) { try await session.stub(.get("/b"), .text("b")) }
            let words = "the daemon has ended: \(end)\nits log:\n"
            #expect(error?.message.hasPrefix(words) == true, "\(error as Any)")
            #expect(error?.callSite?.line == line && error?.call == "POST /__admin/mappings")
            try await mock.end()
        }
    }
#endif
