import Foundation
import SDJSON
import SDTestSupport
import Testing

/// Waiting calls and event streams of the real daemon.
@Suite(.serialized) struct WaitingTests {
    private static let hour = #"{"pattern": {"url": "/never"}, "timeoutMs": 3600000}"#

    private func wait(_ daemon: Daemon, _ body: String) throws -> RawClient {
        let client = try RawClient(port: daemon.port)
        let head = "POST /__admin/requests/wait HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n"
        try client.send(head + "Connection: close\r\n\r\n" + body)
        return client
    }

    private func listen(_ daemon: Daemon) throws -> RawClient {
        let client = try RawClient(port: daemon.port)
        try client.send("GET /__admin/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(client.receive(until: "\n\n\r\n").text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        return client
    }

    @Test func aSignalAnswersWaitingCalls() throws {
        let daemon = try Daemon(files: [:], ["--drain-timeout", "50s"])
        let waiting = try wait(daemon, Self.hour)
        let listening = try listen(daemon)
        _ = try daemon.get("/__admin/version")
        daemon.process.signal(15)
        let answer = try #require(HTTPAnswer(waiting.receiveAll().bytes, isHead: false))
        #expect(answer.status == 200)
        #expect(answer.text.contains(#""satisfied" : false"#))
        #expect(listening.receiveAll().text.hasSuffix("0\r\n\r\n"))
        waiting.close()
        listening.close()
        #expect(daemon.process.wait(milliseconds: 5_000) == .exited(0))
    }

    @Test func anAnswerThatIsEndedIsLogged() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /slow: { delay: 1h }"], ["--verbose"])
        let client = try RawClient(port: daemon.port)
        try client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        let isThere = try eventually { try daemon.admin("GET", "/in-flight").text.contains("/slow") ? true : nil }
        #expect(isThere == true)
        #expect(try daemon.admin("DELETE", "/in-flight").status == 200)
        #expect(client.receiveAll() == RawClient.Received([], .fin))
        #expect(eventually { daemon.process.errors.contains("ended by the admin API") ? true : nil } == true)
    }

    @Test func rereadFilesAreReported() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: x }"])
        let stream = try listen(daemon)
        try daemon.folder.write("b.yaml", "GET /b: { body: x }")
        let good = stream.receive(until: "\n\n\r\n").text
        #expect(good.contains("event: reload\n"), "\(good)")
        #expect(good.contains(#"{"files":["b.yaml"],"problems":[]}"#), "\(good)")
        try daemon.folder.write("b.yaml", "GET /b: { bdy: x }")
        let bad = stream.receive(until: "\n\n\r\n").text
        #expect(bad.contains(#""severity":"error""#), "\(bad)")
        #expect(bad.contains("bdy"), "\(bad)")
    }

    #if os(Linux)
        /// Waiting calls cost nothing until something happens: of 100 clock ticks at most one is spent. Signs of life are
        /// due every 15 seconds, so not every second is without any.
        @Test(.disabled(if: ProcessFacts.isSanitized, "a sanitizer works by itself"))
        func aThousandWaitingCallsCostNoProcessorTime() throws {
            let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: x }"])
            _ = try daemon.get("/a")
            let process = daemon.process.identifier
            let descriptors = ProcessFacts.openDescriptors(of: process)
            let memory = try #require(ProcessFacts.residentBytes(of: process))
            let count = min(1_000, ProcessFacts.allowDescriptors(2_500) - 500)
            let clients = try (0..<count).map { $0 % 2 == 0 ? try wait(daemon, Self.hour) : try listen(daemon) }
            // An answer shows that earlier calls have been read.
            _ = try daemon.get("/__admin/version")
            #expect(ProcessFacts.openDescriptors(of: process) >= count)
            #expect(try #require(ProcessFacts.residentBytes(of: process)) - memory < count * 24_576)
            let isQuiet = try eventually {
                let begin = try #require(ProcessFacts.processorTicks(of: process))
                Thread.sleep(forTimeInterval: 1)
                return try #require(ProcessFacts.processorTicks(of: process)) - begin <= 1 ? true : nil
            }
            #expect(isQuiet == true)
            for client in clients { client.reset() }
            #expect(eventually { ProcessFacts.openDescriptors(of: process) <= descriptors ? true : nil } == true)
        }
    #endif
}
