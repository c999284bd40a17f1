#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension MockServer {
    /// Whether the real service is called by `record(to:from:mode:)`, or what was recorded answers in its place.
    public enum RecordingMode: String, Sendable, Hashable, CaseIterable {
        /// Replays what the folder has; where it has nothing yet, the real service is called and recorded. The default.
        case onceThenReplay = "once"
        /// Calls the real service and records it, in place of what was recorded before.
        case record
        /// Replays; without a recording it is an error. For CI, where nothing may call the real service.
        case replay
        /// Calls the real service and writes nothing.
        case live

        /// The variable of the environment that decides where the test does not: `once`, `record`, `replay` or `live`.
        package static let variable = "STUNTDOUBLE_RECORD"

        /// The mode of the environment, or `onceThenReplay`.
        /// - Throws: `MockServerError` for a value that is none of the modes.
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
