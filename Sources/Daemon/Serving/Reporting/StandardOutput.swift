/// The daemon's standard output. Callers never wait for its reader: see `LineWriter`.
public struct StandardOutput: Sendable {
    private let writer: LineWriter

    /// Makes an output.
    /// - Parameter descriptor: an open file that stays open; standard output by default.
    public init(descriptor: Int32 = 1) {
        // A single line always fits.
        writer = LineWriter(descriptor: descriptor) { _ in "" }
    }

    /// Prints a line.
    /// - Parameter line: the line, including its newline.
    public func print(_ line: String) {
        writer.write(line)
    }

    /// Waits until everything is printed, or the time is up.
    public func flush(milliseconds: Int64 = 1_000) {
        writer.flush(milliseconds: milliseconds)
    }
}
