import SDCommand
import SDPlatform
import SDStubModel

/// The files through which runs with the same folder and options find their shared daemon: its socket, its log, and the
/// lock for starting and stopping it.
struct RunFiles: Sendable {
    private let path: String

    var socketPath: String { path + ".sock" }
    /// One lock for all daemons: it is held briefly, and a file per daemon would accumulate.
    var lockPath: String { SystemCalls.parent(of: path) + "/run.lock" }
    var logPath: String { path + ".log" }

    /// The maximum length of a folder's path that leaves room for a socket's name.
    private static let longestFolder = 80

    /// The location for a daemon with these options; nil if there is no folder private to the user.
    init?(_ options: ServeOptions) {
        guard let folder = Self.folder() else { return nil }
        path = "\(folder)/run-" + Self.key(options)
    }

    /// The user's folder for run-time files.
    static func folder() -> String? {
        let named = SystemCalls.environmentVariable("XDG_RUNTIME_DIR").map { $0 + "/stuntdouble" }
        for path in [named, "/tmp/stuntdouble-\(SystemCalls.userNumber)"] {
            guard let path, path.hasPrefix("/"), path.utf8.count <= longestFolder else { continue }
            try? SystemCalls.makeFolder(path, isPrivate: true)
            if SystemCalls.isPrivateFolder(path) { return path }
        }
        return nil
    }

    /// A name derived from everything that must be equal: program, folder, options, and the environment that the daemon
    /// reads.
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
