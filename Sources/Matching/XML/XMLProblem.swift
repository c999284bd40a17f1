/// Why a text is not a usable XML document.
public struct XMLProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line and column, from 1; 0 if there is no position.
    public let line: Int
    public let column: Int
    /// The message: for common errors in the words of WireMock's parser, for others in libxml2's.
    public let message: String
    /// Whether libxml2 is not installed; the text may be valid.
    public let isUnavailable: Bool

    init(line: Int, column: Int, message: String, isUnavailable: Bool = false) {
        self.line = line
        self.column = column
        self.message = message
        self.isUnavailable = isUnavailable
    }

    /// The message in WireMock's layout: "Content is not allowed in prolog.; line 1; column 1".
    public var description: String {
        line == 0 ? message : "\(message); line \(line); column \(column)"
    }
}
