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

        /// The time that another process has spent on the processor, its own and the system's for it, in the system's
        /// ticks of 10 ms.
        public static func processorTicks(of process: Int32) -> Int? {
            let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            // The name of the program stands in parentheses and may hold anything; behind it the state is the third field.
            guard let text, let end = text.lastIndex(of: ")") else { return nil }
            let fields = text[end...].split(separator: " ").dropFirst()
            let times = fields.dropFirst(11).prefix(2).compactMap { Int($0) }
            return times.count == 2 ? times[0] + times[1] : nil
        }
    }
#endif
