public import Foundation

/// The package's files that tests read, by their path from its root.
public enum PackageFiles {
    public static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    public static func url(_ path: String) -> URL { URL(fileURLWithPath: root + "/" + path) }

    /// The file's bytes.
    /// - Throws: if the file cannot be read.
    public static func data(_ path: String) throws -> Data { try Data(contentsOf: url(path)) }
}
