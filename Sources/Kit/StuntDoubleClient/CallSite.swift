/// A source location in a test: the call that a failure points to.
public struct CallSite: Sendable, Hashable, CustomStringConvertible {
    /// The module and the file: `AppTests/LoginTests.swift`.
    public var fileID: String
    /// The whole path of the file.
    public var filePath: String
    /// The line, from 1.
    public var line: Int
    /// The column, from 1.
    public var column: Int

    /// Makes a call site; without arguments, that of the caller.
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

/// An error that may carry the call site of the failed call.
package protocol CallSiteError: Error {
    /// The call site; nil if it is not known.
    var place: CallSite? { get }
    /// The error with this call site, unless it already has one.
    func placed(at callSite: CallSite) -> Self
}
