import SDCommand
import SDPlatform
import SDStubModel

/// Where the runs of a user with one folder and the same options find the daemon that they share: its socket, a lock
/// under which it is begun and ended, and its log.
struct RunPlace: Sendable {
    private let path: String

    var socketPath: String { path + ".sock" }
    /// One for all daemons: it is held for moments, and what nobody removes does not add up.
    var lockPath: String { SystemCalls.parent(of: path) + "/run.lock" }
    var logPath: String { path + ".log" }

    /// The longest path of a folder in which sockets fit.
    private static let longestFolder = 80

    /// The place of a daemon with these options; nil if there is no folder for it that is the user's alone.
    init?(_ options: ServeOptions) {
        guard let folder = Self.folder() else { return nil }
        path = "\(folder)/run-" + Self.key(options)
    }

    /// The user's folder for what lives as long as processes do.
    static func folder() -> String? {
        let named = SystemCalls.environmentVariable("XDG_RUNTIME_DIR").map { $0 + "/stuntdouble" }
        for path in [named, "/tmp/stuntdouble-\(SystemCalls.userNumber)"] {
            guard let path, path.hasPrefix("/"), path.utf8.count <= longestFolder else { continue }
            try? SystemCalls.makeFolder(path, isPrivate: true)
            if SystemCalls.isPrivateFolder(path) { return path }
        }
        return nil
    }

    /// A name made of all that has to be the same: program, folder, options, and what the daemon reads of the
    /// environment.
    private static func key(_ options: ServeOptions) -> String {
        var options = options
        options.root.path = (try? SystemCalls.resolve(options.root.path)) ?? options.root.path
        var parts = [Manual.version]
        if let program = (try? SystemCalls.status(of: "/proc/self/exe"))?.identity {
            parts.append("program \(program.device) \(program.inode) \(program.size) \(program.modified)")
        }
        parts.append("folder " + ((try? SystemCalls.resolve(".")) ?? ""))
        parts.append(options.identity)
        for name in ["HOME", "XDG_STATE_HOME", "TZ", "LANG", "LC_ALL"] {
            parts.append(name + "=" + (SystemCalls.environmentVariable(name) ?? ""))
        }
        // Templates read them.
        parts += SystemCalls.environment(prefixes: ["wiremock"]).sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
        let text = parts.joined(separator: "\0")
        return String(StubMapping.id(hashing: text).lowercasedString.filter { $0 != "-" }.prefix(16))
    }
}
