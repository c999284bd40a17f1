#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Finds the folder that a test names.
package enum MocksFolder {
    /// Looks for a folder within the working folder, and then within each folder above the file of the test.
    /// - Throws: an error with the places.
    package static func find(_ name: String, near filePath: String) throws(MockServerError) -> String {
        if name.hasPrefix("/") {
            guard isFolder(name) else { throw MockServerError("there is no folder \(name)") }
            return name
        }
        var places = ["\(FileManager.default.currentDirectoryPath)/\(name)"]
        var folder = filePath[...]
        while let end = folder.lastIndex(of: "/"), end > folder.startIndex {
            folder = folder[..<end]
            places.append("\(folder)/\(name)")
        }
        if let found = places.first(where: isFolder) { return found }
        throw MockServerError("there is no folder \(name): looked for \(places.joined(separator: ", "))")
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }
}
