import Foundation
import StuntDoubleServer
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a server within a process means to the process: nothing.
@Suite struct EmbeddedServerTests {
    @Test func severalServeAtTheSameTime() async throws {
        let servers = try await withThrowingTaskGroup(of: MockServer.self) { group in
            for _ in 0..<20 { group.addTask { try await MockServer.embedded() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(servers.map(\.url)).count == 20)
        for (number, server) in servers.enumerated() { try await server.stub(.get("/several"), .text("\(number)")) }
        for (number, server) in servers.enumerated() {
            #expect(try await ask("/several", of: server).hasSuffix(" \(number)"))
        }
        for server in servers { try await server.end() }
        // A server of another test may have taken a port that is free again, and counts the requests to its stubs.
        for server in servers {
            #expect(try await ask("/__admin/mappings", of: server).contains("/several") == false)
        }
    }

    @Test func itServesForAsLongAsASessionStandsForIt() async throws {
        let session = try await MockServer.embedded().makeSession()
        try await session.stub(.get("/me"), .text("here"))
        #expect(try await ask("/me", of: session).hasSuffix(" here"))
        try await session.end()
    }

    @Test func itServesHTTPSAtEachOfItsPorts() async throws {
        let server = try await MockServer.embedded(https: true)
        #expect(server.httpsURL?.absoluteString == "https" + server.url.absoluteString.dropFirst("http".count))
        for ownPort in [false, true] {
            let session = try await server.makeSession(ownPort: ownPort)
            #expect(session.httpsURL?.absoluteString == "https" + session.url.absoluteString.dropFirst("http".count))
        }
        #expect(try await server.certificateAuthority().hasPrefix("-----BEGIN CERTIFICATE-----"))
        try await server.end()

        let apart = try await MockServer.embedded(arguments: ["--https-port", "0"])
        let session = try await apart.makeSession()
        let urls = [apart.url, apart.httpsURL, session.url, session.httpsURL].compactMap(\.self)
        #expect(Set(urls.map(\.port)).count == 4)
        try await apart.end()

        await #expect(throws: MockServerError.self) {
            try await MockServer.embedded(arguments: ["--disable-http", "--https-port", "0"])
        }
    }

    @Test func aLargeBodyIsKeptWhole() async throws {
        let server = try await MockServer.embedded()
        let body = String(repeating: "0123456789", count: 300_000)
        _ = try await ask("POST", "/orders", of: server, body: body)
        #expect(try await server.lastRequest()?.text == body)
        try await server.verify(.post("/orders").body(.endsWith("56789")), .exactly(1))
        try await server.end()
    }

    @Test func toEndItTwiceIsNoError() async throws {
        let server = try await MockServer.embedded()
        try await server.end()
        try await server.end()
        await #expect(throws: MockServerError.self) { try await server.stub(.get("/x"), .text("x")) }
    }

    @Test func requestsThatWaitEndWithIt() async throws {
        let server = try await MockServer.embedded()
        try await server.stub(.get("/slow"), .text("late").delay(.seconds(300)))
        async let answer = ask("/slow", of: server)
        while try await server.requests.isEmpty { await Task.yield() }
        try await server.end()
        #expect(try await answer.hasPrefix("URLError"))
    }

    #if os(Linux)
        @Test func theProcessStaysAsItIs() async {
            await #expect(processExitsWith: .success) {
                _ = signal(SIGPIPE, SIG_DFL)
                let before = ProcessState()
                let server = try await MockServer.embedded()
                let during = ProcessState()
                guard during.dispositions == before.dispositions, during.descriptorLimit == before.descriptorLimit,
                    during.mask == before.mask
                else { exit(1) }
                try await server.end()
                exit(0)
            }
        }

        /// The system tells the writer by a signal, which ends a process that has not asked for it.
        @Test func aClientThatLeavesDoesNotEndTheProcess() async {
            await #expect(processExitsWith: .success) {
                _ = signal(SIGPIPE, SIG_DFL)
                let server = try await MockServer.embedded()
                try await server.stub(.get("/large"), .text(String(repeating: "x", count: 8 << 20)))
                for _ in 0..<5 { try RudeClient.askAndLeave(server.url, "/large") }
                try await server.verify(.get("/large"), .exactly(5), within: .seconds(300))
                try await server.end()
                exit(0)
            }
        }

        @Test func nothingIsLeftOfItInTheProcess() async {
            await #expect(processExitsWith: .success) {
                // What the process makes once and keeps, such as the client's thread.
                try await ServerRun.run()
                let before = ProcessState()
                for _ in 0..<10 { try await ServerRun.run() }
                let deadline = ContinuousClock.now + .seconds(300)
                while ProcessState().threads > before.threads || ProcessState().descriptors > before.descriptors {
                    guard .now < deadline else { exit(1) }
                    await Task.yield()
                }
                exit(0)
            }
        }
    #endif
}

#if os(Linux)
    /// The state of the process that a server could change.
    private struct ProcessState {
        var dispositions: [UInt] = []
        var mask: [Int32] = []
        var descriptorLimit: UInt = 0
        var threads = 0
        var descriptors = 0

        init() {
            var blocked = sigset_t()
            pthread_sigmask(SIG_SETMASK, nil, &blocked)
            for number in [SIGPIPE, SIGTERM, SIGINT, SIGHUP, SIGCHLD] {
                var action = sigaction()
                sigaction(number, nil, &action)
                dispositions.append(
                    UInt(bitPattern: unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)))
                if sigismember(&blocked, number) == 1 { mask.append(number) }
            }
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            descriptorLimit = limit.rlim_cur
            threads = Self.count("/proc/self/task")
            descriptors = Self.count("/proc/self/fd")
        }

        private static func count(_ folder: String) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
        }
    }

    /// A server from its beginning to its end.
    private enum ServerRun {
        static func run() async throws {
            let folder = try ScratchFolder(["mappings/a.yaml": "GET /a: { body: a }", "__files/b.txt": "b"])
            let server = try await MockServer.embedded(mocks: folder.path)
            let session = try await server.makeSession()
            for path in ["/a", "/b.txt", "/c"] { _ = try RudeClient.status(session.url, path) }
            try await session.verify(.get("/a"), .exactly(1))
            try await server.end()
        }
    }

    /// A client on a bare socket.
    private enum RudeClient {
        static func status(_ url: URL, _ path: String) throws -> String {
            let descriptor = try ask(url, path)
            defer { close(descriptor) }
            var buffer = [UInt8](repeating: 0, count: 12)
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_WAITALL))
            return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
        }

        /// Leaves with a reset while the answer comes.
        static func askAndLeave(_ url: URL, _ path: String) throws {
            let descriptor = try ask(url, path)
            var byte: UInt8 = 0
            _ = recv(descriptor, &byte, 1, 0)
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
            close(descriptor)
        }

        private static func ask(_ url: URL, _ path: String) throws -> Int32 {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(clamping: url.port ?? 0).bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let result = withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard result == 0 else { throw MockServerError("cannot connect to \(url)") }
            let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            _ = send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
            return descriptor
        }
    }
#endif
