public import SDPlatform
internal import Synchronization

/// Saved stubs on disk. A file is complete or absent, even after a power cut or `kill -9` in the middle of a save: the
/// content is written to a temporary file beside it, synced to the disk, and renamed in one step. The names are on the
/// disk after `flush`, which syncs each folder once for many files.
public final class StubFileWriter: Sendable {
    private let folder: StubFolder
    private let counter = Mutex(0)

    private static let temporaryPrefix = ".stuntdouble-"
    private static let temporarySuffix = ".tmp"
    /// Identifies this process among those in other containers, which may have the same process id and folder.
    private static let run = String(UInt32.random(in: .min ... .max), radix: 36)

    public init(folder: StubFolder) {
        self.folder = folder
    }

    /// Writes a file into the folder of saved stubs, which is created if missing, and returns the file.
    ///
    /// - Parameter name: a name without folders, as made by `StubFileName`.
    /// - Throws: the failed system call; the old file is then unchanged.
    @discardableResult
    public func write(_ name: String, _ bytes: [UInt8]) throws(SystemError) -> FolderFile {
        let name = try Self.checked(name)
        let saved = folder.savedStubsRoot
        try SystemCalls.makeFolder(folder.path)
        if !saved.isEmpty { try SystemCalls.makeFolder(join(folder.path, saved)) }
        return try rewrite(join(saved, name), bytes)
    }

    /// Replaces a file from which stubs were read, anywhere in the folder.
    ///
    /// - Parameter relativePath: the `relativePath` of a `FolderFile` of this folder.
    /// - Throws: the failed system call; the old file is then unchanged.
    @discardableResult
    public func rewrite(_ relativePath: String, _ bytes: [UInt8]) throws(SystemError) -> FolderFile {
        let path = join(folder.path, relativePath)
        let (target, temporary) = unfinished(relativePath)
        try SystemCalls.replaceFile(target, with: bytes, temporary: temporary, durable: true)
        return FolderFile(
            path: path, relativePath: relativePath, bytes: bytes, identity: try SystemCalls.status(of: target).identity)
    }

    /// The path to write to, and the temporary name until the file is complete.
    private func unfinished(_ relativePath: String) -> (target: String, temporary: String) {
        let path = join(folder.path, relativePath)
        // A link stays a link: its target is replaced.
        let target = (try? SystemCalls.resolve(path)) ?? path
        let number = counter.withLock { count in
            count += 1
            return count
        }
        return (target, join(SystemCalls.parent(of: target), Self.temporaryName(number: number)))
    }

    /// Tries whether a file of these bytes could be written: writes it under a temporary name, and removes it.
    /// - Throws: the failed system call.
    public func tryWriting(_ relativePath: String, _ bytes: [UInt8]) throws(SystemError) {
        let saved = folder.savedStubsRoot
        try SystemCalls.makeFolder(folder.path)
        if !saved.isEmpty { try SystemCalls.makeFolder(join(folder.path, saved)) }
        // Hidden like a real temporary file, so no watch sees it.
        let trial = unfinished(relativePath).temporary
        try SystemCalls.replaceFile(trial, with: bytes, temporary: unfinished(relativePath).temporary, durable: false)
        try SystemCalls.removeFile(trial)
    }

    /// Removes a file of stubs; a missing file is no error.
    /// - Throws: the failed system call.
    public func remove(_ relativePath: String) throws(SystemError) {
        let path = join(folder.path, relativePath)
        try SystemCalls.removeFile(path)
    }

    /// Waits until written and removed names are on the disk, syncing each folder once.
    /// - Throws: the failed system call.
    public func flush(_ relativePaths: [String]) throws(SystemError) {
        var folders: Set<String> = []
        for relativePath in relativePaths {
            let path = join(folder.path, relativePath)
            for place in [path, (try? SystemCalls.resolve(path)) ?? path] {
                let parent = SystemCalls.parent(of: place)
                // A resolved link may name the same folder differently.
                let name = (try? SystemCalls.resolve(parent)) ?? parent
                if folders.insert(name).inserted { try SystemCalls.syncFolder(name) }
            }
        }
    }

    /// Removes the temporary files of ended processes whose saves were interrupted, as found by the first reading of
    /// the folder. Call it once, at the start.
    public func removeLeftovers(_ contents: StubFolderContents) {
        for path in contents.leftovers where Self.isAbandoned(SystemCalls.lastName(of: path)) {
            // A leftover that cannot be removed is harmless: it is never read.
            try? SystemCalls.removeFile(join(folder.path, path))
        }
    }

    /// The path in the folder to which `write` would write.
    public func place(of name: String) -> String { join(folder.savedStubsRoot, name) }

    /// The text of a stub file; nil if it cannot be read.
    public func text(_ relativePath: String) -> String? {
        (try? folder.read(relativePath)).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Whether the folder of saved stubs has a file with this name.
    public func holds(_ name: String) -> Bool {
        let path = join(folder.path, join(folder.savedStubsRoot, name))
        return (try? SystemCalls.status(of: path, followingLinks: false)) != nil
    }

    /// A hidden name for an unfinished save.
    static func temporaryName(number: Int) -> String {
        "\(temporaryPrefix)\(SystemCalls.processIdentifier)-\(run)-\(number)\(temporarySuffix)"
    }

    /// Whether a file is that of an unfinished save.
    static func isLeftover(_ path: String) -> Bool {
        let name = SystemCalls.lastName(of: path)
        return name.hasPrefix(temporaryPrefix) && name.hasSuffix(temporarySuffix)
    }

    private static func isAbandoned(_ name: Substring) -> Bool {
        let owner = name.dropFirst(temporaryPrefix.count).prefix { $0 != "-" }
        guard let identifier = Int32(owner), identifier > 0 else { return false }
        return identifier == SystemCalls.processIdentifier || !SystemCalls.processExists(identifier)
    }

    private static func checked(_ name: String) throws(SystemError) -> String {
        guard StubFolder.isStubName(name), !name.utf8.contains(0x2f), !name.utf8.contains(0) else {
            throw SystemError(code: SystemCalls.invalidArgument, call: "write", path: name)
        }
        return name
    }
}
