public import SDPlatform

/// A file that contains the ports, each in a line, while the daemon runs. It appears in one step: a script that waits until it exists can
/// read it at once.
public struct PortFile: Sendable {
    private let path: String
    private let content: [UInt8]

    /// Removes the file of an earlier daemon, so that no reader gets a port that is not served. Call it before anything
    /// else can fail.
    /// - Throws: EEXIST for anything else at the path: a folder, a link, or a file with more than two ports.
    public static func removeStale(_ path: String) throws(SystemError) {
        guard let kind = (try? SystemCalls.status(of: path, followingLinks: false))?.kind else { return }
        guard kind == .file, try holdsPort(path) else {
            throw SystemError(code: SystemCalls.fileExists, call: "unlink", path: path)
        }
        try SystemCalls.removeFile(path)
    }

    /// Whether a file is empty, as made by `mktemp`, or contains a port or two, each with a line end.
    /// - Throws: if it cannot be read.
    private static func holdsPort(_ path: String) throws(SystemError) -> Bool {
        let file = try SystemCalls.open(path, .read)
        let bytes = try SystemCalls.readAll(file, limit: 64)
        let digits = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
        let lines = digits.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return bytes.isEmpty
            || lines.count <= 2 && lines.allSatisfy { UInt16(String(decoding: $0, as: UTF8.self)) != nil }
    }

    /// Writes the ports, each with a newline, to the file at `path`, replacing its content.
    /// - Throws: the failed system call.
    public init(path: String, ports: [Int]) throws(SystemError) {
        self.path = path
        content = Array(ports.map { "\($0)\n" }.joined().utf8)
        try SystemCalls.replaceFile(path, with: content)
    }

    /// Removes the file, unless it now contains another daemon's port. Call it at exit.
    public func remove() {
        guard let file = try? SystemCalls.open(path, .read),
            let found = try? SystemCalls.readAll(file, limit: 64), found == content
        else { return }
        try? SystemCalls.removeFile(path)
    }
}
