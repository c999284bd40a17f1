#if os(macOS) || os(Linux)
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Darwin)
        internal import Darwin
    #endif

    /// A lock on a folder, held as long as this value exists. The system lets it go when the process ends, in whatever
    /// way.
    final class FolderLock: Sendable {
        private let descriptor: Int32

        /// Locks a folder; nil if another has locked it, or it cannot be locked.
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
