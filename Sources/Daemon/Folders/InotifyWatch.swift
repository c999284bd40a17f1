#if os(Linux)
    internal import Platform

    /// The thread of a watch on Linux: reads events, gathers the paths they are about until it has been quiet for a moment,
    /// and compares the files there with what is known. Events only say where to look; what is found there counts.
    struct InotifyWatch: ~Copyable {
        /// No event for this long ends the gathering, and so does the longest time since the first event.
        private static let quietMilliseconds: Int64 = 15
        private static let longestMilliseconds: Int64 = 80
        /// How long the first look waits.
        private static let firstLookMilliseconds: Int64 = 20
        /// How often to look for a folder that is missing, and whether the folder is still the same.
        private static let missingMilliseconds: Int64 = 50
        private static let presentMilliseconds: Int64 = 1_000

        private let core: WatchCore
        private var inotify: Inotify
        /// The paths of each watched folder, relative to the stub folder; links may give one several.
        private var folders: [Int32: Set<String>] = [:]
        /// The stub folder as it was when it was last watched; nil if it was missing.
        private var root: FileIdentity?
        /// Where the stubs stand in it.
        private var stubRoot: String?
        /// What has to be looked at.
        private var dirty: Set<String> = []
        private var firstEvent: Int64 = 0
        private var lastEvent: Int64 = 0
        private var lastFlush: Int64 = 0
        /// There was no descriptor for watching everything anew: some folders may not be watched.
        private var isIncomplete = false

        /// On the thread of the watch.
        init(core: WatchCore) throws(SystemError) {
            self.core = core
            SystemCalls.leaveSharedDescriptors()
            inotify = try Inotify()
        }

        mutating func run() throws(SystemError) {
            // The first look at all files leaves the processors to those who are still starting; what changes until then is
            // found by it.
            _ = try SystemCalls.waitReadable(
                core.wakeUp.output.number, -1, milliseconds: Int32(Self.firstLookMilliseconds))
            markEverything()
            try flush()
            while true {
                let ready = try SystemCalls.waitReadable(
                    inotify.descriptor.number, core.wakeUp.output.number, milliseconds: Int32(timeout()))
                if ready.second {
                    core.wakeUp.drain()
                    if core.isStopped { return }
                    if core.takeRescan() { markEverything() }
                }
                if ready.first {
                    for event in try inotify.read() { try handle(event) }
                }
                if dirty.isEmpty, currentRoot() != root || isTimeToTryAgain() { markEverything() }
                if !dirty.isEmpty, timeout() == 0 { try flush() }
            }
        }

        /// What could not be read is tried again, once in a while.
        private mutating func isTimeToTryAgain() -> Bool {
            let now = SystemCalls.monotonicMilliseconds()
            guard now - lastFlush >= Self.presentMilliseconds else { return false }
            return core.hasUnreadable || isIncomplete
        }

        /// Milliseconds until something is to be done without an event.
        private func timeout() -> Int64 {
            guard !dirty.isEmpty else { return root == nil ? Self.missingMilliseconds : Self.presentMilliseconds }
            let due = min(lastEvent + Self.quietMilliseconds, firstEvent + Self.longestMilliseconds)
            return max(0, due - SystemCalls.monotonicMilliseconds())
        }

        private mutating func mark(_ path: String) {
            lastEvent = SystemCalls.monotonicMilliseconds()
            if dirty.isEmpty { firstEvent = lastEvent }
            dirty.insert(path)
        }

        private mutating func markEverything() {
            mark("")
        }

        private mutating func flush() throws(SystemError) {
            let paths = dirty
            dirty = []
            lastFlush = SystemCalls.monotonicMilliseconds()
            // The empty path stands for the whole folder, whose root may be another one by now.
            if paths.contains("") { try watchEverything() }
            // What stands in a folder that is not watched yet is told when it is: nobody would notice its end.
            if root == nil {
                core.reportMissing()
            } else {
                core.report(paths)
            }
        }

        // MARK: - What is watched

        private func currentRoot() -> FileIdentity? {
            do throws(SystemError) {
                let status = try SystemCalls.status(of: core.folder.path)
                guard status.kind == .folder else { return nil }
                // Time and size of a folder change with every file in it; they do not make it another folder.
                var identity = status.identity
                identity.modified = 0
                identity.size = 0
                return identity
            } catch {
                // What cannot be looked at is not missing.
                return error.isNotFound ? nil : root
            }
        }

        private mutating func watchEverything() throws(SystemError) {
            do throws(SystemError) {
                inotify = try Inotify()
                isIncomplete = false
            } catch {
                guard error.isShortage else { throw error }
                isIncomplete = true
                root = currentRoot()
                return
            }
            folders = [:]
            stubRoot = nil
            root = currentRoot()
            guard root != nil else { return }
            if let reason = try watch("") {
                // One that must not be read is there all the same, and asked for again.
                if reason.isNotFound { root = nil }
                return
            }
            stubRoot = try? core.folder.stubRoot()
            if let stubRoot { try watchTree(stubRoot) }
        }

        private mutating func watchTree(_ start: String) throws(SystemError) {
            var failure: SystemError?
            core.folder.visit(start) { found in
                // A folder is told before its names are read: what is made after the reading gives an event.
                guard case .folder(let folder) = found, failure == nil else { return }
                do throws(SystemError) {
                    try watch(folder)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }

        /// - Returns: why it cannot be watched, where that is no trouble: a folder that vanished needs no watch, and one that
        ///   must not be read is looked at again and again.
        @discardableResult
        private mutating func watch(_ folder: String) throws(SystemError) -> SystemError? {
            do throws(SystemError) {
                let number = try inotify.add(join(core.folder.path, folder))
                folders[number, default: []].insert(folder)
                return nil
            } catch {
                guard error.isNotFound || error.isPermission else { throw error }
                return error
            }
        }

        private mutating func forget(_ folder: String) {
            for (number, paths) in folders {
                let rest = paths.filter { $0 != folder && !$0.hasPrefix(folder + "/") }
                if rest.isEmpty {
                    inotify.remove(number)
                    folders.removeValue(forKey: number)
                } else {
                    folders[number] = rest
                }
            }
        }

        // MARK: - Events

        private mutating func handle(_ event: Inotify.Event) throws(SystemError) {
            if event.isOverflow { return markEverything() }
            guard let paths = folders[event.folder] else { return }
            if event.isIgnored {
                folders.removeValue(forKey: event.folder)
            } else if event.isEndOfFolder {
                if paths.contains("") { markEverything() }
            } else {
                for path in paths { try handle(event, in: path) }
            }
        }

        private mutating func handle(_ event: Inotify.Event, in folder: String) throws(SystemError) {
            if folder.isEmpty, event.name == StubFolder.mappingsName { return markEverything() }
            if folder.isEmpty, stubRoot != "" { return }
            let path = join(folder, event.name)
            let fullPath = join(core.folder.path, path)
            let isLink = (try? SystemCalls.status(of: fullPath, followingLinks: false))?.kind == .link
            if StubFolder.isHidden(event.name) {
                // Mounted configuration puts files behind a hidden link and swaps the link.
                if isLink { mark(folder) }
                return
            }
            if StubFolder.isLeftOut(event.name) || event.name.isEmpty { return }
            if event.isAboutFolder || (isLink && SystemCalls.isFolder(fullPath)) {
                forget(path)
                if SystemCalls.isFolder(fullPath) { try watchTree(path) }
                mark(path)
            } else if StubFolder.isStubName(event.name), !event.isCreation || isLink || hasOtherNames(fullPath) {
                mark(path)
            } else if folders.values.contains(where: { $0.contains(path) }) {
                // A link to a folder is gone.
                forget(path)
                mark(path)
            }
        }

        /// A new name of a file that had one already is not about to be written, unlike a new file.
        private func hasOtherNames(_ fullPath: String) -> Bool {
            (try? SystemCalls.status(of: fullPath))?.links ?? 1 > 1
        }
    }
#endif
