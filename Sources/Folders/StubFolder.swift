public import Platform

/// A folder of stub files, read from disk.
///
/// Stubs are the `.json`, `.yaml` and `.yml` files in `mappings/`; a folder of the free layout that has no `mappings/` is
/// read as a whole. Below that, folders are read recursively. Hidden names and every folder `__files` or `node_modules` are
/// left out. A
/// link counts as what it points to.
public struct StubFolder: Sendable, Hashable {
    /// The folder as the user named it.
    public let path: String
    /// Whether stubs are read from `mappings/` only, as WireMock does.
    public let isMappingsOnly: Bool

    /// A stub file larger than this is a problem, not a stub.
    public static let largestFile = 256 << 20
    /// Folders nested deeper than this are not read; links that lead in a circle end here at the latest.
    static let deepestFolder = 64
    static let mappingsName = "mappings"
    static let bodiesName = "__files"

    public init(path: String, isMappingsOnly: Bool = false) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        self.isMappingsOnly = isMappingsOnly
    }

    /// The folder that stubs are read from, relative to `path` and without a slash at its end; empty for `path` itself, nil
    /// if there is none.
    func stubRoot() -> String? {
        if SystemCalls.isFolder(join(path, Self.mappingsName)) { return Self.mappingsName }
        return isMappingsOnly || !SystemCalls.isFolder(path) ? nil : ""
    }

    /// The folder in which saved stubs belong, relative to `path`: where they will be read from again.
    var savedStubsRoot: String { stubRoot() ?? Self.mappingsName }

    /// The folders that stubs are looked for in, as the user named them.
    public var placesOfStubs: [String] {
        let mappings = join(path, Self.mappingsName)
        return isMappingsOnly || SystemCalls.isFolder(mappings) ? [mappings] : [path]
    }

    /// The folder of body files.
    public var bodyFilesPath: String { join(path, Self.bodiesName) }

    /// Reads all stub files, in the order of the bytes of their paths. A missing folder holds no files.
    public func read() -> StubFolderContents {
        read({ _ in }, consume: { _ in })
    }

    /// As `read`, and hands what `use` makes of each file to `consume`. Files are read and used on several threads: while one
    /// waits for the disk, another works.
    /// - Parameter consume: called on the calling thread, with a few at a time, in the order of the files.
    public func read<Value: Sendable>(
        _ use: @escaping @Sendable (StubFile) -> Value, consume: ([Value]) -> Void
    ) -> StubFolderContents {
        var contents = StubFolderContents()
        guard let root = stubRoot() else { return contents }
        var names: [String] = []
        visit(root) { found in
            switch found {
            case .file(let file): names.append(file)
            case .unreadableFolder(let folder, let error):
                contents.problems.append(StubFileProblem(path: join(path, folder), error: error))
            case .hidden(let name): if StubStore.isLeftover(name) { contents.leftovers.append(name) }
            case .folder: break
            }
        }
        sortByBytes(&names)
        contents.files.reserveCapacity(names.count)
        let reading: @Sendable (String) -> Reading<Value> = { name in
            do throws(SystemError) {
                let file = try read(name)
                return Reading(.success((file, use(file))))
            } catch {
                return Reading(.failure(StubFileProblem(path: join(path, name), error: error)))
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

    /// A class, because it goes from hand to hand: a copy counts one reference.
    private final class Reading<Value: Sendable>: Sendable {
        let result: Result<(StubFile, Value), StubFileProblem>

        init(_ result: Result<(StubFile, Value), StubFileProblem>) {
            self.result = result
        }
    }

    /// Reads one stub file, named relative to the folder.
    func read(_ relativePath: String) throws(SystemError) -> StubFile {
        let fullPath = join(path, relativePath)
        let descriptor = try SystemCalls.open(fullPath, .read)
        let status = try SystemCalls.status(of: descriptor)
        let bytes = try SystemCalls.readAll(
            descriptor, expecting: status.identity.size, limit: Self.largestFile, path: fullPath)
        return StubFile(
            path: fullPath, relativePath: relativePath, bytes: bytes, identity: status.identity)
    }

    // MARK: - Walking

    enum Found {
        case file(String)
        case folder(String)
        /// A file or folder with a hidden name.
        case hidden(String)
        case unreadableFolder(String, SystemError)
    }

    /// Walks `start`, a folder relative to `path`, and everything in it.
    func visit(_ start: String, _ report: (Found) -> Void) {
        var ancestors: [FileIdentity] = []
        visit(start, ancestors: &ancestors, report)
    }

    private func visit(_ folder: String, ancestors: inout [FileIdentity], _ report: (Found) -> Void) {
        let fullPath = join(path, folder)
        guard let status = try? SystemCalls.status(of: fullPath), ancestors.count < Self.deepestFolder else { return }
        // A link to a folder that it stands in would be walked without end.
        let isCircle = ancestors.contains {
            $0.inode == status.identity.inode && $0.device == status.identity.device
        }
        guard !isCircle else { return }
        report(.folder(folder))
        let entries: [SystemCalls.Entry]
        do throws(SystemError) {
            entries = try SystemCalls.entries(of: fullPath)
        } catch {
            // What vanished since it was listed is no problem.
            if SystemCalls.isFolder(fullPath) { report(.unreadableFolder(folder, error)) }
            return
        }
        ancestors.append(status.identity)
        defer { ancestors.removeLast() }
        for entry in entries {
            let child = join(folder, entry.name)
            if Self.isHidden(entry.name) {
                report(.hidden(child))
                continue
            }
            switch entry.kind ?? (try? SystemCalls.status(of: join(path, child)))?.kind {
            case .folder where !Self.isLeftOut(entry.name): visit(child, ancestors: &ancestors, report)
            case .file where Self.isStubName(entry.name): report(.file(child))
            default: break
            }
        }
    }

    /// Folders that never hold stubs, beside the hidden ones.
    static func isLeftOut(_ folder: String) -> Bool { folder == bodiesName || folder == "node_modules" }

    public static func isHidden(_ name: String) -> Bool { name.utf8.first == 0x2e }

    static func isStubName(_ name: String) -> Bool {
        guard !isHidden(name), let dot = name.utf8.lastIndex(of: 0x2e) else { return false }
        return switch name[name.utf8.index(after: dot)...].lowercased() {
        case "json", "yaml", "yml": true
        default: false
        }
    }
}

/// What reading a folder found.
public struct StubFolderContents: Sendable, Hashable {
    /// In the order of the bytes of their paths.
    public var files: [StubFile] = []
    /// Files and folders that could not be read.
    public var problems: [StubFileProblem] = []
    /// What saves that were interrupted have left, relative to the folder; also what a save under way has not finished.
    var leftovers: [String] = []

    public init() {}
}

/// A stub file as it was at one time.
public struct StubFile: Sendable, Hashable {
    /// The path for messages: the folder as the user named it, and the file in it.
    public var path: String
    /// The path in the folder; it also gives the order of files.
    public var relativePath: String
    public var bytes: [UInt8]
    public var identity: FileIdentity

    public init(path: String, relativePath: String, bytes: [UInt8], identity: FileIdentity) {
        self.path = path
        self.relativePath = relativePath
        self.bytes = bytes
        self.identity = identity
    }
}

/// A file or folder that could not be read.
public struct StubFileProblem: Error, Hashable {
    public var path: String
    public var error: SystemError
}

/// The order of paths: by their bytes, which is not that of strings, which count some different bytes as equal.
func precedes(_ left: String, _ right: String) -> Bool {
    // Most names are contiguous in memory, where bytes compare several times as fast.
    left.utf8.withContiguousStorageIfAvailable { left in
        right.utf8.withContiguousStorageIfAvailable { left.lexicographicallyPrecedes($0) }
    }.flatMap(\.self) ?? left.utf8.lexicographicallyPrecedes(right.utf8)
}

/// Puts paths into the order of their bytes.
func sortByBytes(_ paths: inout [String]) {
    if paths.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) {
        // Of these texts the order of strings is that of their bytes, and found several times as fast.
        paths.sort()
    } else {
        paths.sort(by: precedes)
    }
}

/// Two paths put together; an empty one adds nothing.
func join(_ folder: String, _ name: String) -> String {
    if folder.isEmpty { return name }
    if name.isEmpty { return folder }
    return folder.hasSuffix("/") ? folder + name : folder + "/" + name
}
