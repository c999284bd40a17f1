/// A location in a stub file.
public struct FileLocation: Sendable, Hashable {
    /// The file, relative to the mocks folder.
    public let file: String
    /// The line, from 1; nil if unknown.
    public let line: Int?

    public init(file: String, line: Int?) {
        self.file = file
        self.line = line
    }

    /// The location as text, `shop.yaml:12`.
    /// - Parameter folder: a prefix for the file's path.
    public func text(in folder: String? = nil) -> String {
        let path = folder.map { $0.hasSuffix("/") ? $0 + file : $0 + "/" + file } ?? file
        return line.map { "\(path):\($0)" } ?? path
    }
}
