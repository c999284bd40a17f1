public import SDPlatform

/// A file with the ports, one per line, while the daemon runs. It appears atomically: a script that waits for it can
/// read it at once.
public struct PortFile: Sendable {
    private let path: String
    private let content: [UInt8]

    /// Removes an earlier daemon's file, whose port is no longer served. Call it before anything else can fail.
    /// - Throws: EEXIST for anything else at the path: a folder, a link, or a file with more than two ports.
    public static func removeStale(_ path: String) throws(SystemError) {
        guard let kind = (try? SystemCalls.status(of: path, followingLinks: false))?.kind else { return }
        guard kind == .file, try holdsPort(path) else {
            throw SystemError(code: SystemCalls.fileExists, call: "unlink", path: path)
        }
        try SystemCalls.removeFile(path)
    }

    /// Whether a file is empty, as made by `mktemp`, or contains one or two ports, each with a line end.
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
