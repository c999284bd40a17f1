import Foundation
import SDTestSupport
import Testing

/// Body files that are too large for memory are sent from the disk, with the same bytes as others.
@Suite(.serialized) struct LargeFileTests {
    private static let size = 300 << 20

    /// A daemon with a file that takes no room on the disk, but for a mark at its end.
    private func daemon() throws -> Daemon {
        let stub = #"{"request": {"url": "/stub"}, "response": {"bodyFileName": "large.bin", "headers": {"A": "b"}}}"#
        let daemon = try Daemon(files: ["mappings/large.json": stub, "__files/large.bin": ""])
        let file = try #require(FileHandle(forWritingAtPath: daemon.folder.path + "/__files/large.bin"))
        try file.truncate(atOffset: UInt64(Self.size - 4))
        try file.seekToEnd()
        try file.write(contentsOf: Data("tail".utf8))
        try file.close()
        return daemon
    }

    private func ask(_ daemon: Daemon, _ target: String, _ headers: String = "") throws -> RawClient {
        let client = try RawClient(port: daemon.port)
        try client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(headers)\r\n")
        return client
    }

    /// Takes and counts `count` bytes, without keeping them.
    private func skip(_ count: Int, _ client: RawClient) -> Int {
        var left = count
        while left > 0 {
            let received = client.receive(min(left, 1 << 20), within: 60_000).bytes.count
            if received == 0 { break }
            left -= received
        }
        return count - left
    }

    private func residentBytes(_ daemon: Daemon) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(daemon.process.identifier)/statm", encoding: .utf8)
        return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * Int(getpagesize())
    }

    @Test func aLargeFileIsSentInOneChunkOrByItsLength() throws {
        let daemon = try daemon()
        for (target, opening, closing) in [
            ("/stub", "12C00000\r\n", "\r\n0\r\n\r\n"), ("/__files/large.bin", "", ""),
        ] {
            let client = try ask(daemon, target)
            let head = client.receive(until: "\r\n\r\n").text
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(head.contains(opening.isEmpty ? "Content-Length: \(Self.size)\r\n" : "A: b\r\n"))
            #expect(client.receive(opening.utf8.count).text == opening)
            #expect(skip(Self.size - 4, client) == Self.size - 4)
            expectWire(client.receiveAll(), "tail" + closing, .fin)
        }
    }

    /// A whole file of 2 GiB, of which neither the daemon nor the disk holds anything.
    @Test(.enabled(if: ProcessFacts.measuresMemory, "memory cannot be measured"))
    func aFileOfTwoGigabytesCostsNoMemory() throws {
        let daemon = try daemon()
        let size = 2 << 30
        let file = try #require(FileHandle(forWritingAtPath: daemon.folder.path + "/__files/large.bin"))
        try file.truncate(atOffset: UInt64(size))
        try file.close()
        _ = try daemon.get("/none")
        let before = try residentBytes(daemon)
        let client = try ask(daemon, "/stub")
        #expect(client.receive(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(client.receive(until: "\r\n").text == "80000000\r\n")
        var most = 0
        for _ in 0..<8 {
            #expect(skip(size / 8, client) == size / 8)
            most = max(most, try residentBytes(daemon))
        }
        expectWire(client.receiveAll(), "\r\n0\r\n\r\n", .fin)
        #expect(most - before < 4 << 20, "\(most - before) bytes")
        print("a file of 2 GiB: \((most - before) >> 10) KiB more resident")
    }

    /// A file that becomes shorter while it is sent resets the connection: a cut answer must not look complete.
    @Test func aFileThatShrinksResetsTheConnection() throws {
        let daemon = try daemon()
        let client = try ask(daemon, "/__files/large.bin")
        _ = client.receive(until: "\r\n\r\n")
        #expect(skip(1 << 20, client) == 1 << 20)
        let file = try #require(FileHandle(forWritingAtPath: daemon.folder.path + "/__files/large.bin"))
        try file.truncate(atOffset: 1 << 20)
        try file.close()
        var ending = RawClient.Ending.open
        while ending == .open { ending = client.receive(1 << 20).ending }
        #expect(ending == .rst)
    }

    @Test func partsOfALargeFileAreSent() throws {
        let daemon = try daemon()
        let last = try ask(daemon, "/__files/large.bin", "Range: bytes=-6\r\n").receiveAll()
        #expect(last.text.hasPrefix("HTTP/1.1 206 Partial Content\r\n"))
        #expect(last.text.hasSuffix("Content-Length: 6\r\n\r\n\0\0tail"))
        let two = try ask(daemon, "/__files/large.bin", "Range: bytes=0-1,-2\r\n").receiveAll()
        let size = Self.size
        #expect(two.text.contains("Content-Range: bytes 0-1/\(size)\r\n\r\n\0\0\r\n--"))
        #expect(two.text.contains("Content-Range: bytes \(size - 2)-\(size - 1)/\(size)\r\n\r\nil\r\n--"))
    }

    @Test(.enabled(if: ProcessFacts.measuresMemory, "memory cannot be measured"))
    func slowReadersCostNoMemory() throws {
        let daemon = try daemon()
        _ = try daemon.get("/none")
        let before = try residentBytes(daemon)
        let clients = try (0..<20).map { try ask(daemon, $0 % 2 == 0 ? "/stub" : "/__files/large.bin") }
        for _ in 0..<8 {
            for client in clients { #expect(skip(1 << 20, client) == 1 << 20) }
            // The others are served.
            #expect(try daemon.get("/none").status == 404)
        }
        let growth = try residentBytes(daemon) - before
        // For each a window of the file, and what its event keeps.
        #expect(growth < 24 << 20, "20 slow readers cost \(growth) bytes")
        print("20 slow readers of \(Self.size >> 20) MiB: \(growth >> 10) KiB more resident")
        for client in clients { client.reset() }
    }
}
