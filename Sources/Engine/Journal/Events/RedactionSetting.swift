package import SDSecrets
import Synchronization

/// The current redaction. Stub files may add names while they are served.
public final class RedactionSetting: Sendable {
    private struct State {
        var given: Redaction?
        var files: [String: [String]] = [:]
        var current: Redaction?
    }

    private let state: Mutex<State>

    /// - Parameter given: the redaction of the options; nil to hide nothing.
    public init(_ given: Redaction? = nil) {
        state = Mutex(State(given: given, current: given))
    }

    /// The current redaction; nil to hide nothing.
    public var current: Redaction? { state.withLock { $0.current } }

    /// The names of secrets, including the built-in ones, also if nothing is hidden.
    package var names: SecretNames { (current ?? Redaction()).names }

    /// The files that declare names.
    public var fileNames: [String] { state.withLock { $0.files.keys.filter { !$0.isEmpty } } }

    /// Adds names permanently, as files do that a session loads: reports may show their values after the session has
    /// ended.
    public func add(_ names: [String]) {
        // The empty key stands for no file.
        let known = state.withLock { $0.files[""] ?? [] }
        let new = names.filter { !known.contains($0) }
        if !new.isEmpty { replace(known + new, of: "") }
    }

    /// Replaces the names that a file declares; an empty list if the file was removed.
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
