import SDTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Daemon {
    /// The most memory that the daemon has had at a time, in bytes; nil where the system does not tell.
    var peakMemory: Int? {
        let status = try? String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { line in line.split(whereSeparator: \.isWhitespace).dropFirst().first }
            .flatMap { Int($0) }.map { $0 << 10 }
    }

    /// Prints the most memory that the daemon has had, and expects a limit.
    func expectPeakMemory(below limit: Int, _ name: String) {
        guard ProcessFacts.measuresMemory, let peak = peakMemory else { return }
        print("\(name): \(peak >> 20) MiB at the most")
        #expect(peak < limit, "\(name) took \(peak >> 20) MiB")
    }
}
