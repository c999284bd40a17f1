/// Why a text is no XML document that can be used.
public struct XMLProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where, counted from 1; 0 where there is no place.
    public let line: Int
    public let column: Int
    /// What is wrong, in the words of WireMock's parser for the usual mistakes, in libxml2's for the rest.
    public let message: String
    /// Whether libxml2 is not installed: then nothing is wrong with the text.
    public let isUnavailable: Bool

    init(line: Int, column: Int, message: String, isUnavailable: Bool = false) {
        self.line = line
        self.column = column
        self.message = message
        self.isUnavailable = isUnavailable
    }

    /// As WireMock words it: "Content is not allowed in prolog.; line 1; column 1".
    public var description: String {
        line == 0 ? message : "\(message); line \(line); column \(column)"
    }
}
