#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Resolves a folder or file named by a test.
package enum MocksFolder {
    /// Searches in the folder of the test's file, in its parents up to the package's folder, then in the working
    /// folder.
    /// - Throws: `MockServerError` with the searched paths.
    package static func find(_ name: String, near filePath: String) throws(MockServerError) -> String {
        try find(name, near: filePath, .folder)
    }

    static func find(_ name: String, near filePath: String, _ kind: FileKind) throws(MockServerError) -> String {
        let what = kind == .folder ? "folder" : "file"
        if name.hasPrefix("/") {
            guard FileKind(at: name) == kind else { throw MockServerError("there is no \(what) \(name)") }
            return name
        }
        var places = folders(above: filePath).map { "\($0)/\(name)" }
        places.append("\(FileManager.default.currentDirectoryPath)/\(name)")
        if let found = places.first(where: { FileKind(at: $0) == kind }) { return found }
        throw MockServerError("there is no \(what) \(name): looked for \(places.joined(separator: ", "))")
    }

    /// The folders above a file, up to the one with a package manifest or an Xcode project.
    private static func folders(above file: String) -> [String] {
        var folders: [String] = []
        var folder = file[...]
        while let end = folder.lastIndex(of: "/"), end > folder.startIndex {
            folder = folder[..<end]
            folders.append(String(folder))
            let names = (try? FileManager.default.contentsOfDirectory(atPath: String(folder))) ?? []
            let isRoot = names.contains {
                $0 == "Package.swift" || $0.hasSuffix(".xcodeproj") || $0.hasSuffix(".xcworkspace")
            }
            if isRoot { break }
        }
        return folders
    }
}
