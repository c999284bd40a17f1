/// What recordings of WireMock say of texts that are not JSON. The shapes around it are promised, Jackson's words are not:
/// this project says the place, what was expected, and what was found.
public enum JSONComplaint {
    /// Whether a recorded message is a sentence of Jackson about such a text.
    public static func isOne(_ recorded: String) -> Bool {
        recorded == "No content to map due to end-of-input"
            || recorded.contains("\n at [Source: (String)") && !recorded.hasPrefix("Numeric value")
    }

    /// Whether a message of this project's says all that one needs.
    public static func isExplained(_ message: String) -> Bool {
        message.contains(/line \d+, column \d+.*[:;] expected .+, found ./)
    }

    /// Whether this project's message stands for the recorded one.
    public static func agree(_ ours: String, _ recorded: String) -> Bool { isOne(recorded) && isExplained(ours) }
}
