public import SDPlatform

/// A change of a stub file.
public struct FileChange: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// The file is new or has a new content.
        case changed(FolderFile)
        case removed
        /// The file exists and cannot be read.
        case unreadable(SystemError)
        /// The file or folder exists, and is not read.
        case foreign(ForeignName)
    }

    /// The path for messages: the folder as the user named it, followed by the file's path in it.
    public var path: String
    /// The file's path in the folder.
    public var relativePath: String
    public var kind: Kind

    /// The file with its new content, for `changed`.
    public var file: FolderFile? {
        if case .changed(let file) = kind { file } else { nil }
    }

    /// The name, for `foreign`.
    public var foreignName: ForeignName? {
        if case .foreign(let name) = kind { name } else { nil }
    }

    /// The reason why the file cannot be read, for `unreadable`.
    public var problem: StubFileProblem? {
        guard case .unreadable(let error) = kind else { return nil }
        return StubFileProblem(path: path, relativePath: relativePath, error: error)
    }
}

/// The known state of a folder's files, from which changes are derived.
struct KnownFiles {
    /// The identities by path in the folder; nil for a file that could not be read.
    private(set) var identities: [String: FileIdentity?] = [:]
    /// Folders whose names could not be listed last time, and files that could not be read.
    private(set) var unreadable: Set<String> = []
    /// The names that are not UTF-8, with paths for messages.
    private var foreign: Set<String> = []

    init() {}

    init(_ contents: StubFolderContents) {
        identities.reserveCapacity(contents.files.count)
        for file in contents.files { identities[file.relativePath] = .some(file.identity) }
        unreadable = Set(contents.problems.map(\.relativePath))
        foreign = Set(contents.foreign.map(\.path))
    }

    /// Replaces the state after all files were read. Unreadable ones keep their state.
    mutating func replace(with contents: StubFolderContents) {
        var fresh = KnownFiles(contents)
        let unreadable = contents.unreadable
        for path in identities.keys where fresh.identities[path] == nil && unreadable.contains(path) {
            fresh.identities.updateValue(nil, forKey: path)
        }
        self = fresh
    }

    mutating func note(_ file: FolderFile) {
        identities[file.relativePath] = .some(file.identity)
    }

    mutating func noteRemoval(_ relativePath: String) {
        identities.removeValue(forKey: relativePath)
    }

    /// Compares the files at and below `paths` with their known state, and updates it.
    ///
    /// - Parameter isSettled: whether a file with this identity has been written completely; if not, it is left for
    ///   later.
    mutating func changes(
        of folder: StubFolder, at paths: Set<String>, isSettled: (String, FileIdentity) -> Bool = { _, _ in true }
    ) -> [FileChange] {
        let (present, problems, names) = present(in: folder, at: paths)
        var changes: [FileChange] = []
        // Reported once, until a scan of everything does not find it.
        for name in names where !foreign.contains(name.path) {
            changes.append(FileChange(path: name.path, relativePath: "", kind: .foreign(name)))
        }
        if paths.contains("") { foreign = [] }
        foreign.formUnion(names.map(\.path))
        for problem in problems where !unreadable.contains(problem.relativePath) {
            changes.append(
                FileChange(
                    path: problem.path, relativePath: problem.relativePath, kind: .unreadable(problem.error)))
        }
        if paths.contains("") { unreadable = [] }
        unreadable.subtract(paths)
        unreadable.formUnion(problems.map(\.relativePath))
        // Files that cannot be looked up are not gone.
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
                // The removal of a file that has just vanished is reported when it is noticed.
                if error.isNotFound { continue }
                unreadable.insert(path)
                // Reported once, until the file can be read or is gone.
                if identities.updateValue(nil, forKey: path) == .some(nil) { continue }
                changes.append(FileChange(path: fullPath, relativePath: path, kind: .unreadable(error)))
            }
        }
        changes.sort { precedes($0.relativePath, $1.relativePath) }
        return changes
    }

    /// Treats all files as removed.
    mutating func removeAll(of folder: StubFolder) -> [FileChange] {
        let paths = identities.keys.sorted(by: precedes)
        identities = [:]
        unreadable = []
        return paths.map { FileChange(path: join(folder.path, $0), relativePath: $0, kind: .removed) }
    }

    /// The stub files at and below `paths`, those that cannot be looked up, and names that are not UTF-8; an empty path
    /// is the whole folder.
    private func present(
        in folder: StubFolder, at paths: Set<String>
    ) -> (files: [String: FileIdentity], problems: [StubFileProblem], foreign: [ForeignName]) {
        var present: [String: FileIdentity] = [:]
        var problems: [StubFileProblem] = []
        var foreign: [ForeignName] = []
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
            case .foreign(let name): foreign.append(ForeignName(path: join(folder.path, name.path), name))
            case .folder, .hidden: break
            }
        }
        if paths.contains("") {
            folder.visitStubs(take)
            return (present, problems, foreign)
        }
        do throws(SystemError) {
            guard try folder.stubRoot() != nil else { return (present, problems, foreign) }
        } catch {
            note("", error)
            return (present, problems, foreign)
        }
        for path in paths {
            folder.visit(path, take)
            look(path) { $0.kind == .file && StubFolder.isStubName(String(SystemCalls.lastName(of: path))) }
        }
        return (present, problems, foreign)
    }

    /// The known files at and below `paths` that no longer exist.
    private func goneFiles(at paths: Set<String>, present: [String: FileIdentity]) -> [String] {
        if paths.contains("") { return identities.keys.filter { present[$0] == nil } }
        var gone: [String] = []
        // A path known as a file was not a folder, so nothing known is below it.
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
