public import Platform

/// A file that holds the port for as long as the daemon runs. It appears whole: a script that waits for it to exist can
/// read it at once.
public struct PortFile: Sendable {
    private let path: String
    private let content: [UInt8]

    /// Removes the file that an earlier daemon has left, so that nobody reads a port from it that is not served. To be
    /// called before anything else can fail.
    /// - Throws: EEXIST where something else stands there: a folder, a link, or a file that holds more than a port.
    public static func removeStale(_ path: String) throws(SystemError) {
        guard let kind = (try? SystemCalls.status(of: path, followingLinks: false))?.kind else { return }
        guard kind == .file, try holdsPort(path) else {
            throw SystemError(code: SystemCalls.fileExists, call: "unlink", path: path)
        }
        try SystemCalls.removeFile(path)
    }

    /// Whether a file is empty, as `mktemp` makes one, or holds a port and a line end.
    private static func holdsPort(_ path: String) throws(SystemError) -> Bool {
        let file = try SystemCalls.open(path, .read)
        let bytes = try SystemCalls.readAll(file, limit: 64)
        let digits = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
        return bytes.isEmpty || UInt16(String(decoding: digits, as: UTF8.self)) != nil
    }

    /// Writes `port` and a newline into the file at `path`, in place of what it held.
    public init(path: String, port: Int) throws(SystemError) {
        self.path = path
        content = Array("\(port)\n".utf8)
        try SystemCalls.replaceFile(path, with: content)
    }

    /// Removes the file, unless it now holds another daemon's port. To be called at exit.
    public func remove() {
        guard let file = try? SystemCalls.open(path, .read),
            let found = try? SystemCalls.readAll(file, limit: 64), found == content
        else { return }
        try? SystemCalls.removeFile(path)
    }
}
