import Foundation
import SDPlatform
import Synchronization
import Testing

@testable import SDReporting

@Suite struct LogTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    /// The text that `body` writes to a log.
    private func written(_ format: Log.Format, threshold: Log.Level = .info, _ body: (Log) -> Void) throws -> String {
        do {
            let file = try SystemCalls.open(temporary.at("log"), .createNew)
            let log = Log(format: format, threshold: threshold, descriptor: file.number)
            body(log)
            log.flush(milliseconds: 30_000)
        }
        return try temporary.read("log")
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_400_123, "2000-02-29T00:00:00.123Z"),
            (1_795_254_606_647, "2026-11-21T09:50:06.647Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (1_735_689_599_000, "2024-12-31T23:59:59.000Z"),
        ] as [(Int64, String)])
    func aTimeIsShownInUTC(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).description == text)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (120, "1970-01-01T00:00:00.12Z"), (100, "1970-01-01T00:00:00.1Z"),
            (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"), (60_010, "1970-01-01T00:01:00.01Z"),
        ] as [(Int64, String)])
    func theShortestFormHasNoZerosAtItsEnd(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).shortest == text)
    }

    @Test func aLineOfTextHasTimeLevelMessageAndFields() {
        let line = Log.line(
            .text, Timestamp(milliseconds: 0), .warning, "port taken",
            [LogField("port", 8080), LogField("by", "an other"), LogField("pid", .null)])
        #expect(line == "1970-01-01T00:00:00.000Z warning: port taken (port=8080 by=\"an other\" pid=null)\n")
    }

    @Test func aLineOfJSONIsOneObject() throws {
        let text = "quote \" back \\ tab \t line \n bell \u{7} c1 \u{9b} é 😀 \u{2028}"
        let line = Log.line(
            .json, Timestamp(milliseconds: 0), .error, text,
            [LogField("n", 1), LogField("d", .decimal(0.5)), LogField("list", .list(["a", .bool(true), .null]))])
        #expect(line.hasSuffix("\n") && line.split(separator: "\n").count == 1)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["message"] as? String == text)
        #expect(object["level"] as? String == "error")
        #expect(object["time"] as? String == "1970-01-01T00:00:00.000Z")
        let fields = try #require(object["fields"] as? [String: Any])
        #expect(fields["n"] as? Int == 1)
        #expect(fields["d"] as? Double == 0.5)
        #expect((fields["list"] as? [Any])?.count == 3)
    }

    @Test func noInputForgesALine() {
        let line = Log.line(
            .text, Timestamp(milliseconds: 0), .info, "one\n1970 error: two\u{1b}[2J", [LogField("a", "x\ny=z")])
        #expect(line == "1970-01-01T00:00:00.000Z info: one\n    1970 error: two\\u{1b}[2J (a=\"x\\ny=z\")\n")
    }

    @Test func noInputTurnsTheDirectionOfALine() {
        let line = Log.line(
            .text, Timestamp(milliseconds: 0), .info, "a\u{202e}b\u{2066}c", [LogField("d", "\u{200f}e")])
        #expect(line == #"1970-01-01T00:00:00.000Z info: a\u{202e}b\u{2066}c (d="\u200fe")"# + "\n")
    }

    @Test(arguments: [Log.Format.text, .json]) func noInputMakesALineWithoutEnd(format: Log.Format) {
        let long = String(repeating: "x", count: 100_000)
        let line = Log.line(
            format, Timestamp(milliseconds: 0), .info, long, [LogField("url", .string(long)), LogField("n", 1)])
        #expect(line.utf8.count < 17_000)
        #expect(line.contains("xx… (91808 more bytes)"))
        let many = Log.line(
            format, Timestamp(milliseconds: 0), .info, String(repeating: "line\n", count: 100_000), [])
        #expect(many.utf8.count < 17_000)
    }

    @Test func linesBelowTheThresholdAreNotWritten() throws {
        let text = try written(.text, threshold: .warning) { log in
            log.debug("d")
            log.info("i")
            log.warning("w")
            log.error("e", LogField("code", 98))
        }
        let lines = text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1)[1] }
        #expect(lines == ["warning: w", "error: e (code=98)"])
    }

    @Test func linesOfSeveralThreadsNeverMix() throws {
        let text = try written(.json) { log in
            let threads = (0..<4).compactMap { number in
                try? SystemThread(name: "log") {
                    for _ in 0..<200 { log.info(String(repeating: "\(number)", count: 300)) }
                }
            }
            for thread in threads { thread.join() }
        }
        let lines = text.split(separator: "\n")
        #expect(lines.count == 800)
        #expect(lines.allSatisfy { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) != nil })
    }

    @Test(arguments: [
        (
            RequestRecord(
                method: "GET", target: "/path", status: 200, bytes: 123, duration: .microseconds(451), stub: "name"),
            #"GET /path 200 123 bytes 0.4 ms stub "name""#
        ),
        (
            RequestRecord(
                method: "PUR\nGE", target: "/\u{1b}", status: nil, bytes: 0, duration: .seconds(2), stub: nil,
                ending: "CONNECTION_RESET_BY_PEER"),
            #"PUR\nGE /\u{1b} - 0 bytes 2000.0 ms no stub CONNECTION_RESET_BY_PEER"#
        ),
        (
            RequestRecord(
                method: "GET", target: "/a", status: 404, bytes: 9, duration: .zero, stub: nil, session: "s1-k2f9qm"),
            "GET /a 404 9 bytes 0.0 ms no stub session s1-k2f9qm"
        ),
    ])
    func aRequestTakesOneLine(record: RequestRecord, line: String) throws {
        #expect(record.text == line)
        let text = try written(.text, threshold: .error) { $0.request(record) }
        #expect(text.hasSuffix(" \(line)\n"))
    }

    @Test func aRequestInJSONHasItsPartsAsFields() throws {
        let record = RequestRecord(
            method: "GET", target: "/a", status: 404, bytes: 9, duration: .milliseconds(1.25), stub: nil)
        let line = try written(.json) { $0.request(record) }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let fields = try #require(object["fields"] as? [String: Any])
        #expect(object["message"] as? String == "request")
        #expect(fields["status"] as? Int == 404)
        #expect(fields["milliseconds"] as? Double == 1.2)
        #expect(fields["stub"] is NSNull)
        #expect(fields["session"] is NSNull)
    }
}

