package import SDSecrets
import Synchronization

/// What is hidden, which stub files may add to while they are served.
public final class RedactionSetting: Sendable {
    private struct State {
        var given: Redaction?
        var files: [String: [String]] = [:]
        var current: Redaction?
    }

    private let state: Mutex<State>

    /// - Parameter given: what the options hide; nil if they hide nothing.
    public init(_ given: Redaction? = nil) {
        state = Mutex(State(given: given, current: given))
    }

    /// What is hidden now; nil for nothing.
    public var current: Redaction? { state.withLock { $0.current } }

    /// The names of secrets, those that always are included, whether anything is hidden or not.
    package var names: SecretNames { (current ?? Redaction()).names }

    /// The files that give names.
    public var fileNames: [String] { state.withLock { $0.files.keys.filter { !$0.isEmpty } } }

    /// Adds names for good, as files do that a session loads: reports tell of it when it has ended.
    public func add(_ names: [String]) {
        // Of no file.
        let known = state.withLock { $0.files[""] ?? [] }
        let new = names.filter { !known.contains($0) }
        if !new.isEmpty { replace(known + new, of: "") }
    }

    /// Takes the names that a file gives; none if it gives none, or is gone.
    public func replace(_ names: [String], of file: String) {
        state.withLock { state in
            let former = state.files[file] ?? []
            guard former != names else { return }
            state.files[file] = names.isEmpty ? nil : names
            let all = state.files.values.flatMap { $0 }
            state.current = all.isEmpty ? state.given : (state.given ?? Redaction()).adding(all)
        }
    }
}
