public import SDPlatform

/// A change of a stub file.
public struct FileChange: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// The file is new or has a new content.
        case changed(FolderFile)
        case removed
        /// The file exists and cannot be read.
        case unreadable(SystemError)
        /// The file, folder or link exists, and cannot be used.
        case unused(UnusedName)
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

    /// The name, for `unused`.
    public var unusedName: UnusedName? {
        if case .unused(let name) = kind { name } else { nil }
    }

    /// The reason why the file cannot be read, for `unreadable`.
    public var problem: StubFileProblem? {
        guard case .unreadable(let error) = kind else { return nil }
        return StubFileProblem(path: path, relativePath: relativePath, error: error)
    }
}

/// The known state of a folder's files, for finding changes.
struct KnownFiles {
    /// The stamps by path in the folder; nil for a file that could not be read.
    private(set) var identities: [String: FileStamp?] = [:]
    /// Folders that could not be listed last time, and files that could not be read.
    private(set) var unreadable: Set<String> = []
    /// The unusable names already reported, with paths for messages.
    private var unused: Set<UnusedName> = []

    init() {}

    init(_ contents: StubFolderContents) {
        identities.reserveCapacity(contents.files.count)
        for file in contents.files { identities[file.relativePath] = .some(file.identity) }
        unreadable = Set(contents.problems.map(\.relativePath))
        unused = Set(contents.unused)
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

    mutating func record(_ file: FolderFile) {
        identities[file.relativePath] = .some(file.identity)
    }

    mutating func noteRemoval(_ relativePath: String) {
        identities.removeValue(forKey: relativePath)
    }

    /// Compares the files at and below `paths` with their known state, and updates it.
    ///
    /// - Parameter isSettled: whether a file with this stamp is completely written; if not, it is left for later.
    mutating func changes(
        of folder: StubFolder, at paths: Set<String>, isSettled: (String, FileStamp) -> Bool = { _, _ in true }
    ) -> [FileChange] {
        let (present, problems, names) = present(in: folder, at: paths)
        var changes: [FileChange] = []
        // Reported once, until a full scan does not find it.
        for name in names where !unused.contains(name) {
            changes.append(FileChange(path: name.path, relativePath: "", kind: .unused(name)))
        }
        if paths.contains("") { unused = [] }
        if !unused.isEmpty { unused = unused.filter { !paths.contains(relative($0.path, to: folder)) } }
        unused.formUnion(names)
        for problem in problems where !unreadable.contains(problem.relativePath) {
            changes.append(
                FileChange(
                    path: problem.path, relativePath: problem.relativePath, kind: .unreadable(problem.error)))
        }
        if paths.contains("") { unreadable = [] }
        unreadable.subtract(paths)
        unreadable.formUnion(problems.map(\.relativePath))
        // Files that cannot be looked up are not counted as removed.
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
                // Reported once, until the file can be read or is removed.
                if identities.updateValue(nil, forKey: path) == .some(nil) { continue }
                changes.append(FileChange(path: fullPath, relativePath: path, kind: .unreadable(error)))
            }
        }
        changes.sort { precedes($0.relativePath, $1.relativePath) }
        return changes
    }

    private func relative(_ path: String, to folder: StubFolder) -> String {
        String(path.dropFirst(join(folder.path, "x").count - 1))
    }

    /// Treats all files as removed.
    mutating func removeAll(of folder: StubFolder) -> [FileChange] {
        let paths = identities.keys.sorted(by: precedes)
        identities = [:]
        unreadable = []
        return paths.map { FileChange(path: join(folder.path, $0), relativePath: $0, kind: .removed) }
    }

    /// The stub files at and below `paths`, the paths that cannot be looked up, and unusable names; an empty path is
    /// the whole folder.
    private func present(
        in folder: StubFolder, at paths: Set<String>
    ) -> (files: [String: FileStamp], problems: [StubFileProblem], unused: [UnusedName]) {
        var present: [String: FileStamp] = [:]
        var problems: [StubFileProblem] = []
        var unused: [UnusedName] = []
        func note(_ path: String, _ error: SystemError) {
            guard !error.isNotFound else { return }
            problems.append(StubFileProblem(path: join(folder.path, path), relativePath: path, error: error))
        }
        func lookUp(_ path: String) {
            do throws(SystemError) {
                present[path] = try SystemCalls.status(of: join(folder.path, path)).identity
            } catch {
                note(path, error)
            }
        }
        func collect(_ found: StubFolder.Found) {
            switch found {
            case .file(let file): lookUp(file)
            case .unreadable(let path, let error): note(path, error)
            case .unused(let name): unused.append(UnusedName(path: join(folder.path, name.path), name))
            case .folder, .link, .hidden: break
            }
        }
        if paths.contains("") {
            folder.visitStubs(collect)
            return (present, problems, unused)
        }
        do throws(SystemError) {
            let (stubs, messages) = (try folder.stubRoot(), try folder.messageRoot())
            guard stubs != nil || messages != nil else { return (present, problems, unused) }
        } catch {
            note("", error)
            return (present, problems, unused)
        }
        for path in paths where folder.reads(path) {
            folder.visit(path, collect)
            let isStubName = StubFolder.isStubName(String(SystemCalls.lastName(of: path)))
            do throws(SystemError) {
                let status = try SystemCalls.status(of: join(folder.path, path))
                if isStubName, status.kind == .file { present[path] = status.identity }
                if isStubName, status.kind == .other { collect(.unused(UnusedName(path: path, kind: .noFile))) }
            } catch {
                collect(folder.unusable(path, error))
            }
        }
        return (present, problems, unused)
    }

    /// The known files at and below `paths` that no longer exist.
    private func goneFiles(at paths: Set<String>, present: [String: FileStamp]) -> [String] {
        if paths.contains("") { return identities.keys.filter { present[$0] == nil } }
        var gone: [String] = []
        // A path known as a file had nothing below it.
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
