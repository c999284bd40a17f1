import Foundation
import SDPlatform
import Testing

@testable import SDServing

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

    /// The listeners, their addresses in the ready line, and the lines of a port file.
    @Test(arguments: [
        ([ReadyReport.Listener(address: "::1", port: 443, kind: .https)], "https://[::1]:443", [443]),
        (
            [.init(address: "127.0.0.1", port: 80), .init(address: "127.0.0.1", port: 443, kind: .https)],
            "http://127.0.0.1:80, https://127.0.0.1:443", [80, 443]
        ),
        (
            [.init(address: "127.0.0.1", port: 80, kind: .both)], "http://127.0.0.1:80, https://127.0.0.1:80", [80]
        ),
        (
            [.init(address: "127.0.0.1", port: 80, kind: .both), .init(address: "127.0.0.1", port: 443, kind: .https)],
            "http://127.0.0.1:80, https://127.0.0.1:80, https://127.0.0.1:443", [80, 443]
        ),
    ])
    func theReadyLineNamesHTTPSToo(listeners: [ReadyReport.Listener], urls: String, ports: [Int]) throws {
        var report = report
        report.listeners = listeners
        report.unixSocket = nil
        #expect(report.line(.text).hasPrefix("stuntdouble 0.1.0 ready on \(urls) (12 stubs"))
        #expect(report.ports == ports)
        let object = try JSONSerialization.jsonObject(with: Data(report.line(.json).utf8)) as? [String: Any]
        #expect(object?["httpsPort"] as? Int == ports.last)
        #expect(object?["port"] as? Int == (listeners[0].kind == .https ? nil : 80))
        let shown = (object?["listeners"] as? [[String: Any]])?.compactMap { $0["url"] as? String }
        #expect(shown?.joined(separator: ", ") == urls)
        let file = try PortFile(path: temporary.at("ports"), ports: report.ports)
        #expect(try temporary.read("ports") == ports.map { "\($0)\n" }.joined())
        file.remove()
        try temporary.write("ports", "1\n2\n")
        try PortFile.removeStale(temporary.at("ports"))
        try temporary.write("ports", "1\n2\n3\n")
        #expect(throws: SystemError.self) { try PortFile.removeStale(temporary.at("ports")) }
    }

    @Test func thePortFileHoldsThePortUntilItIsRemoved() throws {
        let file = try PortFile(path: temporary.at("port"), ports: [8080])
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
        let first = try PortFile(path: temporary.at("port"), ports: [1])
        _ = try PortFile(path: temporary.at("port"), ports: [2])
        first.remove()
        #expect(try temporary.read("port") == "2\n")
    }

    @Test func aPortFileThatCannotBeWrittenIsNamed() {
        let path = temporary.at("none/port")
        #expect(throws: SystemError.self) { try PortFile(path: path, ports: [1]) }
        #expect((try? PortFile(path: path, ports: [1])) == nil)
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
