#if os(macOS) || os(Linux)
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    import SDBasics

    /// An empty folder for a server that is started without one. It goes with this value, and at the exit of the
    /// process. One of a process that was killed goes when the next process makes one: nobody locks it any more.
    package final class TemporaryMocks: Sendable {
        package let path: String
        private let lock: FolderLock?

        private static let prefix = "stuntdouble-mocks-"
        private static let sweptOnce: Void = sweep()

        /// Makes the folder.
        /// - Throws: `MockServerError` if it cannot be made.
        package init() throws(MockServerError) {
            Self.sweptOnce
            let name = Self.prefix + UUID().uuidString
            path = Self.path(of: name)
            // It is locked before it has the name by which others may find it.
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

        /// Removes the folders of processes that have ended without doing so.
        package static func sweep() {
            let names = try? FileManager.default.contentsOfDirectory(
                atPath: FileManager.default.temporaryDirectory.path)
            for name in names ?? [] where name.hasPrefix(prefix) {
                guard let lock = FolderLock(path(of: name)) else { continue }
                withExtendedLifetime(lock) { try? FileManager.default.removeItem(atPath: path(of: name)) }
            }
        }
    }

    /// The folders to remove at the exit of the process; nil before the first.
    private let leftovers = Lock<Set<String>?>(nil)

    private func removeLeftovers() {
        for path in leftovers.withLock({ $0 ?? [] }) { try? FileManager.default.removeItem(atPath: path) }
    }
#endif
