public import Platform
internal import Synchronization

/// The files that responses take their bodies from: what stands under `__files`, and nothing else.
///
/// WireMock reads a body file for each request. So do we as far as anyone can tell: a content is kept, and given again only
/// while the file has the same time, size and inode.
public final class BodyFiles: Sendable {
    /// The largest body file.
    public static let largestFile = 1 << 30
    /// What is kept in memory at most, in bytes; larger files are read each time.
    private let cacheLimit: Int

    private let root: String
    private let cache = Mutex(Cache())

    private struct Cache {
        var entries: [String: (identity: FileIdentity, bytes: [UInt8])] = [:]
        /// Oldest first. Entries leave in this order when the cache is full.
        var order: [String] = []
        var size = 0
    }

    /// - Parameter path: the `__files` folder, which need not exist.
    public init(path: String, cacheLimit: Int = 32 << 20) {
        root = path
        self.cacheLimit = cacheLimit
    }

    /// The content of a file, named relative to `__files`, and which version of the file it is.
    public func read(_ path: String) throws(BodyFileError) -> (bytes: [UInt8], identity: FileIdentity) {
        let components = try Self.components(of: path)
        let key = components.joined(separator: "/")
        let fullPath = root + "/" + key
        let status: FileStatus
        do throws(SystemError) {
            status = try SystemCalls.status(of: fullPath)
        } catch {
            throw error.isNotFound ? .notFound(path) : .unreadable(path, error)
        }
        guard status.kind == .file else { throw .notAFile(path) }
        let known = cache.withLock { cache in
            cache.entries[key].flatMap { $0.identity == status.identity ? $0.bytes : nil }
        }
        if let known { return (known, status.identity) }
        guard let (identity, bytes) = try readFromDisk(fullPath, named: path) else { throw .escapes(path) }
        keep(bytes, identity, as: key)
        return (bytes, identity)
    }

    /// Nil if the path leads out of the folder.
    private func readFromDisk(
        _ fullPath: String, named path: String
    ) throws(BodyFileError) -> (FileIdentity, [UInt8])? {
        do throws(SystemError) {
            guard let file = try SystemCalls.openBeneath(root, fullPath) else { return nil }
            let identity = try SystemCalls.status(of: file).identity
            return (identity, try SystemCalls.readAll(file, limit: Self.largestFile, path: fullPath))
        } catch {
            throw error.isNotFound ? .notFound(path) : .unreadable(path, error)
        }
    }

    private func keep(_ bytes: [UInt8], _ identity: FileIdentity, as key: String) {
        guard bytes.count <= cacheLimit / 4 else { return }
        cache.withLock { cache in
            if let old = cache.entries[key] {
                cache.size -= old.bytes.count
            } else {
                cache.order.append(key)
            }
            cache.entries[key] = (identity, bytes)
            cache.size += bytes.count
            while cache.size > cacheLimit, cache.order.count > 1 {
                let oldest = cache.order.removeFirst()
                cache.size -= cache.entries.removeValue(forKey: oldest)?.bytes.count ?? 0
            }
        }
    }

    /// The names that a path is made of; none of them leads upwards.
    static func components(of path: String) throws(BodyFileError) -> [String] {
        // Bytes, not characters: a slash with a combining accent behind it is still a slash to the system.
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

/// Why a body file cannot be given.
public enum BodyFileError: Error, Sendable, Hashable, CustomStringConvertible {
    case notFound(String)
    /// A folder, a pipe or a device.
    case notAFile(String)
    /// The path is absolute, or leads out of `__files` by `..` or a link.
    case escapes(String)
    case unreadable(String, SystemError)

    public var description: String {
        switch self {
        case .notFound(let path): "no file \(path) in __files"
        case .notAFile(let path): "\(path) in __files is no file"
        case .escapes(let path): "\(path) leads out of __files"
        case .unreadable(_, let error): "__files: \(error)"
        }
    }
}
