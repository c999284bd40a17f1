#if os(macOS) || os(Linux)
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    import SDBasics

    /// An empty folder for a server that is started without one. It is removed with this object and at process exit. If
    /// the process was killed, the next process to make one removes it: its lock is free by then.
    package final class TemporaryMocks: Sendable {
        package let path: String
        private let lock: FolderLock?

        private static let prefix = "stuntdouble-mocks-"
        private static let sweptOnce: Void = sweep()

        /// Makes the folder.
        /// - Throws: `MockServerError` if it cannot be created.
        package init() throws(MockServerError) {
            Self.sweptOnce
            let name = Self.prefix + UUID().uuidString
            path = Self.path(of: name)
            // Lock it before it gets the name by which other processes find it.
            let unnamed = Self.path(of: "." + name)
            do {
                try FileManager.default.createDirectory(atPath: unnamed, withIntermediateDirectories: true)
                lock = FolderLock(unnamed)
                try FileManager.default.moveItem(atPath: unnamed, toPath: path)
            } catch {
                throw MockServerError("cannot make an empty folder for stubs: \(error)")
            }
            leftovers.withLock { [path] leftovers in
                if leftovers == nil { ChildCalls.atExit(removeLeftovers) }
                leftovers = (leftovers ?? []).union([path])
            }
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)
            leftovers.withLock { [path] in _ = $0?.remove(path) }
        }

        private static func path(of name: String) -> String {
            FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        }

        /// Removes folders of processes that ended without removing them.
        package static func sweep() {
            let names = try? FileManager.default.contentsOfDirectory(
                atPath: FileManager.default.temporaryDirectory.path)
            for name in names ?? [] where name.hasPrefix(prefix) {
                guard let lock = FolderLock(path(of: name)) else { continue }
                withExtendedLifetime(lock) { try? FileManager.default.removeItem(atPath: path(of: name)) }
            }
        }
    }

    /// The folders to remove at process exit; nil before the first.
    private let leftovers = Lock<Set<String>?>(nil)

    private func removeLeftovers() {
        for path in leftovers.withLock({ $0 ?? [] }) { try? FileManager.default.removeItem(atPath: path) }
    }
#endif
