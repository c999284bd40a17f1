import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Asks over a new connection and waits for the whole answer: as little work as a client can do.
enum PlainClient {
    struct Failure: Error {
        let call: String
        let code = errno
    }

    /// The status of the answer to a GET.
    static func status(_ url: URL, _ path: String) throws -> Int {
        let descriptor = socket(AF_INET, streams, 0)
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(clamping: url.port ?? 80).bigEndian
        address.sin_addr.s_addr = inet_addr(url.host() ?? "127.0.0.1")
        let connected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(call: "connect") }
        let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, 0) == request.count else { throw Failure(call: "send") }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else { throw Failure(call: "recv") }
            if count == 0 { break }
            answer += buffer[..<count]
        }
        let words = String(decoding: answer.prefix(64), as: UTF8.self).split(separator: " ")
        guard words.count > 1, let status = Int(words[1]) else { throw Failure(call: "read a status") }
        return status
    }

    #if canImport(Glibc)
        private static let streams = Int32(SOCK_STREAM.rawValue)
    #else
        private static let streams = SOCK_STREAM
    #endif
}
