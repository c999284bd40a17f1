import SDCommand
import SDFolders
import SDJSON
import SDPlatform
import SDStubFiles

/// Files and folders named individually, as by a commit hook, assigned to their stub folders.
struct NamedFiles {
    private(set) var folders: [String] = []
    /// The files by stub folder, whose `__files` has their bodies.
    private(set) var files: [(root: String, files: [FolderFile])] = []
    /// The named paths that do not exist, cannot be read, or cannot contain stubs.
    private(set) var problems: [FileDiagnostic] = []
    /// Other files, such as body files, and why they are skipped.
    private(set) var passedOver: [String: String] = [:]

    /// Collects the files. A path named twice counts once.
    init(_ paths: [String]) {
        var known: Set<String> = []
        // Folders first: their files belong to them, even if also named individually.
        for path in paths where SystemCalls.isFolder(path) {
            if known.insert(Self.resolved(path)).inserted { folders.append(path) }
        }
        let covered = folders.flatMap { StubFolder(path: $0).placesOfStubs.map(Self.resolved) }
        var byRoot: [String: [FolderFile]] = [:]
        for path in paths where !SystemCalls.isFolder(path) {
            let resolved = Self.resolved(path)
            guard known.insert(resolved).inserted else { continue }
            guard let kind = (try? SystemCalls.status(of: path))?.kind else {
                add(path, "no such file or folder")
                continue
            }
            let folder = SystemCalls.parent(of: path)
            // A pipe has no folder; its content belongs to the working folder.
            let place = kind == .file ? Self.resolved(folder) : Self.resolved(".")
            let folders = place.split(separator: "/").map(String.init)
            let name = SystemCalls.lastName(of: path)
            if kind == .file, let reason = Self.reasonToPassOver(folders, name) {
                passedOver[path] = reason
            } else if kind == .file, StubFile.Format(path: path) == nil {
                add(path, "not the name of a stub file", expected: "a name that ends in .json, .yaml or .yml")
            } else if kind != .file || !covered.contains(where: { resolved.hasPrefix($0 + "/") }) {
                let root = Self.root(of: folders)
                let relative = folders.dropFirst(root.count) + [String(name)]
                if let file = read(path, relative.joined(separator: "/")) {
                    byRoot["/" + root.joined(separator: "/"), default: []].append(file)
                }
            }
        }
        // Sorted by name, however they were named.
        files = byRoot.sorted { $0.key < $1.key }.map { root, files in
            (root, files.sorted { $0.relativePath.utf8.lexicographicallyPrecedes($1.relativePath.utf8) })
        }
    }

    /// The path with links resolved; unchanged if that fails.
    private static func resolved(_ path: String) -> String { (try? SystemCalls.resolve(path)) ?? path }

    private mutating func read(_ path: String, _ relativePath: String) -> FolderFile? {
        do throws(SystemError) {
            let descriptor = try SystemCalls.open(path, .readWaiting)
            let status = try SystemCalls.status(of: descriptor)
            let bytes = try SystemCalls.readAll(
                descriptor, limit: StubFolder.largestFile, path: path, waiting: status.kind != .file)
            let hasFormat = StubFile.Format(path: relativePath) != nil
            return FolderFile(
                path: path, relativePath: hasFormat ? relativePath : relativePath + Self.ending(for: bytes),
                bytes: bytes,
                identity: status.identity)
        } catch {
            add(path, error.reason)
            return nil
        }
    }

    /// The extension for content from a pipe: `.json` if it starts with a brace or a bracket.
    private static func ending(for bytes: [UInt8]) -> String {
        let first = bytes.first { $0 > 0x20 }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? ".json" : ".yaml"
    }

    private mutating func add(_ path: String, _ message: String, expected: String? = nil) {
        problems.append(
            FileDiagnostic(severity: .error, file: path, position: nil, message: message, expected: expected))
    }

    /// Why a daemon would not read stubs from the file; nil if it would.
    private static func reasonToPassOver(_ folders: [String], _ name: Substring) -> String? {
        if folders.contains("__files") { return "it is a body file" }
        if folders.contains("node_modules") { return "it is in node_modules" }
        return name.hasPrefix(".") ? "its name is hidden" : nil
    }

    /// The nearest enclosing folder with body files, or with the `mappings` that contain the file; otherwise the file's
    /// own folder.
    private static func root(of folders: [String]) -> [String] {
        for count in stride(from: folders.count, to: 0, by: -1) {
            let candidate = folders.prefix(count)
            if candidate.last == "mappings" { return Array(candidate.dropLast()) }
            if SystemCalls.isFolder("/" + candidate.joined(separator: "/") + "/__files") { return Array(candidate) }
        }
        return folders
    }
}
