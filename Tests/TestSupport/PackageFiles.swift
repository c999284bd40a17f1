public import Foundation

/// The files of the package that tests read, by their path from its root.
public enum PackageFiles {
    public static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    public static func url(_ path: String) -> URL { URL(fileURLWithPath: root + "/" + path) }

    /// - Throws: where the file cannot be read.
    public static func data(_ path: String) throws -> Data { try Data(contentsOf: url(path)) }
}
