import Foundation
import SDHTTPTransport
import SDTestSupport
import Testing

/// A body that stands in a file has the same bytes on the wire as one in memory.
@Suite struct FileStepTests {
    /// What is read of a file at a time.
    private static let window = 128 * 1024

    @Test(
        arguments: Announced.allCases, [0, 1, 1000, window - 1, window, window + 1, 3 * window + 5])
    func aFileIsSentAsTheSameBytesInMemoryAre(announced: Announced, count: Int) throws {
        let head = WireStep.head(announced.head(count))
        for framing in Framing.allCases {
            let constant = try framing.run(script(head, .body(WireBytes(pattern(count))), .end(.close)))
            let file = try framing.run(script(head, .file(patternFile(count)), .end(.close)))
            #expect(file == constant)
        }
    }

    @Test(arguments: Framing.allCases, [1, window - 1, window, window + 1, 2 * window + 7])
    func aFileIsCutInAnyWindow(framing: Framing, count: Int) throws {
        let file = script(.head(Announced.chunks.head(0)), .file(patternFile(300_000)), .end(.close))
        for (end, isComplete) in [(WireScript.CutEnd.finish, true), (.abort(.fin), false)] {
            let received = try framing.run(file.cut(after: count, then: end))
            #expect(framing.body(of: received.bytes) == ReceivedBody(Array(pattern(count)), isComplete: isComplete))
        }
    }

    @Test func partsOfAFileMayBeMixedWithBytes() throws {
        let file = patternFile(400_000)
        let steps: [WireStep] = [
            .head(Announced.length.head(300_009)), .body(WireBytes(wire("one"))), .file(file[5..<300_005]),
            .body(WireBytes(wire("two"))), .file(file[399_999..<400_000]), .file(file[7..<9]), .end(.close),
        ]
        let all = pattern(400_000)
        let body = wire("one") + all[5..<300_005] + wire("two") + [all[399_999]] + all[7..<9]
        expectWire(
            try Framing.http1.run(WireScript(steps)), wire("HTTP/1.1 200 OK\r\nContent-Length: 300009\r\n\r\n") + body,
            .fin)
    }

    @Test(arguments: Announced.allCases)
    func theNextAnswerFollowsAFile(announced: Announced) throws {
        let file = script(.head(announced.head(200_000)), .file(patternFile(200_000)), .end(.keepAlive))
        let server = try TestServer(limits: .patient) { request, reply in
            if request.path.elementsEqual(wire("/")) { return answerWithEcho(request, reply) }
            reply.send(file)
        }
        let client = try server.client()
        try client.send(get("/file") + get("/file") + get("/"))
        let received = client.receive(until: "[Host]=[a]", within: 60_000).bytes
        #expect(received.count > 400_000)
        #expect(received.starts(with: try Framing.http1.run(file.replacingEnd(with: .end(.close))).bytes))
    }

    /// A client cannot take half a file for a whole one.
    @Test(arguments: Announced.allCases, [0, 1_000_000])
    func aFileThatShrinksEndsTheConnection(announced: Announced, left: Int) throws {
        let count = 40 << 20
        let file = TestFile(size: count)
        let observer = EndObserver()
        let server = try TestServer(limits: .patient) { _, reply in
            reply.send(
                script(.head(announced.head(count)), .file(file.part), .end(.keepAlive)), observer: observer)
        }
        let client = try server.client()
        client.shrinkReceiveBuffer(to: 4096)
        try client.send(get("/"))
        // The client has a part of it, and more than it reads is never in the system's buffers.
        #expect(client.receive(10_000).bytes.count >= 10_000)
        file.truncate(to: left)
        // A window of 4 KiB takes its time for a megabyte.
        let rest = client.receiveAll(within: 60_000)
        #expect(rest.ending == .rst)
        #expect(rest.bytes.count < count - 20_000)
        #expect(observer.ends.next()?.outcome == .aborted)
    }

    @Test func aFileThatGrowsIsSentInItsOriginalLength() throws {
        let file = TestFile(pattern(1000))
        let part = file.part
        file.truncate(to: 5000)
        let received = try Framing.http1.run(script(.head(Announced.length.head(1000)), .file(part), .end(.close)))
        expectWire(received, wire("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n") + pattern(1000), .fin)
    }

    @Test func aSlowReaderGetsEveryByteOfAFile() throws {
        let count = 4 << 20
        let server = try TestServer(limits: .patient) { _, reply in
            reply.send(script(.head(Announced.length.head(count)), .file(patternFile(count)), .end(.close)))
        }
        let client = try server.client()
        client.shrinkReceiveBuffer(to: 65_536)
        try client.send(get("/"))
        let received = client.receiveAll(within: 60_000)
        #expect(received.bytes.suffix(count).elementsEqual(pattern(count)))
        #expect(received.ending == .fin)
    }

    @Test func aFileIsClosedWithTheLastScriptThatSendsIt() throws {
        weak var open: TestFile?
        do {
            let file = TestFile(pattern(100))
            open = file
            _ = try Framing.http1.run(
                script(.head(Announced.length.head(50)), .file(file.part[0..<50]), .end(.close)))
        }
        #expect(eventually { open == nil ? true : nil } == true)
    }
}

/// A file with the content of `pattern`.
func patternFile(_ count: Int) -> WireFile {
    TestFile(pattern(count)).part
}

/// An open file without a name.
final class TestFile: Sendable {
    private let descriptor: Int32
    private let count: Int

    init(_ bytes: [UInt8]) {
        descriptor = Self.create()
        count = bytes.count
        write(bytes)
    }

    /// A file of zeros that takes no room.
    init(size: Int) {
        descriptor = Self.create()
        count = size
        truncate(to: size)
    }

    deinit {
        close(descriptor)
    }

    /// All of it.
    var part: WireFile { WireFile(descriptor: descriptor, owner: self, range: 0..<count) }

    /// Writes bytes over its beginning.
    func write(_ bytes: [UInt8]) {
        let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        precondition(written == bytes.count)
    }

    func truncate(to size: Int) {
        precondition(ftruncate(descriptor, off_t(size)) == 0)
    }

    private static func create() -> Int32 {
        var name = Array((NSTemporaryDirectory() + "stuntdouble-XXXXXX").utf8CString)
        let descriptor = mkstemp(&name)
        precondition(descriptor >= 0)
        unlink(name)
        return descriptor
    }
}
