#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension MockServer {
    /// Whether `record(to:from:mode:)` calls the real service or replays its recording.
    public enum RecordingMode: String, Sendable, Hashable, CaseIterable {
        /// Replays the recording; without one, calls the real service and records it. The default.
        case onceThenReplay = "once"
        /// Calls the real service and replaces the recording.
        case record
        /// Replays the recording; fails without one. For CI, where nothing may call the real service.
        case replay
        /// Calls the real service and writes nothing.
        case live

        /// The environment variable for tests without an explicit mode: `once`, `record`, `replay` or `live`.
        package static let variable = "STUNTDOUBLE_RECORD"

        /// The mode from the environment, or `onceThenReplay`.
        /// - Throws: `MockServerError` for an unknown mode.
        package static func ofEnvironment(
            _ environment: [String: String] = ProcessInfo.processInfo.environment
        ) throws(MockServerError) -> RecordingMode {
            guard let text = environment[variable], !text.isEmpty else { return .onceThenReplay }
            guard let mode = RecordingMode(rawValue: text.lowercased()) else {
                let names = allCases.map(\.rawValue).joined(separator: ", ")
                throw MockServerError("\(variable)=\(text): expected one of \(names)")
            }
            return mode
        }
    }
}
