#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The files of a mocks folder in the daemon's layout: stub files in `mappings`, or without that folder anywhere except
/// in `__files`; message stubs in `message-mappings`; body files in `__files`.
struct MocksContents {
    /// The paths of the stub files relative to `stubRoot`, in byte order.
    private(set) var stubFiles: [String] = []
    /// The paths of the message stub files relative to `messageRoot`, in byte order.
    private(set) var messageFiles: [String] = []
    /// The paths of the body files, relative to `bodyRoot`.
    private(set) var bodyFiles: [String] = []
    let stubRoot: String
    /// The prefix of a stub file's path in a daemon that serves the folder, so that both derive the same stub ids.
    let stubPrefix: String
    let bodyRoot: String
    let messageRoot: String

    /// The folder of message stubs.
    static let messages = "message-mappings"
    /// The maximum folder depth; it also ends circular links.
    private static let deepest = 64
    private static let stubEndings = [".json", ".yaml", ".yml"]

    /// Lists the files of a folder.
    /// - Throws: `MockServerError` if the folder does not exist.
    init(of folder: String) throws(MockServerError) {
        guard FileKind(at: folder) == .folder else { throw MockServerError("there is no folder \(folder)") }
        let mappings = folder + "/mappings"
        stubRoot = FileKind(at: mappings) == .folder ? mappings : folder
        stubPrefix = stubRoot == folder ? "" : "mappings/"
        bodyRoot = folder + "/__files"
        messageRoot = folder + "/" + Self.messages
        let (others, endings) = (["__files", "node_modules"], Self.stubEndings)
        visit(stubRoot, "", besides: stubRoot == folder ? others + [Self.messages] : others) { path in
            if endings.contains(where: path.lowercased().hasSuffix) { stubFiles.append(path) }
        }
        visit(messageRoot, "", besides: others) { path in
            if endings.contains(where: path.lowercased().hasSuffix) { messageFiles.append(path) }
        }
        visit(bodyRoot, "", besides: []) { bodyFiles.append($0) }
        stubFiles.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        messageFiles.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
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
