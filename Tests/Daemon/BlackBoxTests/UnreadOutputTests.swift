import Foundation
import SDTestSupport
import Testing

/// A daemon whose output goes to pipes that nobody reads.
@Suite struct UnreadOutputTests {
    private let scratch: TemporaryFolder
    private let fullPipe: FullPipe

    init() throws {
        scratch = try TemporaryFolder()
        fullPipe = try FullPipe(scratch.path + "/pipe")
    }

    @Test func anUnreadLogDelaysNeitherAnswersNorTheEnd() throws {
        let daemon = try Daemon(
            files: ["a.yaml": "GET ~/a.*: { body: here }"], ["--verbose"],
            startedBy: ["/bin/sh", "-c", "pipe=$0; exec \"$@\" 2>\"$pipe\"", fullPipe.path])
        let client = try PersistentConnection(port: daemon.port)
        // More lines than there is room for.
        let long = "/a" + String(repeating: "b", count: 8_000)
        for _ in 1...300 { #expect(try client.request("GET", long).text == "here") }
        // A reader that resumes learns how many lines were lost.
        fullPipe.read(until: "lines were lost here")
        daemon.process.signal(15)
        #expect(daemon.process.wait(milliseconds: 20_000) == .exited(0))
    }

    @Test func theEndDoesNotWaitForReaders() throws {
        let daemon = try Daemon(
            files: ["a.yaml": "GET /a: { body: here }"], ["--verbose"],
            startedBy: ["/bin/sh", "-c", "pipe=$0; exec \"$@\" 2>\"$pipe\"", fullPipe.path])
        #expect(try daemon.get("/a").text == "here")
        daemon.process.signal(15)
        #expect(daemon.process.wait(milliseconds: 20_000) == .exited(0))
    }

    @Test func theReadyLineDoesNotWaitForReaders() throws {
        let portFile = scratch.path + "/port"
        try scratch.write("mocks/a.yaml", "GET /a: { body: here }")
        let arguments = [
            "-c", "pipe=$0; exec \"$@\" >\"$pipe\"", fullPipe.path, Daemon.binary, scratch.path + "/mocks", "--port",
            "0",
            "--port-file", portFile,
        ]
        let process = try ChildProcess("/bin/sh", arguments, outputsIn: scratch)
        let text = eventually(within: 30_000) { try? scratch.read("port") }
        let port = try #require(UInt16((text ?? "").dropLast()))
        let client = try RawClient(port: port)
        try client.send("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(HTTPAnswer(client.receiveAll().bytes)?.text == "here")
        process.signal(15)
        #expect(process.wait(milliseconds: 20_000) == .exited(0))
    }
}

/// A named pipe that accepts no more bytes until somebody reads.
private final class FullPipe: Sendable {
    let path: String
    private let end: FileHandle

    init(_ path: String) throws {
        self.path = path
        try #require(mkfifo(path, 0o600) == 0)
        // Opened for reading and writing, so that neither end waits for another process to open the other.
        let number = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(number >= 0)
        end = FileHandle(fileDescriptor: number, closeOnDealloc: true)
        let block = [UInt8](repeating: 0x2e, count: 4_096)
        while write(number, block, block.count) > 0 {}
        while write(number, block, 1) > 0 {}
    }

    /// Reads until `text` has arrived; records an issue if it does not in time.
    func read(until text: String) {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let found: Bool? = eventually(within: 30_000) {
            let count = Foundation.read(end.fileDescriptor, &buffer, buffer.count)
            if count > 0 { received += buffer[..<count] }
            return String(decoding: received.suffix(200_000), as: UTF8.self).contains(text) ? true : nil
        }
        #expect(found == true, "the log does not say \(text)")
    }
}
