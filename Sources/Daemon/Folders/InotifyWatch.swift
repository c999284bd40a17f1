#if os(Linux)
    internal import SDPlatform

    /// The thread of a watch on Linux. It reads events, gathers their paths until there has been a short pause, and
    /// compares the files there with their known state. Events only say where to look; the files found there decide.
    struct InotifyWatch: ~Copyable {
        /// Gathering ends after a pause of this length, or after the longest time since the first event; in
        /// milliseconds.
        private static let quietMilliseconds: Int64 = 15
        private static let longestMilliseconds: Int64 = 80
        /// The delay of the first scan.
        private static let firstLookMilliseconds: Int64 = 20
        /// The intervals for checking whether a missing folder exists, and whether an existing one is still the same.
        private static let missingMilliseconds: Int64 = 50
        private static let presentMilliseconds: Int64 = 1_000

        let core: WatchCore
        var inotify: Inotify
        /// The paths of each watched folder, relative to the stub folder; links may lead to several.
        private var folders: [Int32: Set<String>] = [:]
        /// The folders in which a name decides where a link among the stubs leads.
        var trails: [Int32: Trail] = [:]
        /// The identity of the stub folder when it was last watched; nil if it was missing.
        private var root: FileIdentity?
        /// The folder with the stubs in it.
        private var stubRoot: String?
        /// The folders of body files, by their watches.
        private var bodyFolders: [Int32: String] = [:]
        /// Whether some of those folders could not be watched, and are scanned from time to time.
        private var bodiesAreIncomplete = false
        private var bodiesAreDirty = false
        /// The paths to be scanned.
        private var dirty: Set<String> = []
        private var firstEvent: Int64 = 0
        private var lastEvent: Int64 = 0
        private var lastFlush: Int64 = 0
        /// Whether some folders may be unwatched because there was no descriptor for watching everything again.
        var isIncomplete = false

        /// Makes the watch, on its own thread, a moment after it was asked for.
        /// - Throws: if the system has no inotify instance left.
        init(core: WatchCore) throws(SystemError) {
            self.core = core
            // At once, while no file is open that its copy here would keep open.
            if core.leavesDescriptors { SystemCalls.leaveSharedDescriptors() }
            // The first scan waits, to leave the processors to others that are still starting; it also finds the
            // changes made until then.
            _ = try SystemCalls.waitReadable(
                core.wakeUp.output.number, -1, milliseconds: Int32(Self.firstLookMilliseconds))
            inotify = try Inotify()
        }

        /// Watches until the end.
        /// - Throws: if the system can no longer watch.
        mutating func run() throws(SystemError) {
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
                if !ready.first, !ready.second, isQuiet { core.onLook() }
                if isQuiet, currentRoot() != root || isTimeToTryAgain() { markEverything() }
                if !isQuiet, timeout() == 0 { try flush() }
            }
        }

        /// Whether it is time to try again to read what could not be read.
        private mutating func isTimeToTryAgain() -> Bool {
            let now = SystemCalls.monotonicMilliseconds()
            guard now - lastFlush >= Self.presentMilliseconds else { return false }
            return core.hasUnreadable || isIncomplete || bodiesAreIncomplete
        }

        private var isQuiet: Bool { dirty.isEmpty && !bodiesAreDirty }

        /// The milliseconds until something must be done without an event.
        private func timeout() -> Int64 {
            guard !isQuiet else { return root == nil ? Self.missingMilliseconds : Self.presentMilliseconds }
            let due = min(lastEvent + Self.quietMilliseconds, firstEvent + Self.longestMilliseconds)
            return max(0, due - SystemCalls.monotonicMilliseconds())
        }

        mutating func mark(_ path: String) {
            noteEvent()
            dirty.insert(path)
        }

        private mutating func markBodies() {
            noteEvent()
            bodiesAreDirty = true
        }

        private mutating func noteEvent() {
            lastEvent = SystemCalls.monotonicMilliseconds()
            if isQuiet { firstEvent = lastEvent }
        }

        private mutating func markEverything() {
            mark("")
        }

        private mutating func flush() throws(SystemError) {
            let paths = dirty
            dirty = []
            lastFlush = SystemCalls.monotonicMilliseconds()
            // The empty path is the whole folder, whose root may have changed.
            if paths.contains("") { try watchEverything() }
            // Files in a folder that is not watched yet are reported once it is, because nothing would notice their
            // completion.
            if root == nil {
                core.reportMissing()
            } else if !paths.isEmpty {
                core.report(paths)
            }
            core.onLook()
            if bodiesAreDirty || paths.contains("") {
                bodiesAreDirty = false
                core.onBodyFiles()
            }
        }

        // MARK: - What is watched

        private func currentRoot() -> FileIdentity? {
            do throws(SystemError) {
                let status = try SystemCalls.status(of: core.folder.path)
                guard status.kind == .folder else { return nil }
                // Time and size of a folder change with every file in it without making it another folder.
                var identity = status.identity
                identity.modified = 0
                identity.size = 0
                return identity
            } catch {
                // A folder that cannot be looked up is not missing.
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
            trails = [:]
            bodyFolders = [:]
            bodiesAreIncomplete = false
            stubRoot = nil
            root = currentRoot()
            guard root != nil else { return }
            if let reason = try watch("") {
                // An unreadable folder still exists, and is tried again.
                if reason.isNotFound { root = nil }
                return
            }
            do throws(SystemError) {
                stubRoot = try core.folder.stubRoot()
            } catch {
                // Until it is known, no event says where stubs change.
                isIncomplete = true
            }
            if let stubRoot { try watchTree(stubRoot) }
            watchBodies(core.folder.bodyFilesPath)
        }

        /// Watches a folder of body files and those in it, links to folders included. Those that cannot be watched are
        /// looked at once in a while.
        private mutating func watchBodies(_ folder: String, depth: Int = 0) {
            guard depth < StubFolder.deepestFolder else { return }
            do throws(SystemError) {
                let number = try inotify.add(folder)
                guard folders[number] == nil else {
                    bodiesAreIncomplete = true
                    return
                }
                // A link into what is watched already is no more to be seen.
                guard bodyFolders.updateValue(folder, forKey: number) == nil else { return }
                for entry in try SystemCalls.entries(of: folder) where entry.kind != .file {
                    let path = join(folder, entry.name)
                    if entry.kind == .folder || SystemCalls.isFolder(path) { watchBodies(path, depth: depth + 1) }
                }
            } catch {
                if !error.isNotFound { bodiesAreIncomplete = true }
            }
        }

        mutating func watchTree(_ start: String) throws(SystemError) {
            var failure: SystemError?
            core.folder.visit(start) { found in
                if case .link(let link) = found { follow(link) }
                // A folder is watched before its names are listed, so that names made after the listing cause an event.
                guard case .folder(let folder) = found, failure == nil else { return }
                do throws(SystemError) {
                    try watch(folder)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }

        /// Watches a folder.
        /// - Returns: the failure if it does not matter: a folder that vanished needs no watch, and an unreadable one
        ///   is tried again.
        /// - Throws: any other failure.
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

        mutating func forget(_ folder: String) {
            for (number, paths) in folders {
                let rest = paths.filter { $0 != folder && !$0.hasPrefix(folder + "/") }
                if rest.isEmpty {
                    if trails[number] == nil { inotify.remove(number) }
                    folders.removeValue(forKey: number)
                } else {
                    folders[number] = rest
                }
            }
        }

        // MARK: - Events

        private mutating func handle(_ event: Inotify.Event) throws(SystemError) {
            if event.isOverflow { return markEverything() }
            try handleTrail(event)
            if let folder = bodyFolders[event.folder] { return handle(event, amongBodiesIn: folder) }
            guard let paths = folders[event.folder] else { return }
            if event.isIgnored {
                folders.removeValue(forKey: event.folder)
            } else if event.isEndOfFolder {
                if paths.contains("") { markEverything() }
            } else {
                for path in paths { try handle(event, in: path) }
            }
        }

        private mutating func handle(_ event: Inotify.Event, amongBodiesIn folder: String) {
            if event.isIgnored || event.isEndOfFolder {
                bodyFolders.removeValue(forKey: event.folder)
            } else if event.isAboutFolder, !event.name.isEmpty {
                watchBodies(join(folder, event.name))
            }
            markBodies()
        }

        private mutating func handle(_ event: Inotify.Event, in folder: String) throws(SystemError) {
            if folder.isEmpty, event.name == StubFolder.bodiesName {
                watchBodies(core.folder.bodyFilesPath)
                return markBodies()
            }
            if folder.isEmpty, event.name == StubFolder.mappingsName { return markEverything() }
            if folder.isEmpty, stubRoot != "" { return }
            let path = join(folder, event.name)
            let fullPath = join(core.folder.path, path)
            let isLink = (try? SystemCalls.status(of: fullPath, followingLinks: false))?.kind == .link
            if StubFolder.isHidden(event.name) {
                // Mounted configuration has its files behind a hidden link, and replaces the link.
                if isLink { mark(folder) }
                return
            }
            if StubFolder.isLeftOut(event.name) || event.name.isEmpty { return }
            // Perhaps a name that is not UTF-8, which only a look at the folder tells.
            if event.name.unicodeScalars.contains("\u{FFFD}") { mark(folder) }
            if isLink { follow(path) }
            if event.isAboutFolder || (isLink && SystemCalls.isFolder(fullPath)) {
                forget(path)
                if SystemCalls.isFolder(fullPath) { try watchTree(path) }
                mark(path)
            } else if isLink || (StubFolder.isStubName(event.name) && isComplete(event, fullPath)) {
                mark(path)
            } else if folders.values.contains(where: { $0.contains(path) }) {
                // A link to a folder is gone.
                forget(path)
                mark(path)
            }
        }

        /// Whether an event is about something that nobody is about to write: no new file.
        private func isComplete(_ event: Inotify.Event, _ fullPath: String) -> Bool {
            !event.isCreation || !isFile(fullPath) || hasOtherNames(fullPath)
        }

        func isFile(_ path: String) -> Bool {
            (try? SystemCalls.status(of: path, followingLinks: false))?.kind == .file
        }

        /// Whether a file has other names. Unlike a new file, an existing one with a new name is not about to be
        /// written.
        func hasOtherNames(_ fullPath: String) -> Bool {
            (try? SystemCalls.status(of: fullPath))?.links ?? 1 > 1
        }
    }
#endif
