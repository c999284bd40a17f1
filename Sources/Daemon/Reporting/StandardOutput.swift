/// What the daemon prints for those who wait for it. Nobody waits for it to be read: see `LineWriter`.
public struct StandardOutput: Sendable {
    private let writer: LineWriter

    /// - Parameter descriptor: an open file that stays open; standard output by default.
    public init(descriptor: Int32 = 1) {
        // One line is never more than there is room for.
        writer = LineWriter(descriptor: descriptor) { _ in "" }
    }

    /// Prints a line.
    /// - Parameter line: with the newline at its end.
    public func print(_ line: String) {
        writer.write(line)
    }

    /// Waits until all is printed, or the time is over.
    public func flush(milliseconds: Int64 = 1_000) {
        writer.flush(milliseconds: milliseconds)
    }
}
