import SDJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The folder of a recording: one file of routes, replaced as a whole, and large bodies below `__files`.
struct RecordingFolder {
    let path: String

    /// - Parameter name: an absolute path, or one relative to the calling file.
    init(_ name: String, near filePath: String) {
        let folder = filePath.lastIndex(of: "/").map { filePath[..<$0] } ?? "."
        path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
    }

    /// Whether the folder has no stub files, recorded or handwritten.
    var isEmpty: Bool { (try? MocksContents(of: path).stubFiles.isEmpty) ?? true }

    /// Writes the files returned by the daemon: each with its `path`, and `text` or `base64`.
    /// - Throws: `MockServerError` if one cannot be written.
    func write(_ files: [JSONValue]) throws(MockServerError) {
        for file in files {
            let target = "\(path)/\(file["path"]?.stringValue ?? "recorded.yaml")"
            let base64 = file["base64"]?.stringValue.flatMap { Data(base64Encoded: $0) }
            let content = base64 ?? Data((file["text"]?.stringValue ?? "").utf8)
            let url = URL(fileURLWithPath: target)
            do {
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try content.write(to: url, options: .atomic)
            } catch {
                throw MockServerError("\(target) cannot be written: \(error)")
            }
        }
    }
}
