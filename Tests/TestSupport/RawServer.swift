#if canImport(Glibc)
    private import Glibc
#elseif canImport(Darwin)
    private import Darwin
#endif

/// A server that says bytes: each connection is given to a closure on a thread of its own, and closed when that returns.
public final class RawServer: Sendable {
    public let port: UInt16
    private let descriptor: Int32
    private let accepted = Locked(0)

    /// The number of connections so far.
    public var connections: Int { accepted.withLock { $0 } }

    /// Listens on a free port of the loopback interface.
    /// - Parameter serve: gets the connection, and its number from 0 on.
    public init(_ serve: @escaping @Sendable (RawClient, Int) throws -> Void) throws {
        (descriptor, port) = try Self.listen()
        runOnThread { [descriptor, accepted] in
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                // A program that a test starts meanwhile must not hold the connection open.
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                let number = accepted.withLock { count in
                    count += 1
                    return count - 1
                }
                Sockets.sendAtOnce(connection)
                runOnThread {
                    let client = RawClient(owning: connection)
                    try? serve(client, number)
                    client.close()
                }
            }
            // Here, where nobody asks for it any more: else it may be another's by then, whose clients would come here.
            _ = close(descriptor)
        }
    }

    deinit {
        _ = shutdown(descriptor, 2)
    }

    private static func listen() throws -> (Int32, UInt16) {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw CallFailure("open a socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { raw in
                guard bind(descriptor, raw.baseAddress, length) == 0, systemListen(descriptor) == 0 else { return -1 }
                return Int(getsockname(descriptor, raw.baseAddress, &length))
            }
        }
        guard code == 0 else { throw CallFailure("listen") }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}

private func systemListen(_ descriptor: Int32) -> Int32 { listen(descriptor, 64) }
