public import SDPlatform

/// Listing, writing and removing body files. Only files under `__files` are accessed: paths and links that lead out of
/// it are rejected.
extension BodyFiles {
    /// The paths of all files, including subfolders, in the order of their bytes. Links that lead out of `__files` and
    /// unfinished files are left out. A missing folder has no files.
    /// - Throws: if the folder cannot be read.
    public func paths() throws(SystemError) -> [String] {
        var paths: [String] = []
        try BodyFolder(path: root).visit { found in
            if case .file(let path) = found { paths.append(path) }
        }
        sortByBytes(&paths)
        return paths
    }

    /// Writes a file atomically, and creates missing folders, including `__files`. A link in its place is replaced; its
    /// target is not changed.
    /// - Parameter onlyTrying: whether only to try: the file is written beside the target, and removed again.
    /// - Throws: for a path that is invalid or leads out of `__files`, and for a failed system call.
    public func write(_ path: String, _ bytes: [UInt8], onlyTrying: Bool = false) throws(BodyFileProblem) {
        var names = try Self.components(of: path)
        let isTooLong =
            path.utf8.count > Self.longestPath || names.contains { $0.utf8.count > Self.longestName }
        guard !isTooLong, !names.contains(where: { StubFileWriter.isLeftover($0) }), let last = names.popLast() else {
            throw .badName(path)
        }
        try trying(path) { () throws(SystemError) in try SystemCalls.makeFolder(root) }
        let base = try trying(path) { () throws(SystemError) in try SystemCalls.resolve(root) }
        var folder = base
        for name in names { folder = try subfolder(name, of: folder, base: base, path) }
        let target = join(folder, last)
        guard Self.kind(of: target, followingLinks: false) != .folder else { throw .notAFile(path) }
        let temporary = join(folder, StubFileWriter.temporaryName(number: nextSave()))
        let trial = onlyTrying ? join(folder, StubFileWriter.temporaryName(number: nextSave())) : nil
        try trying(path) { () throws(SystemError) in
            try SystemCalls.replaceFile(trial ?? target, with: bytes, temporary: temporary)
            if let trial { try SystemCalls.removeFile(trial) }
        }
    }

    /// The subfolder with this name, links resolved; created if missing.
    /// - Throws: if it is not a folder, leads out of `__files`, or cannot be created.
    private func subfolder(
        _ name: String, of folder: String, base: String, _ path: String
    ) throws(BodyFileProblem) -> String {
        let child = join(folder, name)
        switch Self.kind(of: child) {
        case nil:
            // Something that exists here is a dangling link.
            guard Self.kind(of: child, followingLinks: false) == nil else { throw .notAFolder(path) }
            try trying(path) { () throws(SystemError) in try SystemCalls.makeFolder(child) }
            return child
        case .folder?:
            let resolved = try trying(path) { () throws(SystemError) in try SystemCalls.resolve(child) }
            guard Self.isBeneath(base, resolved) else { throw .escapes(path) }
            return resolved
        default:
            throw .notAFolder(path)
        }
    }

    /// Removes a file, or a link without its target; a missing file is no error.
    /// - Throws: for a path that is invalid or leads out of `__files`, and for a failed system call.
    public func remove(_ path: String) throws(BodyFileProblem) {
        var names = try Self.components(of: path)
        guard let last = names.popLast(), let base = try? SystemCalls.resolve(root),
            let folder = try? SystemCalls.resolve(join(base, names.joined(separator: "/")))
        else { return }
        guard folder == base || Self.isBeneath(base, folder) else { throw .escapes(path) }
        let target = join(folder, last)
        switch Self.kind(of: target, followingLinks: false) {
        case nil: return
        case .folder?: throw .notAFile(path)
        default: try trying(path) { () throws(SystemError) in try SystemCalls.removeFile(target) }
        }
    }

    // MARK: Helpers

    /// The maximum length of a name on file systems, and of a path, well within the system's limit; in bytes.
    private static let longestName = 255
    private static let longestPath = 3_000

    static func kind(of path: String, followingLinks: Bool = true) -> FileStatus.Kind? {
        (try? SystemCalls.status(of: path, followingLinks: followingLinks))?.kind
    }

    /// Whether a path without links is below a folder's path.
    static func isBeneath(_ base: String, _ path: String) -> Bool {
        path.utf8.starts(with: (base.hasSuffix("/") ? base : base + "/").utf8)
    }

    private func trying<Result>(
        _ path: String, _ body: () throws(SystemError) -> Result
    ) throws(BodyFileProblem) -> Result {
        do {
            return try body()
        } catch {
            throw .unreadable(path, error)
        }
    }
}
