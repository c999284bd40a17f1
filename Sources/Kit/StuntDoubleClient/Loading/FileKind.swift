#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The kind of what is at a path; links count as what they lead to.
enum FileKind {
    case folder
    case file

    /// Looks at a path; nil if nothing is there.
    init?(at path: String) {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
        self = isFolder ? .folder : .file
    }
}
