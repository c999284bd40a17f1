#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The kind of file at a path; symbolic links are followed.
enum FileKind {
    case folder
    case file

    /// Examines a path; nil if nothing exists there.
    init?(at path: String) {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
        self = isFolder ? .folder : .file
    }
}
