import SDFolders
import Synchronization
import Testing

/// Tracks the contents of a watched folder by what the watch reports.
final class FolderMirror: Sendable {
    struct State {
        var files: [String: String] = [:]
        var changes: [FileChange] = []
    }

    private let state = Mutex(State())
    private let updates = AsyncStream<Void>.makeStream()

    func apply(_ changes: [FileChange]) {
        state.withLock { state in
            state.changes += changes
            for change in changes {
                switch change.kind {
                case .changed(let file): state.files[file.relativePath] = String(decoding: file.bytes, as: UTF8.self)
                case .removed: state.files[change.relativePath] = nil
                case .unused, .unreadable: break
                }
            }
        }
        updates.continuation.yield()
    }

    var changes: [FileChange] { state.withLock { $0.changes } }

    /// Waits until the files, besides some, are as given; records an issue if they are not within a minute.
    func expect(
        _ files: [String: String], besides others: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        func isShown() -> Bool { state.withLock { $0.files.filter { !others.contains($0.key) } == files } }
        let isReached = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                if isShown() { return true }
                for await _ in self.updates.stream where isShown() { return true }
                return false
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(60))
                // If all threads are busy, this task may run before the other one.
                return isShown()
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        let difference = isReached ? "" : difference(from: files)
        #expect(isReached, "\(difference)", sourceLocation: sourceLocation)
    }

    /// What is wrong for each path that is, and what was reported about it.
    private func difference(from expected: [String: String]) -> String {
        let (found, changes) = state.withLock { ($0.files, $0.changes) }
        let wrong = Set(expected.keys).union(found.keys).filter { expected[$0] != found[$0] }
        return wrong.sorted().map { path in
            let reports = changes.indices.filter { changes[$0].relativePath == path }.map { index in
                switch changes[index].kind {
                case .changed(let file): "\(index): \(String(decoding: file.bytes, as: UTF8.self)), \(file.identity)"
                case let other: "\(index): \(other)"
                }
            }
            return "\(path): expected \(expected[path] ?? "none"), found \(found[path] ?? "none"), reported \(reports)"
        }.joined(separator: "\n")
    }
}
