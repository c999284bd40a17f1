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

    /// Why the file cannot be read, if that is what became of it.
    public var problem: StubFileProblem? {
        guard case .unreadable(let error) = kind else { return nil }
        return StubFileProblem(path: path, relativePath: relativePath, error: error)
    }
}

/// What is known of the files of a folder, to tell what changed.
struct KnownFiles {
    /// By path in the folder; nil for a file that could not be read.
    private(set) var identities: [String: FileIdentity?] = [:]
    /// Folders whose names were not to be had when they were last asked for, and files that could not be read.
    private(set) var unreadable: Set<String> = []

    init() {}

    init(_ contents: StubFolderContents) {
        identities.reserveCapacity(contents.files.count)
        for file in contents.files { identities[file.relativePath] = .some(file.identity) }
        unreadable = Set(contents.problems.map(\.relativePath))
    }

    /// The files were read anew. What could not be read is as it was.
    mutating func replace(with contents: StubFolderContents) {
        var fresh = KnownFiles(contents)
        let unreadable = contents.unreadable
        for path in identities.keys where fresh.identities[path] == nil && unreadable.contains(path) {
            fresh.identities.updateValue(nil, forKey: path)
        }
        self = fresh
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
        let (present, problems) = present(in: folder, at: paths)
        var changes: [FileChange] = []
        for problem in problems where !unreadable.contains(problem.relativePath) {
            changes.append(
                FileChange(
                    path: problem.path, relativePath: problem.relativePath, kind: .unreadable(problem.error)))
        }
        if paths.contains("") { unreadable = [] }
        unreadable.subtract(paths)
        unreadable.formUnion(problems.map(\.relativePath))
        // What cannot be looked at is not gone.
        let hidden = PathTree(problems)
        let gone = goneFiles(at: paths, present: present).filter { !hidden.contains($0) }
        for path in gone {
            changes.append(FileChange(path: join(folder.path, path), relativePath: path, kind: .removed))
        }
        for path in gone { identities.removeValue(forKey: path) }
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
                unreadable.insert(path)
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
        unreadable = []
        return paths.map { FileChange(path: join(folder.path, $0), relativePath: $0, kind: .removed) }
    }

    /// The stub files at and below `paths`, and what cannot be told of them; an empty path is the whole folder.
    private func present(
        in folder: StubFolder, at paths: Set<String>
    ) -> (files: [String: FileIdentity], problems: [StubFileProblem]) {
        var present: [String: FileIdentity] = [:]
        var problems: [StubFileProblem] = []
        func note(_ path: String, _ error: SystemError) {
            guard !error.isNotFound else { return }
            problems.append(StubFileProblem(path: join(folder.path, path), relativePath: path, error: error))
        }
        func look(_ path: String, isOurs: (FileStatus) -> Bool) {
            do throws(SystemError) {
                let status = try SystemCalls.status(of: join(folder.path, path))
                if isOurs(status) { present[path] = status.identity }
            } catch {
                note(path, error)
            }
        }
        func take(_ found: StubFolder.Found) {
            switch found {
            case .file(let file): look(file) { _ in true }
            case .unreadable(let path, let error): note(path, error)
            case .folder, .hidden: break
            }
        }
        if paths.contains("") {
            folder.visitStubs(take)
            return (present, problems)
        }
        do throws(SystemError) {
            guard try folder.stubRoot() != nil else { return (present, problems) }
        } catch {
            note("", error)
            return (present, problems)
        }
        for path in paths {
            folder.visit(path, take)
            look(path) { $0.kind == .file && StubFolder.isStubName(String(SystemCalls.lastName(of: path))) }
        }
        return (present, problems)
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
