public import SDPlatform
internal import Synchronization

/// The files with response bodies: those under `__files` only.
///
/// WireMock reads a body file for each request. This class behaves the same: cached content is used only while the
/// file's time, size and inode are unchanged.
public final class BodyFiles: Sendable {
    /// The maximum size of a file read into memory, in bytes. A larger file is read while it is sent: it costs no
    /// memory, however slow its readers are, and delays no other request.
    public static let largestInMemory = 1 << 20
    /// The maximum number of bytes read from a growing file.
    private static let maxRead = 64 << 20
    /// The size of the cache, in bytes.
    private let cacheLimit: Int
    private let memory: MemoryAccount

    let root: String
    private let saves = Mutex(0)
    private let cache = Mutex(Cache())

    private struct Entry {
        var path: String
        var fullPath: String
        var identity: FileStamp
        var bytes: [UInt8]
        /// The number of the reading, which identifies its content.
        var version: UInt64
    }

    private struct Cache {
        /// The entries by requested path.
        var entries: [String: Entry] = [:]
        /// Files too large for the cache, by full path.
        var large: [String: (identity: FileStamp, version: UInt64)] = [:]
        /// The paths in order of eviction, oldest first.
        var order: [String] = []
        var size = 0
        var readings: UInt64 = 0

        /// The number of the next reading.
        mutating func newVersion() -> UInt64 {
            readings += 1
            return readings
        }

        /// The version of a file too large for the cache.
        mutating func version(ofLarge fullPath: String, _ identity: FileStamp) -> UInt64 {
            if let known = large[fullPath], known.identity == identity { return known.version }
            let version = newVersion()
            if large.count >= 1_000 { large = [:] }
            large[fullPath] = BodyFiles.isSettled(identity) ? (identity, version) : nil
            return version
        }
    }

    /// Makes a reader of body files.
    /// - Parameters:
    ///   - path: the `__files` folder, which need not exist.
    ///   - memory: the ledger for the cache.
    public init(path: String, cacheLimit: Int = 64 << 20, memory: MemoryLedger = MemoryLedger()) {
        root = path
        self.memory = memory.account(.bodies)
        self.cacheLimit = cacheLimit
    }

    /// The content of a file, named relative to `__files`. Contents with the same version are equal; `modified` is in
    /// nanoseconds since 1970.
    /// - Throws: the reason why it cannot be read.
    public func read(_ path: String) throws(BodyFileProblem) -> (bytes: [UInt8], version: UInt64, modified: Int64) {
        switch try open(path) {
        case .content(let bytes, let version, let modified): return (bytes, version, modified)
        case .large(let file, let version, let modified): return (file.read(0..<file.size), version, modified)
        }
    }

    /// A body file: its content, or the open file if it is too large for the cache.
    public enum Opened: Sendable {
        case content([UInt8], version: UInt64, modified: Int64)
        case large(OpenFile, version: UInt64, modified: Int64)
    }

    /// Reads a body file like `read`. One that is too large for the cache is returned open, with the same version as
    /// before if its time, size and inode are unchanged.
    /// - Throws: the reason why it cannot be read.
    public func open(_ path: String) throws(BodyFileProblem) -> Opened {
        // Equal strings may have different bytes and thus name different files.
        if let known = cache.withLock({ $0.entries[path] }), known.path.utf8.elementsEqual(path.utf8),
            (try? SystemCalls.status(of: known.fullPath))?.identity == known.identity
        {
            return .content(known.bytes, version: known.version, modified: known.identity.modified)
        }
        let fullPath = root + "/" + (try Self.components(of: path)).joined(separator: "/")
        switch try readFromDisk(fullPath, named: path) {
        case .large(let identity, let file):
            let version = cache.withLock { $0.version(ofLarge: fullPath, identity) }
            return .large(file, version: version, modified: identity.modified)
        case .small(let identity, let bytes):
            let version = cache.withLock { $0.newVersion() }
            keep(Entry(path: path, fullPath: fullPath, identity: identity, bytes: bytes, version: version))
            return .content(bytes, version: version, modified: identity.modified)
        }
    }

    /// The reason why a file cannot be read, found without reading it; nil if it may be readable. A folder that is a
    /// link out of `__files` is found only by reading.
    public func problem(of path: String) -> BodyFileProblem? {
        do throws(BodyFileProblem) {
            let fullPath = root + "/" + (try Self.components(of: path)).joined(separator: "/")
            do throws(SystemError) {
                var kind = try SystemCalls.status(of: fullPath, followingLinks: false).kind
                if kind == .link {
                    let base = try SystemCalls.resolve(root)
                    let target = try SystemCalls.resolve(fullPath)
                    guard Self.isBeneath(base, target) else { return .escapes(path) }
                    kind = try SystemCalls.status(of: target).kind
                }
                return kind == .file ? nil : .notAFile(path)
            } catch {
                return error.isNotFound ? .notFound(path) : .unreadable(path, error)
            }
        } catch {
            return error
        }
    }

