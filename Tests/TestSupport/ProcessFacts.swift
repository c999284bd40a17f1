#if canImport(Glibc)
    private import Glibc
#elseif canImport(Darwin)
    private import Darwin
#endif

/// What this process holds right now.
public enum ProcessFacts {
    /// Open file descriptors.
    public static var openDescriptors: Int {
        #if canImport(Glibc)
            let folder = opendir("/proc/self/fd")
        #else
            let folder = opendir("/dev/fd")
        #endif
        guard let folder else { return -1 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count - 3  // `.`, `..` and the folder's own
    }

    /// Resident memory in bytes; nil where the system has no /proc.
    public static var residentBytes: Int? {
        guard let file = fopen("/proc/self/statm", "r") else { return nil }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 128)
        guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let fields = text.split(separator: " ")
        return fields.count > 1 ? Int(fields[1]).map { $0 * Int(getpagesize()) } : nil
    }

    /// Lets the process hold `count` descriptors, as far as the system allows; what it allows.
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
