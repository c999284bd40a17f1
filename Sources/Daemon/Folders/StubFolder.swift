public import SDPlatform

/// A folder of stub files.
///
/// Stubs are the `.json`, `.yaml` and `.yml` files in `mappings/`, and message stubs those in `message-mappings/`. In
/// the free layout, a folder without `mappings/` is read as a whole. Subfolders are read recursively. Hidden names and
/// every folder `__files` or `node_modules` are left out. A link counts as its target; one to an enclosing folder is
/// ignored.
public struct StubFolder: Sendable, Hashable {
    /// The folder as the user named it.
    public let path: String
    /// Whether stubs are read only from `mappings/`, as in WireMock.
    public let isMappingsOnly: Bool
    /// The name of the only stub file; nil for all.
    public let onlyFile: String?

    /// The size in bytes above which a stub file is rejected.
    public static let largestFile = 256 << 20
    /// The size in bytes from which a stub file is read in parts.
    public static let largeFile = 4 << 20
    /// The maximum nesting of folders; circular links end here at the latest.
    static let deepestFolder = 64
    static let mappingsName = "mappings"
    /// The folder of message stubs, beside that of mappings.
    static let messagesName = "message-mappings"
    static let bodiesName = "__files"

    public init(path: String, isMappingsOnly: Bool = false, onlyFile: String? = nil) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        self.isMappingsOnly = isMappingsOnly
        self.onlyFile = onlyFile
    }

    /// The folder with the stubs, relative to `path` and without a trailing slash; empty for `path` itself, nil if
    /// there is none.
    /// - Throws: if the system cannot tell. A folder that cannot be looked up is not missing.
    func stubRoot() throws(SystemError) -> String? {
        if onlyFile == nil, try Self.isThere(join(path, Self.mappingsName)) { return Self.mappingsName }
        if isMappingsOnly { return nil }
        return try Self.isThere(path) ? "" : nil
    }

    /// The folder of message stubs, relative to `path`; nil if there is none, or it is inside the stub root.
    /// - Throws: if the system cannot tell.
    func messageRoot() throws(SystemError) -> String? {
        guard onlyFile == nil, try stubRoot() != "", try Self.isThere(join(path, Self.messagesName)) else { return nil }
        return Self.messagesName
    }

    /// Whether a file is in the folder of message stubs, by its path in the folder.
    public static func isOfMessages(_ relativePath: String) -> Bool { relativePath.hasPrefix(messagesName + "/") }

    private static func isThere(_ folder: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            return try SystemCalls.status(of: folder).kind == .folder
        } catch {
            guard error.isNotFound else { throw error }
            return false
        }
    }

    /// The folder for saved stubs, relative to `path`; stubs are read from there.
    var savedStubsRoot: String { (try? stubRoot()) ?? Self.mappingsName }

    /// The reason why stubs cannot be saved here; nil if they can.
    public var obstacleToSaving: String? {
        let places = [join(path, savedStubsRoot), path, SystemCalls.parent(of: path)]
        guard let nearest = places.first(where: SystemCalls.isFolder) else { return "there is no folder \(path)" }
        return SystemCalls.isWritable(nearest) ? nil : "the daemon may not write to \(nearest)"
    }

    /// Creates the folder, its parents and WireMock's two subfolders, as far as they are missing.
    /// - Throws: if the folder itself cannot be created. The subfolders may be missing in a read-only folder.
    public func make() throws(SystemError) {
        try SystemCalls.makeFolders(path)
        try? SystemCalls.makeFolder(join(path, Self.mappingsName))
        try? SystemCalls.makeFolder(bodyFilesPath)
    }

    /// The folders searched for stubs, as the user named them.
    public var placesOfStubs: [String] {
        if let onlyFile { return [join(path, onlyFile)] }
        let mappings = join(path, Self.mappingsName)
        return isMappingsOnly || SystemCalls.isFolder(mappings) ? [mappings] : [path]
    }

    /// Stub files beside a folder `mappings`, which are ignored. Empty in WireMock's layout.
    public var filesBesideMappings: [FolderFile] {
        guard !isMappingsOnly, (try? stubRoot()) == Self.mappingsName else { return [] }
        var names = ((try? SystemCalls.entries(of: path)) ?? []).filter { $0.kind == .file && Self.isStubName($0.name) }
            .map(\.name)
        sortByBytes(&names)
        return names.prefix(Self.maxBesideMappings).compactMap { try? read($0) }
    }

    private static let maxBesideMappings = 50

    /// Whether there is any stub file, whatever its content.
    public var hasStubFiles: Bool {
        var isThere = false
        visitStubs { if case .file = $0 { isThere = true } }
        return isThere
    }

    /// The folder of body files.
    public var bodyFilesPath: String { join(path, Self.bodiesName) }

    /// Reads all stub files in the byte order of their paths. A missing folder has no files.
    public func read() -> StubFolderContents {
        read({ _ in }, consume: { _ in })
    }

    /// Reads all stub files like `read`, and passes the results of `use` to `consume`. Several threads read and use
    /// files, so that they work while others wait for the disk.
    /// - Parameters:
    ///   - inParts: tried first with a file of at least `largeFile` bytes. If it returns nil, `use` gets the file;
    ///     otherwise the contents lack the file's bytes.
    ///   - consume: called on the calling thread with several results at a time, in the order of the files.
    public func read<Value: Sendable>(
        _ use: @escaping @Sendable (FolderFile) -> Value,
        inParts: @escaping @Sendable (OpenStubFile) -> Value? = { _ in nil }, consume: ([Value]) -> Void
    ) -> StubFolderContents {
        var contents = StubFolderContents()
        var names: [String] = []
        visitStubs { found in
            switch found {
            case .file(let file): names.append(file)
            case .unreadable(let name, let error):
                contents.problems.append(StubFileProblem(path: join(path, name), relativePath: name, error: error))
            case .hidden(let name): if StubFileWriter.isLeftover(name) { contents.leftovers.append(name) }
            case .unused(let name): contents.unused.append(UnusedName(path: join(path, name.path), name))
            case .folder, .link: break
            }
        }
        contents.unused.sort { precedes($0.path, $1.path) }
        sortByBytes(&names)
        contents.files.reserveCapacity(names.count)
        let reading: @Sendable (String) -> Reading<Value> = { name in
            do throws(SystemError) {
                let opened = try OpenStubFile(name, in: self)
                if opened.isLarge, let value = inParts(opened) {
                    return Reading(.success((opened.withoutBytes, value)))
                }
                let file = try opened.whole()
                return Reading(.success((file, use(file))))
            } catch {
                return Reading(.failure(StubFileProblem(path: join(path, name), relativePath: name, error: error)))
            }
        }
        concurrentMap(names, reading) { readings in
            var values: [Value] = []
            values.reserveCapacity(readings.count)
            for reading in readings {
                switch reading.result {
                case .success((let file, let value)):
                    contents.files.append(file)
                    values.append(value)
                case .failure(let problem): contents.problems.append(problem)
                }
            }
            consume(values)
        }
        return contents
    }

    /// A class, so that passing it on retains a single reference.
    private final class Reading<Value: Sendable>: Sendable {
        let result: Result<(FolderFile, Value), StubFileProblem>

        init(_ result: Result<(FolderFile, Value), StubFileProblem>) {
            self.result = result
        }
    }

    /// The names under `__files` that are not UTF-8, with paths for messages. An unreadable folder yields none.
    public func foreignBodies() -> [UnusedName] {
        var names: [UnusedName] = []
        try? BodyFolder(path: bodyFilesPath).visit { found in
            if case .unused(let name) = found { names.append(UnusedName(path: join(bodyFilesPath, name.path), name)) }
        }
        return names
    }

    /// Reads a stub file, named relative to the folder.
    /// - Throws: the failed system call; EFBIG for a file above `largestFile`.
    func read(_ relativePath: String) throws(SystemError) -> FolderFile {
        try OpenStubFile(relativePath, in: self).whole()
    }

    /// Whether a folder's name means that it never contains stubs, apart from hidden ones.
    static func isLeftOut(_ folder: String) -> Bool { folder == bodiesName || folder == "node_modules" }

    public static func isHidden(_ name: String) -> Bool { name.utf8.first == 0x2e }

    /// Whether a file with a stub file's name is read, by its path in the folder.
    func reads(_ relativePath: String) -> Bool { onlyFile.map { $0 == relativePath } ?? true }

    static func isStubName(_ name: String) -> Bool {
        guard !isHidden(name), let dot = name.utf8.lastIndex(of: 0x2e) else { return false }
        return switch name[name.utf8.index(after: dot)...].lowercased() {
        case "json", "yaml", "yml": true
        default: false
        }
    }
}

