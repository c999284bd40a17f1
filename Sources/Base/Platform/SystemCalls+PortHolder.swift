#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension SystemCalls {
    /// The process that listens on a TCP port, such as `nginx (pid 4711)`. Nil if unknown: it belongs to another user,
    /// or the system has no `/proc`.
    public static func listener(onPort port: Int) -> String? {
        let sockets = Set(["/proc/net/tcp", "/proc/net/tcp6"].flatMap { listeningInodes($0, port: port) })
        guard !sockets.isEmpty else { return nil }
        for process in (try? names(in: "/proc")) ?? [] where process.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            let folder = "/proc/\(process)/fd"
            for descriptor in (try? names(in: folder)) ?? [] {
                guard let target = linkTarget("\(folder)/\(descriptor)"), sockets.contains(target) else { continue }
                return "\(Int32(process).flatMap(processName) ?? "another process") (pid \(process))"
            }
        }
        return nil
    }

    /// Why this port of 127.0.0.1 cannot be listened on; nil if it can. 0 means a port chosen by the system.
    public static func listeningProblem(port: Int) -> SystemError? {
        let place = "127.0.0.1:\(port)"
        guard let port = UInt16(exactly: port) else { return SystemError(code: EINVAL, call: "bind", path: place) }
        #if canImport(Glibc)
            let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let number = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard number >= 0 else { return failure("socket", place) }
        let descriptor = FileDescriptor(owning: number)
        var on: Int32 = 1
        setsockopt(descriptor.number, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor.number, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return code == 0 && listen(descriptor.number, 1) == 0 ? nil : failure("bind", place)
    }

    /// The sockets in state LISTEN on a port, in the notation of descriptor links: `socket:[12345]`.
    private static func listeningInodes(_ table: String, port: Int) -> [String] {
        guard let file = try? open(table, .read), let bytes = try? readAll(file, limit: 16 << 20) else { return [] }
        let listening = "0A"
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: " ")
            guard columns.count > 9, columns[3] == listening,
                let local = columns[1].split(separator: ":").last, Int(local, radix: 16) == port
            else { return nil }
            return "socket:[\(columns[9])]"
        }
    }

    private static func linkTarget(_ path: String) -> String? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
            let read = buffer.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { readlink(path, $0, text.count) } ?? 0
            }
            count = max(0, read)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
