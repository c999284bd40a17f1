#if os(Linux)
    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// Linux's change notifications for folders.
    public struct Inotify: ~Copyable, Sendable {
        public struct Event: Sendable, Hashable {
            /// The watch descriptor that `add` returned for the folder; -1 for an overflow.
            public var folder: Int32
            public var mask: UInt32
            /// The name in the folder; empty for an event about the folder itself.
            public var name: String

            /// Whether events were lost, so that anything may have changed.
            public var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }
            /// Whether the watched folder itself was removed, moved away or unmounted.
            public var isEndOfFolder: Bool { mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) != 0 }
            /// Whether the folder is no longer watched.
            public var isIgnored: Bool { mask & UInt32(IN_IGNORED) != 0 }
            /// Whether the name was created. A file may not have its content yet.
            public var isCreation: Bool { mask & UInt32(IN_CREATE) != 0 }
            public var isAboutFolder: Bool { mask & UInt32(bitPattern: Int32(IN_ISDIR)) != 0 }
        }

        public let descriptor: FileDescriptor

        /// Opens a non-blocking inotify descriptor.
        /// - Throws: the failure of `inotify_init1`.
        public init() throws(SystemError) {
            let number = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
            guard number >= 0 else { throw SystemCalls.failure("inotify_init1") }
            descriptor = FileDescriptor(owning: number)
        }

        /// Watches a folder for names that appear, disappear, or are written and closed.
        /// - Returns: the number of the watch, as in `Event.folder`.
        /// - Throws: the failure of `inotify_add_watch`.
        public func add(_ folder: String) throws(SystemError) -> Int32 {
            let interests =
                IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF
                | IN_MOVE_SELF
            let watch = inotify_add_watch(
                descriptor.number, folder, UInt32(bitPattern: Int32(interests)) | UInt32(IN_ONLYDIR))
            guard watch >= 0 else { throw SystemCalls.failure("inotify_add_watch", folder) }
            return watch
        }

        public func remove(_ folder: Int32) {
            inotify_rm_watch(descriptor.number, folder)
        }

        /// Reads the pending events, if any.
        /// - Throws: the failure of `read`.
        public func read() throws(SystemError) -> [Event] {
            var events: [Event] = []
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            while true {
                let number = descriptor.number
                let count = buffer.withUnsafeMutableBytes { bytes in
                    SystemCalls.retrying {
                        #if canImport(Musl)
                            Musl.read(number, bytes.baseAddress, bytes.count)
                        #else
                            Glibc.read(number, bytes.baseAddress, bytes.count)
                        #endif
                    }
                }
                if count < 0 {
                    if errno == EAGAIN { return events }
                    throw SystemCalls.failure("read")
                }
                if count == 0 { return events }
                buffer.withUnsafeBytes { Self.parse(UnsafeRawBufferPointer(rebasing: $0[..<count]), into: &events) }
            }
        }

        private static func parse(_ bytes: UnsafeRawBufferPointer, into events: inout [Event]) {
            let headSize = MemoryLayout<inotify_event>.size
            var position = 0
            while position + headSize <= bytes.count {
                let head = bytes.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
                let end = position + headSize + Int(head.len)
                guard end <= bytes.count else { return }
                let name = bytes[(position + headSize)..<end].prefix { $0 != 0 }
                events.append(Event(folder: head.wd, mask: head.mask, name: String(decoding: name, as: UTF8.self)))
                position = end
            }
        }
    }
#endif
