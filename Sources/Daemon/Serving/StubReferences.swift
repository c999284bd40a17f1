import SDPlatform
import Synchronization

/// Which stub files depend on which other files of the folder: routes that name OpenAPI documents, and documents that
/// refer to others.
final class StubReferences: Sendable {
    /// What a stub file says of others, by their paths in the folder.
    struct Entry {
        /// The documents that it names, and which are then not served on their own.
        var named: Set<String> = []
        /// The other files to which its documents refer.
        var parts: Set<String> = []
        /// All files that were looked for because of it, as they were then; nil for one that was not there.
        var read: [String: FileIdentity?] = [:]
    }

    private let kept = Mutex<[String: Entry]>([:])

    /// Takes what a file says of others; nil for one that is gone.
    /// - Returns: the files that it named or referred to before and does not any more.
    @discardableResult
    func replace(_ entry: Entry?, of file: String) -> Set<String> {
        kept.withLock { kept in
            let old = kept[file] ?? Entry()
            kept[file] = entry?.read.isEmpty == false ? entry : nil
            return old.named.union(old.parts).subtracting(entry.map { $0.named.union($0.parts) } ?? [])
        }
    }

    /// Takes which files were looked for because of a file that is broken: it is as it was before, and read again when
    /// one of them changes.
    func add(read: [String: FileIdentity?], of file: String) {
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

    /// The files that are not as they were when they were looked for.
    /// - Parameters:
    ///   - matter: whether a file is asked about.
    ///   - state: gives what a file is now; nil if it is not there.
    func changed(where matter: (String) -> Bool, _ state: (String) -> FileIdentity?) -> [String] {
        let read = kept.withLock { kept in
            kept.isEmpty ? [:] : kept.values.reduce(into: [:]) { $0.merge($1.read) { first, _ in first } }
        }
        return read.filter { matter($0.key) && state($0.key) != $0.value }.map(\.key).sorted()
    }
}
