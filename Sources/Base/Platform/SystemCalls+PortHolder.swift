#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension SystemCalls {
    /// The process that listens on a TCP port, such as `nginx (pid 4711)`. Nil if it is not known: it belongs to
    /// another user, or the system has no `/proc`.
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

    /// The sockets in state LISTEN on a port, spelled as in the links of their descriptors: `socket:[12345]`.
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
