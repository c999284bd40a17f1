#if os(macOS) || os(Linux)
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    import SDLocks

    /// An empty folder for a daemon that is launched without one. It goes with this value, and at the exit of the
    /// process.
    package final class TemporaryMocks: Sendable {
        package let path: String

        /// Makes the folder.
        /// - Throws: `MockServerError` if it cannot be made.
        package init() throws(MockServerError) {
            path =
                FileManager.default.temporaryDirectory.appendingPathComponent("stuntdouble-\(UUID().uuidString)").path
            do {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
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
    }

    /// The folders to remove at the exit of the process; nil before the first.
    private let leftovers = Lock<Set<String>?>(nil)

    private func removeLeftovers() {
        for path in leftovers.withLock({ $0 ?? [] }) { try? FileManager.default.removeItem(atPath: path) }
    }
#endif
