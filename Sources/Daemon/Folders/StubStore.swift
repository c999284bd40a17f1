public import Platform
internal import Synchronization

/// Saved stubs on disk. A file is either whole or not there, also after a power cut or `kill -9` in the middle of a save:
/// the content goes to a temporary file beside it, to the disk, and under its name in one step.
public final class StubStore: Sendable {
    private let folder: StubFolder
    private let counter = Mutex(0)

    private static let temporaryPrefix = ".stuntdouble-"
    private static let temporarySuffix = ".tmp"

    public init(folder: StubFolder) {
        self.folder = folder
    }

    /// Writes a file into the folder of saved stubs, which is made if need be, and returns it as it now stands.
    ///
    /// - Parameter name: a name without folders, such as `StubFileName` makes.
    @discardableResult
    public func write(_ name: String, _ bytes: [UInt8]) throws(SystemError) -> StubFile {
        let name = try Self.checked(name)
        let saved = folder.savedStubsRoot
        try SystemCalls.makeFolder(folder.path)
        if !saved.isEmpty { try SystemCalls.makeFolder(join(folder.path, saved)) }
        return try rewrite(join(saved, name), bytes)
    }

    /// Replaces a file that stubs were read from, which may stand anywhere in the folder.
    ///
    /// - Parameter relativePath: the `relativePath` of a `StubFile` that this folder gave.
    @discardableResult
    public func rewrite(_ relativePath: String, _ bytes: [UInt8]) throws(SystemError) -> StubFile {
        let path = join(folder.path, relativePath)
        // A link stays a link: its target is replaced.
        let target = (try? SystemCalls.resolve(path)) ?? path
        let number = counter.withLock { count in
            count += 1
            return count
        }
        let temporary = join(SystemCalls.parent(of: target), Self.temporaryName(number: number))
        try SystemCalls.replaceFile(target, with: bytes, temporary: temporary, durable: true)
        return StubFile(
            path: path, relativePath: relativePath, bytes: bytes, identity: try SystemCalls.status(of: target).identity)
    }

    /// Removes a file that stubs were read from or saved to; it is no error if there is none.
    public func remove(_ relativePath: String) throws(SystemError) {
        let path = join(folder.path, relativePath)
        try SystemCalls.removeFile(path)
        let parent = SystemCalls.parent(of: path)
        try SystemCalls.sync(SystemCalls.open(parent, .folder), path: parent)
    }

    /// Removes what interrupted saves of processes that are gone have left behind, as the first reading of the folder has
    /// found it. To be called once, at the start.
    public func removeLeftovers(_ contents: StubFolderContents) {
        for path in contents.leftovers where Self.isAbandoned(SystemCalls.lastName(of: path)) {
            // What cannot be removed does no harm: it is never read.
            try? SystemCalls.removeFile(join(folder.path, path))
        }
    }

    /// Whether a file of this name stands where saved stubs are written to.
    public func holds(_ name: String) -> Bool {
        let path = join(folder.path, join(folder.savedStubsRoot, name))
        return (try? SystemCalls.status(of: path, followingLinks: false)) != nil
    }

    /// A hidden name for what a save has not finished.
    static func temporaryName(number: Int) -> String {
        "\(temporaryPrefix)\(SystemCalls.processIdentifier)-\(number)\(temporarySuffix)"
    }

    /// Whether a file is one that a save has begun.
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
