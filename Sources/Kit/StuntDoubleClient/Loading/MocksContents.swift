#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The files of a folder in the layout that the daemon serves: stub files in `mappings`, or without that anywhere but
/// in `__files`, and body files in `__files`.
struct MocksContents {
    /// The paths of the stub files in the order of their bytes, relative to `stubRoot`.
    private(set) var stubFiles: [String] = []
    /// The paths of the body files, relative to `bodyRoot`.
    private(set) var bodyFiles: [String] = []
    let stubRoot: String
    /// What stands before the path of a stub file where a daemon serves the folder: the same files have the same stubs.
    let stubPrefix: String
    let bodyRoot: String

    /// The deepest nesting of folders; circular links end here.
    private static let deepest = 64
    private static let stubEndings = [".json", ".yaml", ".yml"]

    /// Looks at a folder.
    /// - Throws: if there is none.
    init(of folder: String) throws(MockServerError) {
        guard FileKind(at: folder) == .folder else { throw MockServerError("there is no folder \(folder)") }
        let mappings = folder + "/mappings"
        stubRoot = FileKind(at: mappings) == .folder ? mappings : folder
        stubPrefix = stubRoot == folder ? "" : "mappings/"
        bodyRoot = folder + "/__files"
        visit(stubRoot, "", besides: ["__files", "node_modules"]) { path in
            if Self.stubEndings.contains(where: path.lowercased().hasSuffix) { stubFiles.append(path) }
        }
        visit(bodyRoot, "", besides: []) { bodyFiles.append($0) }
        stubFiles.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func visit(_ root: String, _ path: String, besides: [String], depth: Int = 0, _ use: (String) -> Void) {
        let folder = path.isEmpty ? root : "\(root)/\(path)"
        guard depth < Self.deepest, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            return
        }
        for name in names where !name.hasPrefix(".") && !besides.contains(name) {
            let inner = path.isEmpty ? name : "\(path)/\(name)"
            if FileKind(at: "\(root)/\(inner)") == .folder {
                visit(root, inner, besides: besides, depth: depth + 1, use)
            } else {
                use(inner)
            }
        }
    }
}
