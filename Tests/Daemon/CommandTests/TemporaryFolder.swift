import Foundation
import SDPlatform
import Testing

/// A folder for one test, removed at its end.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        // The real path, because on macOS the usual one contains a link.
        let base = try SystemCalls.resolve(NSTemporaryDirectory())
        path = base + "/stuntdouble-test-\(SystemCalls.processIdentifier)-\(UInt64.random(in: 0...UInt64.max))"
        try SystemCalls.makeFolder(path)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func at(_ relativePath: String) -> String { path + "/" + relativePath }

    /// Writes a file and makes its folders.
    func write(_ relativePath: String, _ text: String) throws {
        try makeFolder((relativePath as NSString).deletingLastPathComponent)
        try Data(text.utf8).write(to: URL(fileURLWithPath: at(relativePath)))
    }

    /// Writes into an existing file, which keeps its inode.
    func overwrite(_ relativePath: String, _ text: String) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: at(relativePath)))
        defer { try? handle.close() }
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
    }

    func makeFolder(_ relativePath: String) throws {
        try FileManager.default.createDirectory(atPath: at(relativePath), withIntermediateDirectories: true)
    }

    func remove(_ relativePath: String) throws {
        try FileManager.default.removeItem(atPath: at(relativePath))
    }

    func move(_ old: String, to new: String) throws {
        try SystemCalls.rename(at(old), to: at(new))
    }

    func link(_ relativePath: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: at(relativePath), withDestinationPath: target)
    }

    func read(_ relativePath: String) throws -> String {
        try String(contentsOfFile: at(relativePath), encoding: .utf8)
    }
}

extension TemporaryFolder {
    func mode(_ relativePath: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: at(relativePath))[.posixPermissions] as? Int
    }

    func setMode(_ relativePath: String, _ mode: mode_t) throws {
        try #require(chmod(at(relativePath), mode) == 0)
    }

    /// Sets a file's modification time, in seconds since 1970.
    func setTime(_ relativePath: String, _ seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: at(relativePath))
    }

    func makePipe(_ relativePath: String) throws {
        try #require(mkfifo(at(relativePath), 0o600) == 0)
    }
}

/// Whether the system can deny this process access to a file.
let mayBeDenied = geteuid() != 0

/// Whether file names are plain bytes for the system.
#if os(Linux)
    let namesAreBytes = true
#else
    let namesAreBytes = false
#endif
