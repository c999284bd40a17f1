/// The place in a test's source at which something was expected, for failures that point there.
public struct CallSite: Sendable, Hashable, CustomStringConvertible {
    /// The module and the file: `AppTests/LoginTests.swift`.
    public var fileID: String
    /// The whole path of the file.
    public var filePath: String
    /// The line, from 1.
    public var line: Int
    /// The column, from 1.
    public var column: Int

    /// Makes a place; without arguments, the caller's own.
    public init(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

    /// File, line and column: `AppTests/LoginTests.swift:12:9`.
    public var description: String { "\(fileID):\(line):\(column)" }
}

/// An error that may know the place in the test whose call it is about.
package protocol PlacedError: Error {
    /// The place; nil if it is not known.
    var place: CallSite? { get }
    /// The error with this place, unless it has one.
    func placed(at callSite: CallSite) -> Self
}
