#if canImport(Glibc)
    private import Glibc
#elseif canImport(Darwin)
    private import Darwin
#endif

/// Resources that this process holds now.
public enum ProcessFacts {
    /// Resident memory in bytes, without that of files: code that runs for the first time is none that was allocated.
    /// nil if the system has no /proc.
    public static var residentBytes: Int? {
        guard let file = fopen("/proc/self/statm", "r") else { return nil }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 128)
        guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return anonymousPages(statm: text).map { $0 * Int(getpagesize()) }
    }

    /// Of the fields of `statm` the second counts all resident pages, the third those of files.
    static func anonymousPages(statm text: String) -> Int? {
        let pages = text.split(separator: " ").dropFirst().prefix(2).compactMap { Int($0) }
        return pages.count == 2 ? pages[0] - pages[1] : nil
    }

    /// Whether memory can be measured: there is a /proc, and no sanitizer that keeps freed memory.
    public static var measuresMemory: Bool {
        residentBytes != nil && dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil
    }

    /// The number of this process's sockets that were accepted on `port`.
    public static func connections(to port: UInt16) -> Int { accepted(on: port).count }

    #if os(Linux)
        /// The congestion controls of this process's sockets that were accepted on `port`.
        public static func congestionControls(onConnectionsTo port: UInt16) -> [String] {
            accepted(on: port).map { descriptor in
                var name = [UInt8](repeating: 0, count: 16)
                var length = socklen_t(name.count)
                guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_CONGESTION, &name, &length) == 0 else { return "" }
                return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
    #endif

    /// This process's sockets that were accepted on `port`.
    private static func accepted(on port: UInt16) -> [Int32] {
        (0..<Int32(clamping: allowDescriptors(0))).filter { descriptor in
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = withUnsafeMutableBytes(of: &address) { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) { getsockname(descriptor, $0.baseAddress, &length) }
            }
            guard code == 0, address.sin_family == sa_family_t(AF_INET), address.sin_port == port.bigEndian else {
                return false
            }
            var isListening: Int32 = 0
            length = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0 && isListening == 0
        }
    }

    /// Raises the limit of descriptors to `count` as far as the system allows, and returns the limit.
    public static func allowDescriptors(_ count: Int) -> Int {
        #if canImport(Glibc)
            let resource = Int32(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        if limit.rlim_cur < rlim_t(count) {
            limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
            setrlimit(resource, &limit)
        }
        return Int(clamping: limit.rlim_cur)
    }
}
