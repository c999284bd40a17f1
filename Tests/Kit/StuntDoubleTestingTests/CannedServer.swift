import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A server that is none of ours: it says the same to each request for a path, and closes the connection.
final class CannedServer: Sendable {
    let port: UInt16
    private let descriptor: Int32

    var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/") }

    /// Listens on a free port.
    /// - Parameter answers: the bytes for each path; for others those of an empty path.
    init(_ answers: [String: String]) throws {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { raw in
                guard bind(descriptor, raw.baseAddress, length) == 0, listen(descriptor, 64) == 0 else { return -1 }
                return Int(getsockname(descriptor, raw.baseAddress, &length))
            }
        }
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRINUSE) }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                // A program that a test starts meanwhile must not hold the connection open.
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                Self.serve(connection, answers)
            }
            _ = close(descriptor)
        }
    }

    deinit {
        _ = shutdown(descriptor, 2)
    }

    private static func serve(_ connection: Int32, _ answers: [String: String]) {
        var request = ""
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !request.contains("\r\n\r\n"), case let count = read(connection, &buffer, buffer.count), count > 0 {
            request += String(decoding: buffer[..<count], as: UTF8.self)
        }
        let path = request.split(separator: " ").dropFirst().first?.split(separator: "?").first.map(String.init) ?? ""
        let answer = Array((answers[path] ?? answers[""] ?? "").utf8)
        _ = write(connection, answer, answer.count)
        _ = shutdown(connection, Int32(1))
        // What it has not read would reset the connection.
        while read(connection, &buffer, buffer.count) > 0 {}
        _ = close(connection)
    }
}
