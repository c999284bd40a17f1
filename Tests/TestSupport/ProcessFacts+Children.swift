import Foundation

extension ProcessFacts {
    /// A sanitizer watches over the tests: memory grows by its own books, and time goes slower.
    public static var isSanitized: Bool {
        ProcessInfo.processInfo.environment["STUNTDOUBLE_SANITIZED"] != nil
    }
}

#if os(Linux)
    extension ProcessFacts {
        /// The open file descriptors of another process.
        public static func openDescriptors(of process: Int32) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? -1
        }

        /// The resident memory of another process, in bytes.
        public static func residentBytes(of process: Int32) -> Int? {
            let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)
            guard let pages = text?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
            return pages * sysconf(Int32(_SC_PAGESIZE))
        }
    }
#endif
