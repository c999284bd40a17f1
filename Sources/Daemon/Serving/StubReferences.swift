import Synchronization

/// Which stub files depend on which other files of the folder: routes that name OpenAPI documents, and documents that
/// refer to others.
final class StubReferences: Sendable {
    private struct Kept {
        /// The documents that a file of routes names, and which are then not served on their own.
        var named: [String: Set<String>] = [:]
        /// The files that are read because of a stub file.
        var read: [String: Set<String>] = [:]
    }

    private let kept = Mutex(Kept())

    /// Takes what a file names and reads; nothing for one that is gone.
    /// - Returns: the documents that it named before and does not any more.
    @discardableResult
    func replace(named: Set<String>, read: Set<String>, of file: String) -> Set<String> {
        kept.withLock { kept in
            let old = kept.named[file] ?? []
            kept.named[file] = named.isEmpty ? nil : named
            kept.read[file] = read.isEmpty ? nil : read
            return old.subtracting(named)
        }
    }

    /// Whether another file names this document.
    func isNamed(_ document: String) -> Bool {
        kept.withLock { kept in kept.named.contains { $0.key != document && $0.value.contains(document) } }
    }

    /// The stub files that depend on any of these files, in order.
    func dependents(of files: [String]) -> [String] {
        let files = Set(files)
        return kept.withLock { kept in
            kept.read.filter { !$0.value.isDisjoint(with: files) }.map(\.key).filter { !files.contains($0) }.sorted()
        }
    }
}