    /// Whether a name exists, found with one system call. The file may still be rejected, such as a link that leads out
    /// of `__files`.
    public func mayHave(_ path: String) -> Bool {
        if Self.isPlain(path) { return SystemCalls.exists(root + "/" + path) }
        do throws(BodyFileProblem) {
            return SystemCalls.exists(root + "/" + (try Self.components(of: path)).joined(separator: "/"))
        } catch {
            // A path without names, such as `.`, is the folder itself.
            guard case .notAFile = error else { return false }
            return true
        }
    }

    private enum Content {
        case small(FileStamp, [UInt8])
        case large(FileStamp, OpenFile)
    }

    private func readFromDisk(_ fullPath: String, named path: String) throws(BodyFileProblem) -> Content {
        let found: Found
        do throws(SystemError) {
            found = try find(fullPath)
        } catch {
            throw error.isNotFound ? .notFound(path) : .unreadable(path, error)
        }
        switch found {
        case .file(let content): return content
        case .noFile: throw .notAFile(path)
        case .outside: throw .escapes(path)
        }
    }

    private enum Found {
        case file(Content)
        case noFile
        case outside
    }

    private func find(_ fullPath: String) throws(SystemError) -> Found {
        guard let file = try SystemCalls.openBeneath(root, fullPath) else { return .outside }
        let status = try SystemCalls.status(of: file)
        guard status.kind == .file else { return .noFile }
        let size = Int(status.identity.size)
        if size > min(Self.largestInMemory, cacheLimit / 2) {
            return .file(.large(status.identity, OpenFile(file, size: size)))
        }
        let bytes = try SystemCalls.readAll(
            file, expecting: status.identity.size, limit: Self.maxRead, path: fullPath)
        return .file(.small(status.identity, bytes))
    }

    /// Whether any later change will alter the stamp. Soon after a change it might not, because file systems' clocks
    /// tick every few milliseconds.
    private static func isSettled(_ identity: FileStamp) -> Bool {
        let age = SystemCalls.wallClockMilliseconds() - identity.modified / 1_000_000
        return age < 0 || age > 50
    }

    private func keep(_ entry: Entry) {
        guard entry.bytes.count <= cacheLimit / 2, Self.isSettled(entry.identity) else { return }
        let growth = cache.withLock { cache in
            let before = cache.size
            if let old = cache.entries[entry.path] {
                cache.size -= old.bytes.count
            } else {
                cache.order.append(entry.path)
            }
            cache.entries[entry.path] = entry
            cache.size += entry.bytes.count
            while cache.size > cacheLimit, cache.order.count > 1 {
                let oldest = cache.order.removeFirst()
                cache.size -= cache.entries.removeValue(forKey: oldest)?.bytes.count ?? 0
            }
            return cache.size - before
        }
        memory.add(growth)
    }

    /// Empties the cache.
    public func forgetContents() {
        let old = cache.withLock { cache in
            defer { cache = Cache(readings: cache.readings) }
            return cache
        }
        memory.add(-old.size)
    }

    /// A new number for the temporary file of a save.
    func nextSave() -> Int {
        saves.withLock { count in
            count &+= 1
            return count
        }
    }

    /// Whether a path consists of names and single slashes, and no name starts with a dot: `components` then changes
    /// nothing.
    private static func isPlain(_ path: String) -> Bool {
        var isBeginning = true
        for byte in path.utf8 {
            if byte == 0 || isBeginning && (byte == 0x2e || byte == 0x2f) { return false }
            isBeginning = byte == 0x2f
        }
        return !isBeginning
    }

    /// The names in a path.
    /// - Throws: for an empty or absolute path, one with a zero byte, and one that leads upwards.
    static func components(of path: String) throws(BodyFileProblem) -> [String] {
        // Compares bytes, not characters: for the system, a slash followed by a combining accent is a slash.
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .notFound(path) }
        guard path.utf8.first != 0x2f else { throw .escapes(path) }
        var components: [String] = []
        for component in path.utf8.split(separator: 0x2f) {
            if component.elementsEqual("..".utf8) { throw .escapes(path) }
            if !component.elementsEqual(".".utf8) { components.append(String(decoding: component, as: UTF8.self)) }
        }
        guard !components.isEmpty else { throw .notAFile(path) }
        return components
    }
}

/// The reason why a body file has no content or cannot be changed.
public enum BodyFileProblem: Error, Sendable, Hashable, CustomStringConvertible {
    case notFound(String)
    /// The path is a folder, a pipe or a device.
    case notAFile(String)
    /// The path is absolute, or leads out of `__files` by `..` or a link.
    case escapes(String)
    /// A name is too long, or reserved by the daemon.
    case badName(String)
    /// A part of the path that must be a folder is not.
    case notAFolder(String)
    case unreadable(String, SystemError)

    public var description: String {
        switch self {
        case .notFound(let path): "no file \(path) in __files"
        case .notAFile(let path): "\(path) in __files is not a file"
        case .escapes(let path): "\(path) is outside of __files"
        case .badName(let path): "\(path) is not a valid name for a file in __files"
        case .notAFolder(let path): "part of \(path) in __files is not a folder"
        case .unreadable(_, let error): "__files: \(error)"
        }
    }
}
