import SDCReactor
import SDCTestTransports
import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Testing

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Darwin)
    private import Darwin
#endif

/// Names with several addresses: which are tried, and for how long.
@Suite struct CallConnectingTests {
    private static let told = "200 OK [Content-Length: 2] | <hi> | done"

    private func server() throws -> RawServer { try answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi") }

    @Test func nobodyListens() throws {
        let harness = CallHarness()
        var call = CallHarness.Call(TestPort.free())
        #expect(harness.call(call) == "failed: server refused the connection")
        call.addresses = "127.0.0.1 127.0.0.2 ::1"
        #expect(harness.call(call) == "failed: server refused the connection")
        call.addresses = ""
        #expect(harness.call(call) == "failed: the host name of server is unknown")
    }

    /// The next address is tried as soon as one has refused.
    @Test(arguments: ["::1 127.0.0.1", "127.0.0.2 ::1 127.0.0.3 127.0.0.1", "127.0.0.1 ::1"])
    func theNextAddressIsTried(addresses: String) throws {
        let server = try server()
        var call = CallHarness.Call(server.port) { $0.connect_ms = 120_000 }
        call.addresses = addresses
        let start = ContinuousClock.now
        #expect(CallHarness().call(call) == Self.told)
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    /// No address is connected to that the gate does not admit.
    @Test func theGateJudgesEachAddress() throws {
        let server = try server()
        let harness = CallHarness()
        var call = CallHarness.Call(server.port)
        call.denied = "127.0.0.1"
        #expect(harness.call(call).hasPrefix("failed: server is not among the servers that may be called"))
        call.addresses = "127.0.0.1 127.0.0.1"
        #expect(harness.call(call).hasPrefix("failed: server is not among the servers that may be called"))
        #expect(server.connections == 0)
        call.addresses = "127.0.0.2 127.0.0.1"
        call.denied = "127.0.0.2"
        #expect(harness.call(call) == Self.told)
    }

    /// A socket that listens, and whose queue is full: who connects waits.
    private final class FullPort {
        let port: UInt16
        private var sockets: [Int32] = []

        init?(address: String = "127.0.0.1") {
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_port = TestPort.free().bigEndian
            inet_pton(AF_INET, address, &place.sin_addr)
            #if canImport(Glibc)
                let kind = Int32(SOCK_STREAM.rawValue)
            #else
                let kind = SOCK_STREAM
            #endif
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            func with(_ call: (UnsafeMutablePointer<sockaddr>) -> Int32) -> Int32 {
                withUnsafeMutableBytes(of: &place) { bytes in
                    bytes.withMemoryRebound(to: sockaddr.self) { call($0.baseAddress!) }
                }
            }
            let listener = socket(AF_INET, kind, 0)
            sockets.append(listener)
            var size = length
            let isOpen =
                with { bind(listener, $0, length) } == 0 && listen(listener, 0) == 0
                && with({ getsockname(listener, $0, &size) }) == 0
            port = UInt16(bigEndian: place.sin_port)
            guard isOpen else { return nil }
            for _ in 0..<4 {
                let client = socket(AF_INET, kind, 0)
                _ = fcntl(client, F_SETFL, O_NONBLOCK)
                sockets.append(client)
                _ = with { connect(client, $0, length) }
            }
        }

        deinit { for socket in sockets { close(socket) } }
    }

    /// One time limit for all addresses together.
    @Test func allAddressesHaveOneTime() throws {
        let full = try #require(FullPort())
        var call = CallHarness.Call(full.port) { $0.connect_ms = 150 }
        call.addresses = "127.0.0.1 127.0.0.1 127.0.0.1"
        let quota = CallHarness.Quota()
        let start = ContinuousClock.now
        #expect(CallHarness(quota).call(call) == "failed: server did not accept a connection in time")
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(quota.open == 0)
    }

    /// An address that says nothing is not waited for: after a while the next one is tried beside it (RFC 8305).
    @Test func aSilentAddressIsOvertaken() throws {
        let full = try #require(FullPort(address: "127.0.0.1"))
        let server = try #require(try? TestServer(listen: { try $0.listen(address: "::1", port: full.port) }))
        var call = CallHarness.Call(full.port) { $0.connect_ms = 20_000 }
        call.addresses = "127.0.0.1 ::1"
        let start = ContinuousClock.now
        #expect(CallHarness().call(call).contains("| <GET / HTTP/1.1 keep"))
        let time = ContinuousClock.now - start
        #expect(time >= .milliseconds(240) && time < .seconds(10))
        _ = server
    }

    @Test func aCallThatConnectsCanBeCancelled() throws {
        let full = try #require(FullPort())
        let quota = CallHarness.Quota()
        let harness = CallHarness(quota)
        let call = harness.start(CallHarness.Call(full.port))
        #expect(quota.open == 1)
        call.cancel()
        #expect(quota.open == 0 && call.text == "")
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("::1", true), ("fe80::1%lo", true), ("1.2.3", false), ("a", false), ("", false),
        ("::1%", true), ("[::1]", false), ("127.0.0.1:80", false), ("1:2:3:4:5:6:7:8:9", false),
        ("1111:2222:3333:4444:5555:6666:7777:8888:9999:1111:2222:3333", false),
    ]) func addressesAreRead(text: String, isOne: Bool) {
        var address = cr_address()
        #expect(cr_address_read(text, &address) == isOne)
    }
}
