#if os(macOS) || os(Linux)
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Darwin)
        internal import Darwin
    #endif

    /// A lock on a folder, held while this object exists. The system releases it when the process ends in any way.
    final class FolderLock: Sendable {
        private let descriptor: Int32

        /// Locks a folder; nil if another process holds the lock, or it cannot be taken.
        init?(_ path: String) {
            let opened = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard opened >= 0 else { return nil }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                close(opened)
                return nil
            }
            descriptor = opened
        }

        deinit {
            close(descriptor)
        }
    }
#endif
