import Foundation

/// A folder for one test, removed with this object.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        path = NSTemporaryDirectory() + "stuntdouble-test-\(UUID().uuidString.lowercased())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file and its folders; the file appears under its name in one step.
    public func write(_ name: String, _ text: String) throws {
        let url = URL(fileURLWithPath: path).appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url, options: .atomic)
    }

    /// Writes a program, and returns its path. A child does it: what this process writes itself is busy for as long as a
    /// child that another test has just started holds the descriptor, too.
    @discardableResult
    public func writeProgram(_ name: String, _ text: String) throws -> String {
        let scratch = try TemporaryFolder()
        let script = #"mkdir -p "${2%/*}" && printf %s "$1" > "$2" && chmod 755 "$2""#
        let file = path + "/" + name
        let child = try ChildProcess("/bin/sh", ["-c", script, "sh", text, file], outputsIn: scratch)
        guard child.wait() == .exited(0) else { throw ProgramNotWritten(path: file, reason: child.errors) }
        return file
    }

    private struct ProgramNotWritten: Error {
        let path: String
        let reason: String
    }

    /// Makes a symbolic link.
    public func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
    }

    public func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path + "/" + name)
    }

    public func read(_ name: String) throws -> String {
        try Self.read(path + "/" + name)
    }

    /// The names of the files below the folder, sorted.
    public var files: [String] {
        let names = FileManager.default.enumerator(atPath: path)?.allObjects.compactMap { $0 as? String } ?? []
        var isFolder: ObjCBool = false
        return names.filter {
            FileManager.default.fileExists(atPath: path + "/" + $0, isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }

    /// Reads a file without Foundation, which leaks a page for each small file.
    static func read(_ path: String) throws -> String {
        guard let file = fopen(path, "r") else { throw CallFailure("open \(path)") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
