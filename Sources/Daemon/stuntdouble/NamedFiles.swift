import Command
import Folders
import Platform
import StubFiles

/// Files and folders that were named one by one, as by a commit hook, assigned to the folders to which they belong.
struct NamedFiles {
    private(set) var folders: [String] = []
    /// The files by the folder whose `__files` have their bodies.
    private(set) var files: [(root: String, files: [Folders.StubFile])] = []
    /// Files that cannot contain stubs in any folder.
    private(set) var problems: [FileDiagnostic] = []
    /// Other files, such as body files, and the reasons why they are skipped.
    private(set) var passedOver: [String: String] = [:]

    init(_ paths: [String]) throws(CommandLineError) {
        var byRoot: [String: [Folders.StubFile]] = [:]
        for path in paths {
            if SystemCalls.isFolder(path) {
                folders.append(path)
                continue
            }
            guard (try? SystemCalls.status(of: path)) != nil else { throw .noSuchPath(path) }
            let whole = (try? SystemCalls.resolve(SystemCalls.parent(of: path))) ?? SystemCalls.parent(of: path)
            let folders = whole.split(separator: "/").map(String.init)
            if let reason = Self.reasonToPassOver(folders, SystemCalls.lastName(of: path)) {
                passedOver[path] = reason
            } else if StubFiles.StubFile.Format(path: path) == nil {
                add(path, "no stub file by its name", expected: "a name that ends with .json, .yaml or .yml")
            } else {
                let root = Self.root(of: folders)
                let relative = (folders.dropFirst(root.count) + [String(SystemCalls.lastName(of: path))])
                if let file = read(path, relative.joined(separator: "/")) {
                    byRoot["/" + root.joined(separator: "/"), default: []].append(file)
                }
            }
        }
        // Files are in the order of their names, however they were named.
        files = byRoot.sorted { $0.key < $1.key }.map { root, files in
            (root, files.sorted { $0.relativePath.utf8.lexicographicallyPrecedes($1.relativePath.utf8) })
        }
    }

    private mutating func read(_ path: String, _ relativePath: String) -> Folders.StubFile? {
        do throws(SystemError) {
            let descriptor = try SystemCalls.open(path, .read)
            let status = try SystemCalls.status(of: descriptor)
            let bytes = try SystemCalls.readAll(descriptor, limit: StubFolder.largestFile, path: path)
            return Folders.StubFile(
                path: path, relativePath: relativePath, bytes: bytes, identity: status.identity)
        } catch {
            add(path, error.reason)
            return nil
        }
    }

    private mutating func add(_ path: String, _ message: String, expected: String? = nil) {
        problems.append(
            FileDiagnostic(severity: .error, file: path, position: nil, message: message, expected: expected))
    }

    /// The reason why a daemon would never read stubs from the file.
    private static func reasonToPassOver(_ folders: [String], _ name: Substring) -> String? {
        if folders.contains("__files") { return "it is a body file" }
        if folders.contains("node_modules") { return "it is in node_modules" }
        return name.hasPrefix(".") ? "its name is hidden" : nil
    }

    /// The nearest enclosing folder with body files, or with the `mappings` that contain the file; the file's own
    /// folder without either.
    private static func root(of folders: [String]) -> [String] {
        for count in stride(from: folders.count, to: 0, by: -1) {
            let candidate = folders.prefix(count)
            if candidate.last == "mappings" { return Array(candidate.dropLast()) }
            if SystemCalls.isFolder("/" + candidate.joined(separator: "/") + "/__files") { return Array(candidate) }
        }
        return folders
    }
}