/// The result of reading a folder.
public struct StubFolderContents: Sendable, Hashable {
    /// The files in the byte order of their paths.
    public var files: [FolderFile] = []
    /// Files and folders that could not be read.
    public var problems: [StubFileProblem] = []
    /// Files, folders and links that cannot be used, with paths for messages.
    public var unused: [UnusedName] = []
    /// Temporary files of interrupted and running saves, relative to the folder.
    var leftovers: [String] = []

    public init() {}

    /// Paths that may exist although they could not be read.
    public var unreadable: PathTree { PathTree(problems) }
}

/// Paths in a folder, including everything below them.
public struct PathTree: Sendable, Hashable {
    private let tops: Set<String>

    init(_ problems: [StubFileProblem]) {
        tops = Set(problems.map(\.relativePath))
    }

    /// Whether a path is in the set or below one in it.
    public func contains(_ path: String) -> Bool {
        if tops.isEmpty { return false }
        if tops.contains("") || tops.contains(path) { return true }
        var folder = path[...]
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            if tops.contains(String(folder)) { return true }
        }
        return false
    }
}

/// A stub file at one point in time.
public struct FolderFile: Sendable, Hashable {
    /// The path for messages: the folder as the user named it, followed by the file's path in it.
    public var path: String
    /// The path in the folder; files are ordered by it.
    public var relativePath: String
    /// The content; empty for a file that was read in parts.
    public var bytes: [UInt8]
    public var identity: FileStamp

