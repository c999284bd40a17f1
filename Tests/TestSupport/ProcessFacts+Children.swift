import Foundation

extension ProcessFacts {
    /// Whether a sanitizer watches the tests. Memory then grows for its bookkeeping, and everything is slower.
    public static var isSanitized: Bool {
        ProcessInfo.processInfo.environment["STUNTDOUBLE_SANITIZED"] != nil
    }

    /// How many times longer what takes long may take.
    public static var patience: Int { isSanitized ? 10 : 1 }
}

#if os(Linux)
    extension ProcessFacts {
        /// The number of another process's open descriptors.
        public static func openDescriptors(of process: Int32) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? -1
        }

        /// The resident memory of another process in bytes, without that of files.
        public static func residentBytes(of process: Int32) -> Int? {
            let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)
            return text.flatMap(anonymousPages(statm:)).map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
        }

        /// The processor time spent by another process and by the system for it, in the system's ticks of 10 ms.
        public static func processorTicks(of process: Int32) -> Int? {
            let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            // The program's name in parentheses may contain anything; after it the state is the third field.
            guard let text, let end = text.lastIndex(of: ")") else { return nil }
            let fields = text[end...].split(separator: " ").dropFirst()
            let times = fields.dropFirst(11).prefix(2).compactMap { Int($0) }
            return times.count == 2 ? times[0] + times[1] : nil
        }
    }
#endif
