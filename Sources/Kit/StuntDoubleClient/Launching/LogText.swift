import SDJSON

/// Formats the daemon's JSON log for people: `level: message`.
enum LogText {
    /// The maximum number of trailing lines to show.
    private static let maxLines = 40

    static func plain(_ log: String) -> String {
        let lines = log.split(separator: "\n").map { line -> String in
            guard let json = try? JSONValue(parsing: String(line)), let message = json["message"]?.stringValue else {
                return String(line)
            }
            return "\(json["level"]?.stringValue ?? "log"): \(message)"
        }
        return lines.suffix(maxLines).joined(separator: "\n")
    }
}