    public init(path: String, relativePath: String, bytes: [UInt8], identity: FileStamp) {
        self.path = path
        self.relativePath = relativePath
        self.bytes = bytes
        self.identity = identity
    }
}

/// A file or folder that could not be read.
public struct StubFileProblem: Error, Hashable {
    /// The path for messages.
    public var path: String
    /// The path in the folder; empty for the folder itself.
    public var relativePath: String
    public var error: SystemError
}

/// Compares paths by their bytes. The order of strings differs, and equates some different bytes.
func precedes(_ left: String, _ right: String) -> Bool {
    // Most names are contiguous in memory, where bytes compare several times faster.
    left.utf8.withContiguousStorageIfAvailable { left in
        right.utf8.withContiguousStorageIfAvailable { left.lexicographicallyPrecedes($0) }
    }.flatMap(\.self) ?? left.utf8.lexicographicallyPrecedes(right.utf8)
}

/// Sorts paths by their bytes.
func sortByBytes(_ paths: inout [String]) {
    if paths.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) {
        // For these texts strings are ordered like their bytes, and compare several times faster.
        paths.sort()
    } else {
        paths.sort(by: precedes)
    }
}

/// Joins two paths; an empty one adds nothing.
func join(_ folder: String, _ name: String) -> String {
    if folder.isEmpty { return name }
    if name.isEmpty { return folder }
    return folder.hasSuffix("/") ? folder + name : folder + "/" + name
}
