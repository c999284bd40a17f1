public import Platform

/// What became of a stub file.
public struct FileChange: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// The file is new or has a new content.
        case changed(StubFile)
        case removed
        /// The file is there and cannot be read.
        case unreadable(SystemError)
    }

    /// The path for messages: the folder as the user named it, and the file in it.
    public var path: String
    /// The path in the folder.
    public var relativePath: String
    public var kind: Kind
}

/// What is known of the files of a folder, to tell what changed.
struct KnownFiles {
    /// By path in the folder; nil for a file that could not be read.
    private(set) var identities: [String: FileIdentity?] = [:]

    init() {}

    init(_ contents: StubFolderContents) {
        identities.reserveCapacity(contents.files.count)
        for file in contents.files { identities[file.relativePath] = .some(file.identity) }
    }

    mutating func note(_ file: StubFile) {
        identities[file.relativePath] = .some(file.identity)
    }

    mutating func noteRemoval(_ relativePath: String) {
        identities.removeValue(forKey: relativePath)
    }

    /// Compares the files at and below `paths` with what is known, and knows them from then on.
    ///
    /// - Parameter isSettled: whether a file of this identity is written to the end; one that is not is left for later.
    mutating func changes(
        of folder: StubFolder, at paths: Set<String>, isSettled: (String, FileIdentity) -> Bool = { _, _ in true }
    ) -> [FileChange] {
        let present = present(in: folder, at: paths)
        var changes: [FileChange] = []
        for path in goneFiles(at: paths, present: present) {
            changes.append(FileChange(path: join(folder.path, path), relativePath: path, kind: .removed))
        }
        for change in changes { identities.removeValue(forKey: change.relativePath) }
        for (path, identity) in present where identities[path] != .some(.some(identity)) {
            guard isSettled(path, identity) else { continue }
            let fullPath = join(folder.path, path)
            do throws(SystemError) {
                let file = try folder.read(path)
                identities[path] = .some(file.identity)
                changes.append(FileChange(path: fullPath, relativePath: path, kind: .changed(file)))
            } catch {
                // What vanished since it was seen is told as removed when that is seen.
                if error.isNotFound { continue }
                // Said once, until the file can be read or is gone.
                if identities.updateValue(nil, forKey: path) == .some(nil) { continue }
                changes.append(FileChange(path: fullPath, relativePath: path, kind: .unreadable(error)))
            }
        }
        changes.sort { precedes($0.relativePath, $1.relativePath) }
        return changes
    }

    /// Takes all files for removed.
    mutating func removeAll(of folder: StubFolder) -> [FileChange] {
        let paths = identities.keys.sorted(by: precedes)
        identities = [:]
        return paths.map { FileChange(path: join(folder.path, $0), relativePath: $0, kind: .removed) }
    }

    /// The stub files at and below `paths`; an empty path is the whole folder.
    private func present(in folder: StubFolder, at paths: Set<String>) -> [String: FileIdentity] {
        var present: [String: FileIdentity] = [:]
        guard let root = folder.stubRoot() else { return present }
        let isWhole = paths.contains("")
        for path in isWhole ? [root] : paths {
            folder.visit(path) { found in
                guard case .file(let file) = found else { return }
                present[file] = (try? SystemCalls.status(of: join(folder.path, file)))?.identity
            }
            if let status = try? SystemCalls.status(of: join(folder.path, path)), status.kind == .file,
                StubFolder.isStubName(path.split(separator: "/").last.map { String($0) } ?? "")
            {
                present[path] = status.identity
            }
        }
        return present
    }

    /// The known files at and below `paths` that are not present.
    private func goneFiles(at paths: Set<String>, present: [String: FileIdentity]) -> [String] {
        if paths.contains("") { return identities.keys.filter { present[$0] == nil } }
        var gone: [String] = []
        // A path that is known as a file was none of a folder, so that nothing known lies below it.
        var folders: Set<Substring> = []
        for path in paths {
            if identities[path] == nil {
                folders.insert(path[...])
            } else if present[path] == nil {
                gone.append(path)
            }
        }
        guard !folders.isEmpty else { return gone }
        for file in identities.keys where present[file] == nil {
            var folder = file[...]
            while let slash = folder.lastIndex(of: "/") {
                folder = folder[..<slash]
                if folders.contains(folder) {
                    gone.append(file)
                    break
                }
            }
        }
        return gone
    }
}