@Suite struct ReadinessTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    private let report = ReadyReport(
        version: "0.1.0",
        listeners: [.init(address: "127.0.0.1", port: 8080), .init(address: "::1", port: 8081)],
        unixSocket: "/tmp/s", stubCount: 12, folder: "mocks", duration: .milliseconds(3))

    @Test func theReadyLineNamesEveryAddress() {
        #expect(
            report.line(.text)
                == "stuntdouble 0.1.0 ready on http://127.0.0.1:8080, http://[::1]:8081, unix:/tmp/s "
                + "(12 stubs from mocks, 3 ms)\n")
        var small = report
        small.listeners.removeLast()
        small.unixSocket = nil
        small.stubCount = 1
        #expect(small.line(.text) == "stuntdouble 0.1.0 ready on http://127.0.0.1:8080 (1 stub from mocks, 3 ms)\n")
    }

    @Test func theReadyLineInJSONHasAllPortsAndTheProcess() throws {
        let line = report.line(.json)
        #expect(line.split(separator: "\n").count == 1)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["event"] as? String == "ready")
        #expect(object["pid"] as? Int == Int(SystemCalls.processIdentifier))
        #expect(object["port"] as? Int == 8080)
        let listeners = try #require(object["listeners"] as? [[String: Any]])
        #expect(listeners.map { $0["port"] as? Int } == [8080, 8081])
        #expect(listeners.map { $0["url"] as? String } == ["http://127.0.0.1:8080", "http://[::1]:8081"])
        #expect(object["unixSocket"] as? String == "/tmp/s")
        #expect(object["stubs"] as? Int == 12)
    }

    @Test func thePortFileHoldsThePortUntilItIsRemoved() throws {
        let file = try PortFile(path: temporary.at("port"), port: 8080)
        #expect(try temporary.read("port") == "8080\n")
        #expect(try SystemCalls.names(in: temporary.path) == ["port"])
        file.remove()
        file.remove()
        #expect(try SystemCalls.names(in: temporary.path).isEmpty)
    }

    @Test func aStalePortFileIsRemovedAndNothingElse() throws {
        try temporary.write("port", "1\n")
        try PortFile.removeStale(temporary.at("port"))
        try PortFile.removeStale(temporary.at("port"))
        try PortFile.removeStale(temporary.at("none/port"))
        #expect(try SystemCalls.names(in: temporary.path).isEmpty)
        try temporary.makeFolder("port")
        #expect(throws: SystemError.self) { try PortFile.removeStale(temporary.at("port")) }
        #expect(try SystemCalls.names(in: temporary.path) == ["port"])
    }

    @Test func thePortFileOfAnotherDaemonStays() throws {
        let first = try PortFile(path: temporary.at("port"), port: 1)
        _ = try PortFile(path: temporary.at("port"), port: 2)
        first.remove()
        #expect(try temporary.read("port") == "2\n")
    }

    @Test func aPortFileThatCannotBeWrittenIsNamed() {
        let path = temporary.at("none/port")
        #expect(throws: SystemError.self) { try PortFile(path: path, port: 1) }
        #expect((try? PortFile(path: path, port: 1)) == nil)
    }

    @Test func theServiceManagerIsNotifiedOverItsSocket() throws {
        let path = temporary.at("notify")
        let socket = try DatagramSocket(path: path)
        let manager = try #require(ServiceManager(address: path))
        try manager.ready(status: "http://127.0.0.1:8080\nEVIL=1")
        #expect(socket.receive() == "READY=1\nSTATUS=http://127.0.0.1:8080\\nEVIL=1\n")
        try manager.stopping()
        #expect(socket.receive() == "STOPPING=1\n")
    }

    #if os(Linux)
        @Test func theServiceManagersSocketMayBeAbstract() throws {
            let name = "stuntdouble-test-\(UUID())"
            let socket = try DatagramSocket(path: "\0" + name)
            try #require(ServiceManager(address: "@" + name)).ready(status: "up")
            #expect(socket.receive() == "READY=1\nSTATUS=up\n")
        }
    #endif

    @Test(arguments: ["relative", "", "vsock:1:2"])
    func anythingButAUnixSocketIsIgnored(address: String) {
        #expect(ServiceManager(address: address) == nil)
        #expect(ServiceManager(address: nil) == nil)
    }

    #if os(Linux)
        /// Nothing waits for a service manager that does not read; its messages are sent later.
        @Test func aServiceManagerThatDoesNotReadDelaysNothing() throws {
            let path = temporary.at("notify")
            let socket = try DatagramSocket(path: path)
            let manager = try #require(ServiceManager(address: path))
            var sent = 0
            while (try? manager.stopping()) != nil { sent += 1 }
            #expect(sent > 0)
            try manager.ready(status: "up")
            for _ in 0..<sent { #expect(socket.receive() == "STOPPING=1\n") }
            #expect(socket.receive() == "READY=1\nSTATUS=up\n")
        }
    #endif

    @Test func aMissingServiceManagerIsAnError() throws {
        let manager = try #require(ServiceManager(address: temporary.at("none")))
        #expect(throws: SystemError.self) { try manager.stopping() }
        let long = try #require(
            ServiceManager(address: "/" + String(repeating: "x", count: 200)))
        #expect(throws: SystemError.self) { try long.stopping() }
    }

    @Test func theEndOfStandardInputIsNoticed() async throws {
        let pipe = Foundation.Pipe()
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        let watch = ParentWatch(descriptor: descriptor)
        #expect(watch == .pipe)
        try watch.start(descriptor: descriptor) { continuation.yield() }
        try pipe.fileHandleForWriting.write(contentsOf: Data("noise".utf8))
        try pipe.fileHandleForWriting.close()
        for await _ in stream { break }
    }
}

/// A Unix socket for datagrams, like that of a service manager.
private struct DatagramSocket: ~Copyable {
    private let number: Int32

    init(path: String) throws {
        #if canImport(Glibc)
            number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        #else
            number = socket(AF_UNIX, SOCK_DGRAM, 0)
        #endif
        try #require(number >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t((MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2) + name.count)
        let number = number
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, length) }
        }
        try #require(code == 0)
    }

    func receive() -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(number, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    deinit {
        close(number)
    }
}
