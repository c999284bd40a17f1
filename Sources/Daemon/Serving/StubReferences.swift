import SDPlatform
import Synchronization

/// The references of stub files to other files in the folder: routes that name OpenAPI documents, and documents that
/// refer to others.
final class StubReferences: Sendable {
    /// The references of a stub file, by path in the folder.
    struct Entry {
        /// The documents that it names; these are not served on their own.
        var named: Set<String> = []
        /// The other files to which its documents refer.
        var parts: Set<String> = []
        /// All files looked up because of it, with their state; nil for a missing file.
        var read: [String: FileStamp?] = [:]
    }

    private let kept = Mutex<[String: Entry]>([:])

    /// Replaces the references of a file; nil for a removed one.
    /// - Returns: the files that it no longer names or refers to.
    @discardableResult
    func replace(_ entry: Entry?, of file: String) -> Set<String> {
        kept.withLock { kept in
            let old = kept[file] ?? Entry()
            kept[file] = entry?.read.isEmpty == false ? entry : nil
            return old.named.union(old.parts).subtracting(entry.map { $0.named.union($0.parts) } ?? [])
        }
    }

    /// Adds the files looked up for a broken file: its references stay as before, and it is reread when one of these
    /// files changes.
    func add(read: [String: FileStamp?], of file: String) {
        guard !read.isEmpty else { return }
        kept.withLock { $0[file, default: Entry()].read.merge(read) { $1 } }
    }

    /// Whether another file names this document.
    func isNamed(_ document: String) -> Bool {
        kept.withLock { kept in kept.contains { $0.key != document && $0.value.named.contains(document) } }
    }

    /// Whether a document of another file refers to this one.
    func isPart(_ file: String) -> Bool {
        kept.withLock { kept in kept.contains { $0.key != file && $0.value.parts.contains(file) } }
    }

    /// The stub files that depend on any of these files, in order.
    func dependents(of files: [String]) -> [String] {
        let names = Set(files)
        return kept.withLock { kept in
            kept.filter { !names.contains($0.key) && $0.value.read.keys.contains(where: names.contains) }.map(\.key)
                .sorted()
        }
    }

    /// The files whose state has changed since they were looked up.
    /// - Parameters:
    ///   - matter: whether to check a file.
    ///   - state: the current state of a file; nil if it is missing.
    func changed(where matter: (String) -> Bool, _ state: (String) -> FileStamp?) -> [String] {
        let read = kept.withLock { kept in
            kept.isEmpty ? [:] : kept.values.reduce(into: [:]) { $0.merge($1.read) { first, _ in first } }
        }
        return read.filter { matter($0.key) && state($0.key) != $0.value }.map(\.key).sorted()
    }
}
