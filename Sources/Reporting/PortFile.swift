public import Platform

/// A file that holds the port for as long as the daemon runs. It appears whole: a script that waits for it to exist can
/// read it at once.
public struct PortFile: Sendable {
    private let path: String
    private let content: [UInt8]

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
