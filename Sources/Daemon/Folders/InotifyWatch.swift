#if os(Linux)
    internal import SDPlatform

    /// The thread of a watch on Linux. It collects the paths of events until a short pause, then compares the files
    /// there with their known state. Events only say where to check.
    struct InotifyWatch: ~Copyable {
        /// Collecting ends after a pause of this length, or this long after the first event; in milliseconds.
        private static let quietMilliseconds: Int64 = 15
        private static let longestMilliseconds: Int64 = 80
        /// The delay of the first scan.
        private static let firstLookMilliseconds: Int64 = 20
        /// The intervals in milliseconds for checking whether a missing folder exists, and whether an existing one is
        /// still the same.
        private static let missingMilliseconds: Int64 = 50
        private static let presentMilliseconds: Int64 = 1_000

        let core: WatchCore
        var inotify: Inotify
        /// The paths of each watched folder, relative to the stub folder; with links, there may be several.
        private var folders: [Int32: Set<String>] = [:]
        /// The watched folders on which links depend.
        var linkFolders: [Int32: LinkFolder] = [:]
        /// The stamp of the stub folder when it was last watched; nil if it was missing.
        private var root: FileStamp?
        /// The folder in it that contains the stubs.
        private var stubRoot: String?
        /// The folders of body files, by watch descriptor.
        private var bodyFolders: [Int32: String] = [:]
        /// Whether some of those folders could not be watched, and are scanned periodically.
        private var bodiesAreIncomplete = false
        private var bodiesAreDirty = false
        /// The paths to scan.
        private var dirty: Set<String> = []
        private var firstEvent: Int64 = 0
        private var lastEvent: Int64 = 0
        private var lastFlush: Int64 = 0
        /// Whether some folders may be unwatched, for lack of descriptors.
        var isIncomplete = false

        /// Makes the watch, on its own thread, after a short delay.
        /// - Throws: if the system has no inotify instance left.
        init(core: WatchCore) throws(SystemError) {
            self.core = core
            // Now, while no file is open that the copied table would keep open.
            if core.leavesDescriptors { SystemCalls.leaveSharedDescriptors() }
            // The first scan is delayed, to leave the processors to threads that are still starting; it also finds
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

        /// Whether it is time to retry unreadable files.
        private mutating func isTimeToTryAgain() -> Bool {
            let now = SystemCalls.monotonicMilliseconds()
            guard now - lastFlush >= Self.presentMilliseconds else { return false }
            return core.hasUnreadable || isIncomplete || bodiesAreIncomplete
        }

        private var isQuiet: Bool { dirty.isEmpty && !bodiesAreDirty }

        /// The milliseconds until the next action without an event.
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
            // The empty path is the whole folder, whose stub root may have changed.
            if paths.contains("") { try watchEverything() }
            // Files in a folder that is not watched yet are reported once it is: their completion would go unnoticed
            // before.
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

        // MARK: - Watches

        private func currentRoot() -> FileStamp? {
            do throws(SystemError) {
                let status = try SystemCalls.status(of: core.folder.path)
                guard status.kind == .folder else { return nil }
                // A folder's time and size change with its files, without making it another folder.
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
            linkFolders = [:]
            bodyFolders = [:]
            bodiesAreIncomplete = false
            stubRoot = nil
            root = currentRoot()
            guard root != nil else { return }
            if let reason = try watch("") {
                // An unreadable folder exists, and is tried again.
                if reason.isNotFound { root = nil }
                return
            }
            do throws(SystemError) {
                stubRoot = try core.folder.stubRoot()
            } catch {
                // Until the stub root is known, events do not tell where stubs change.
                isIncomplete = true
            }
            if let stubRoot { try watchTree(stubRoot) }
            if let messages = try? core.folder.messageRoot() { try watchTree(messages) }
            watchBodies(core.folder.bodyFilesPath)
        }

        /// Watches a folder of body files and its subfolders, following links. Folders that cannot be watched are
        /// scanned periodically.
        private mutating func watchBodies(_ folder: String, depth: Int = 0) {
            guard depth < StubFolder.deepestFolder else { return }
            do throws(SystemError) {
                let number = try inotify.add(folder)
                guard folders[number] == nil else {
                    bodiesAreIncomplete = true
                    return
                }
                // Stop at a link to a folder that is already watched.
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
                // A folder is watched before it is listed, so that names created after the listing cause an event.
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
        /// - Returns: a harmless failure: a folder that vanished needs no watch, and an unreadable one is tried again.
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
                    if linkFolders[number] == nil { inotify.remove(number) }
                    folders.removeValue(forKey: number)
                } else {
                    folders[number] = rest
                }
            }
        }

        // MARK: - Events

        private mutating func handle(_ event: Inotify.Event) throws(SystemError) {
            if event.isOverflow { return markEverything() }
            try handleLinkFolder(event)
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
            if folder.isEmpty, [StubFolder.mappingsName, StubFolder.messagesName].contains(event.name) {
                return markEverything()
            }
            if folder.isEmpty, stubRoot != "" { return }
            let path = join(folder, event.name)
            let fullPath = join(core.folder.path, path)
            let isLink = (try? SystemCalls.status(of: fullPath, followingLinks: false))?.kind == .link
            if StubFolder.isHidden(event.name) {
                // Mounted configuration keeps its files behind a hidden link, and replaces the link.
                if isLink { mark(folder) }
                return
            }
            if StubFolder.isLeftOut(event.name) || event.name.isEmpty { return }
            // Perhaps the name is not UTF-8, which listing the folder shows.
            if event.name.unicodeScalars.contains("\u{FFFD}") { mark(folder) }
            if isLink { follow(path) }
            if event.isAboutFolder || (isLink && SystemCalls.isFolder(fullPath)) {
                forget(path)
                if SystemCalls.isFolder(fullPath) { try watchTree(path) }
                mark(path)
            } else if isLink || (StubFolder.isStubName(event.name) && isComplete(event, fullPath)) {
                mark(path)
            } else if folders.values.contains(where: { $0.contains(path) }) {
                // A link to a folder was removed.
                forget(path)
                mark(path)
            }
        }

        /// Whether an event is about something already written, as opposed to a new file.
        private func isComplete(_ event: Inotify.Event, _ fullPath: String) -> Bool {
            !event.isCreation || !isFile(fullPath) || hasOtherNames(fullPath)
        }

        func isFile(_ path: String) -> Bool {
            (try? SystemCalls.status(of: path, followingLinks: false))?.kind == .file
        }

        /// Whether a file has other hard links. A new name of an existing file needs no further writing.
        func hasOtherNames(_ fullPath: String) -> Bool {
            (try? SystemCalls.status(of: fullPath))?.links ?? 1 > 1
        }
    }
#endif
