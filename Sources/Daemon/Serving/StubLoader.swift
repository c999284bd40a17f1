import SDAnswering
package import SDFolders
import SDJSON
import SDJournal
import SDMatching
package import SDMockEngine
import SDPlatform
import SDRecords
package import SDStubFiles
import SDStubModel
import SDStubs
import Synchronization

/// Loads the stub files of a folder into a session, and reports problems. A file with an error keeps its last valid
/// stubs or, with `keepsGoing`, gets its valid ones. Files that are not stub files are skipped.
package final class StubLoader: Sendable {
    package let folder: StubFolder
    let session: Session
    private let selfWrites: SelfWrites
    let log: Log
    /// Whether to report stubs that never match, beyond the problems found while reading.
    private let looksCloser: Bool
    /// Whether the valid stubs of a file with errors are served.
    let keepsGoing: Bool
    /// Serializes readings of the folder, because the watch has its own thread. Under it: `editing` of a session and what
    /// may be taken under that, and the log.
    let reading = Mutex(())
    /// The number of readings so far.
    let readings = Atomic(0)
    let references = StubReferences()
    /// Reads the documents at URLs; nil if references to URLs are off.
    let remote: RemoteDocuments?
    let skippedFiles = Mutex<[String: String]>([:])
    /// The already reported body files with unusable names, by path for messages.
    private let foreignBodies = Mutex<Set<String>>([])
    /// Files with errors and without valid stubs, by path for messages.
    private let unreadTexts = Mutex<Set<String>>([])
    /// The last errors of each file, by path for messages.
    private let fileErrors = Mutex<[String: [FileDiagnostic]]>([:])

    package init(
        folder: StubFolder, session: Session, selfWrites: SelfWrites, log: Log, looksCloser: Bool = true,
        keepsGoing: Bool = false, remote: RemoteDocuments? = nil
    ) {
        self.looksCloser = looksCloser
        self.remote = remote
        self.keepsGoing = keepsGoing
        self.folder = folder
        self.session = session
        self.selfWrites = selfWrites
        self.log = log
        session.nameBrokenFiles { [weak self] in self?.brokenFiles ?? [] }
    }

    /// Reads the whole folder.
    /// - Parameter atOnce: whether requests see all changes at once and are not delayed by them. If not, stubs are
    ///   added while other files are still being read, which is faster.
    /// - Returns: the diagnostics, including warnings; and the contents, for a watch that continues from here.
    package func loadAll(atOnce: Bool) -> ([FileDiagnostic], StubFolderContents) {
        let (diagnostics, contents) = readAll(atOnce: atOnce)
        return (contents.problems.map(Self.diagnostic) + contents.unused.map(Self.warning) + diagnostics, contents)
    }

    /// Reads the whole folder, without diagnostics for unreadable files.
    private func readAll(atOnce: Bool) -> ([FileDiagnostic], StubFolderContents) {
        let (diagnostics, contents) = readAllFiles(atOnce: atOnce)
        releaseMemory(ofReading: contents.files)
        return (diagnostics, contents)
    }

    /// Returns memory freed after reading to the system: for a large file, several times what its stubs need.
    private func releaseMemory(ofReading files: [FolderFile]) {
        if files.contains(where: { $0.identity.size >= StubFolder.largeFile }) { SystemCalls.releaseFreeMemory() }
    }

    private func readAllFiles(atOnce: Bool) -> ([FileDiagnostic], StubFolderContents) {
        reading.withLock { _ in
            remote?.beginReading()
            // Taken first: a stub saved during the reading has a file that the reading may miss.
            let known = Set(
                session.fileNames + session.faultFiles + session.corsFiles + session.redactingFiles
                    + session.contractFiles + session.messageFiles
            )
            .sorted()
            var update: [LoadedFile] = []
            var held: [LoadedFile] = []
            var diagnostics: [FileDiagnostic] = []
            let contents = folder.read { [self] file in
                load(file, inParts: file.identity.size < StubFolder.largeFile)
            } inParts: { [self] file in
                loadParts(of: file)
            } consume: { [self] loaded in
                // Only now are all documents known, and so which files are parts of them. Of two stubs with one id,
                // that of the first file counts.
                for file in loaded {
                    guard let file else { continue }
                    if atOnce || held.isEmpty && file.isPlain { update.append(file) } else { held.append(file) }
                }
                if !atOnce {
                    diagnostics += apply(update, gone: [], isServing: false)
                    update = []
                }
            }
            let gone = known.isEmpty ? [] : missing(known, in: contents)
            selfWrites.accept(contents)
            diagnostics += apply(update + held, gone: gone, isServing: atOnce)
            diagnostics += dataDiagnostics()
            return (held.isEmpty ? diagnostics : diagnostics.inFolderOrder, contents)
        }
    }

    /// Reads these files only.
    package func load(_ files: [FolderFile]) -> [FileDiagnostic] {
        reading.withLock { _ in
            remote?.beginReading()
            return apply(files.compactMap { load($0) }, gone: []) + dataDiagnostics()
        }
    }

    /// Rereads those of these files that are newer than the given times, in nanoseconds since 1970: they were written
    /// after their stubs were removed.
    func readAgain(_ files: [String: UInt64]) {
        let newer = files.keys.sorted().compactMap(folder.stubFile).filter { file in
            UInt64(clamping: file.identity.modified) > files[file.relativePath] ?? 0
        }
        if !newer.isEmpty { report(load(newer)) }
    }

    /// Refreshes the documents at URLs to which these files refer, beforehand, so that no reader of the folder waits
    /// for their servers.
    private func renewRemoteDocuments(of files: [FolderFile]) {
        guard let remote else { return }
        remote.renew {
            for file in files {
                guard let format = StubFile.Format(path: file.relativePath) else { continue }
                var neighbours = folder.neighbours(of: file.relativePath)
                neighbours.remote = { remote.renewed($0) }
                _ = StubFile.read(
                    file.bytes, format: format, path: file.path, idSeed: file.relativePath, keepsGood: true,
                    neighbours: neighbours)
            }
        }
    }

    /// Refreshes all documents at URLs.
    package func renewRemoteDocuments() {
        guard remote != nil else { return }
        renewRemoteDocuments(of: session.contractFiles.compactMap(folder.stubFile))
    }

    // MARK: Data

    /// Rereads changed collection files, and reports problems.
    func takeDataFiles() {
        for diagnostic in dataDiagnostics() { log.error(text(of: diagnostic), parts: diagnostic.logParts) }
    }

    /// Warnings about body files that no response can use.
    package var foreignBodyWarnings: [FileDiagnostic] { folder.foreignBodies().map(Self.warning) }

    /// Logs the body files that no response can use, each once. Not before the start, since there may be very many
    /// files.
    func nameForeignBodies() {
        let foreign = folder.foreignBodies()
        let new = foreignBodies.withLock { told in
            defer { told = Set(foreign.map(\.path)) }
            return foreign.filter { !told.contains($0.path) }
        }
        report(new.map(Self.warning))
    }

    /// Rereads changed collection files.
    private func dataDiagnostics() -> [FileDiagnostic] {
        session.readDataFiles().map { problem in
            FileDiagnostic(
                severity: .error, file: folder.bodyFilesPath + "/" + problem.path, position: problem.position,
                message: problem.message, expected: problem.expected, found: problem.found)
        }
    }

    /// The `names` of files that no longer exist. An unreadable file, or one in an unreadable folder, counts as
    /// existing.
    private func missing(_ names: [String], in contents: StubFolderContents) -> [String] {
        let present = Set(contents.files.map(\.relativePath))
        let unreadable = contents.unreadable
        return names.filter { !present.contains($0) && !unreadable.contains($0) }
    }

    /// Reloads the folder and logs problems, after a reset or SIGHUP.
    package func reload() {
        let (found, contents) = readAll(atOnce: true)
        let diagnostics = contents.unused.map(Self.warning) + found
        report(unreadable: contents.problems)
        report(diagnostics)
        nameForeignBodies()
        session.reloaded(FileReload(files: nil, contents.problems.map(Self.diagnostic) + diagnostics))
    }

    /// Applies the changes that the watch reported.
    func applyWatched(_ changes: [FileChange]) {
        if remote != nil {
            let others = references.dependents(of: changes.map(\.relativePath)).compactMap(folder.stubFile)
            renewRemoteDocuments(of: changes.compactMap(\.file) + others)
        }
        let diagnostics = reading.withLock { _ in
            var update: [LoadedFile] = []
            var gone: [String] = []
            for change in changes {
                switch change.kind {
                case .changed(let file):
                    if let loaded = load(file) { update.append(loaded) }
                case .removed:
                    gone.append(change.relativePath)
                case .unreadable, .unused: break
                }
            }
            // Reread the files that refer to a changed one, and documents that are no longer named.
            let changed = changes.map(\.relativePath)
            let others =
                references.dependents(of: changed) + gone.flatMap { references.replace(nil, of: $0) }
            update += Set(others).subtracting(changed).sorted().compactMap(folder.stubFile).compactMap { load($0) }
            return changes.compactMap(\.unusedName).map(Self.warning) + apply(update, gone: gone) + dataDiagnostics()
        }
        releaseMemory(ofReading: changes.compactMap(\.file))
        let problems = changes.compactMap(\.problem)
        report(unreadable: problems)
        report(diagnostics)
        session.reloaded(
            FileReload(
                files: changes.filter { $0.unusedName == nil }.map(\.relativePath),
                problems.map(Self.diagnostic) + diagnostics))
        let failed = Set(diagnostics.filter { $0.severity == .error }.map(\.file))
        // A document named by other files is reported at their locations.
        func isTold(_ change: FileChange) -> Bool {
            failed.contains(change.path)
                || references.isNamed(change.relativePath)
                    && references.dependents(of: [change.relativePath]).contains {
                        failed.contains(folder.path + "/" + $0)
                    }
        }
        let (skipped, told) = (skipped, Set(diagnostics.map(\.file)))
        for change in changes where !isTold(change) {
            switch change.kind {
            case .changed:
                if let reason = skipped[change.path] {
                    if !told.contains(change.path) { log.info("no stubs in \(change.path): \(reason)") }
                } else {
                    log.info("reloaded \(change.path)")
                }
            case .removed:
                log.info(
                    references.isPart(change.relativePath)
                        ? "\(change.path) is gone" : "removed the stubs of \(change.path)")
            case .unreadable, .unused: break
            }
        }
    }

    /// The files that are not stub files, by path for messages, with the reasons.
    package var skipped: [String: String] { skippedFiles.withLock { $0 } }

    /// One line that names the files without stubs, except those reported otherwise; nil if there are none.
    package func skippedText(besides told: [FileDiagnostic]) -> String? {
        let told = Set(told.map(\.file))
        let names = skipped.keys.filter { !told.contains($0) }.sorted()
        guard !names.isEmpty else { return nil }
        let most = 5
        let more = names.count > most ? " and \(names.count - most) more" : ""
        return "no stubs in \(names.prefix(most).joined(separator: ", "))\(more); --verbose tells why"
    }

    /// - Parameter inParts: whether to try reading in parts first.
    func load(_ file: FolderFile, inParts: Bool = true) -> LoadedFile? {
        guard let format = StubFile.Format(path: file.relativePath) else { return nil }
        if StubFolder.isOfMessages(file.relativePath) { return loadMessages(file, format) }
        if inParts,
            let collection = StubCollection(
                file.bytes, format: format, path: file.path, idSeed: file.relativePath),
            let loaded = loadParts(of: collection, name: file.relativePath, file.identity)
        {
            return loaded
        }
        // The ids of stubs do not depend on how the command line names the folder. The valid stubs of a file with
        // errors are checked even if they are not served, so that all problems are reported.
        let read = ReferencedFiles(of: file.relativePath, in: folder)
        var parsed = StubFile.read(
            file.bytes, format: format, path: file.path, idSeed: file.relativePath, keepsGood: true,
            neighbours: neighbours(read))
        if session.contractOptions.isCheckOnly {
            let stubs = parsed.stubs
            parsed.keepStubs { stubs[$0].response.openapi?.document == nil }
        }
        let messages = parsed.messageStubs.isEmpty ? [] : compileMessages(of: &parsed, file.relativePath)
        let hasErrors = parsed.diagnostics.contains { $0.severity == .error }
        parsed.checkBadStubs { mapping in
            session.problems(of: mapping).map {
                ModelProblem(pointer: $0.pointer, isAboutName: true, message: $0.message)
            }
        }
        let mappings = parsed.takeStubs()
        let answers = mappings.enumerated().flatMap { index, stub in
            Session.namedAnswers(in: stub).map { (stub: index, place: $0.place, answer: $0.answer) }
        }
        let stubs = session.prepare(mappings, lines: parsed.lines)
        return LoadedFile(
            name: file.relativePath, identity: file.identity, parsed: parsed,
            warnings: warnings(of: stubs, in: parsed), ids: mappings.map(\.id), stubs: stubs,
            hasErrors: hasErrors, neighbours: read, answers: answers, messages: messages,
            isOfNoBytes: file.bytes.isEmpty)
    }

    /// Loads a large file with valid mappings only, without holding it in memory as a whole. Nil for any other file.
    private func loadParts(of file: OpenStubFile) -> LoadedFile?? {
        guard let format = StubFile.Format(path: file.relativePath), !StubFolder.isOfMessages(file.relativePath)
        else { return nil }
        let text = StubCollection.Text(count: file.size) { unused, offset in
            file.part(after: unused, at: offset)
        } whole: {
            file.allBytes()
        }
        guard
            let collection = StubCollection(text, format: format, path: file.path, idSeed: file.relativePath),
            let loaded = loadParts(of: collection, name: file.relativePath, file.identity)
        else { return nil }
        return loaded
    }

    /// Loads a file with valid mappings only, in parts on several threads: the parsed form of one part is freed before
    /// the next is read. Nil for any other file.
    private func loadParts(of collection: StubCollection, name: String, _ identity: FileStamp) -> LoadedFile? {
        var stubs = PreparedStubs(summarizing: true)
        var isGood = true
        let isLarge = identity.size >= StubFolder.largeFile
        let rest = concurrentMap(drawing: collection) { [session] part -> (stubs: PreparedStubs?, total: Int) in
            if isLarge { SystemCalls.makeRoomInHeap() }
            var stubs = PreparedStubs(summarizing: true)
            stubs.reserveCapacity(part.count)
            let isGood = part.readStubs { session.prepare($0, line: $1, into: &stubs) }
            return (isGood ? stubs : nil, part.expectedTotal)
        } consume: { part, total in
            // Some spare capacity, since growing at the end would copy everything.
            if stubs.ids.isEmpty { stubs.reserveCapacity(total + total / 16) }
            isGood = isGood && part.map { stubs.append($0) } ?? false
        }
        guard isGood, rest.isWhole, !stubs.ids.isEmpty else { return nil }
        let parsed = rest.file
        return LoadedFile(
            name: name, identity: identity, parsed: parsed, warnings: warnings(of: stubs, in: parsed),
            ids: stubs.ids, stubs: stubs, hasErrors: false)
    }

    /// Whether a file is still as it was read; nil if it was gone. If it is not, then a call has changed its stubs
    /// meanwhile, or the watch reports it again.
    private func isCurrent(_ name: String, _ identity: FileStamp?) -> Bool {
        guard let identity else { return !selfWrites.knows(name) }
        return (try? SystemCalls.status(of: folder.path + "/" + name))?.identity == identity
    }

    /// The maximum number of warnings per file, beyond those of reading it.
    private static let maxWarnings = 100

    /// The warnings about a file's stubs, except where reading it has already warned.
    private func warnings(of stubs: PreparedStubs, in file: ParsedStubFile) -> [FileDiagnostic] {
        // The folder's own checks do not see rejected stubs.
        let problems = (looksCloser ? stubs.startProblems : []) + stubs.refusedProblems
        guard !problems.isEmpty else { return [] }
        let maxWarnings = looksCloser ? Self.maxWarnings : problems.count
        let said = Set(file.diagnostics.map(\.pointer))
        var warnings = file.diagnostics(for: Array(problems.prefix(maxWarnings)), severity: .warning)
            .filter { !said.contains($0.pointer) }.inFileOrder
        if problems.count > maxWarnings {
            warnings.append(
                FileDiagnostic(
                    severity: .warning, file: file.path, position: nil,
                    message:
                        "\(problems.count - maxWarnings) more warnings; \"stuntdouble validate\" shows all of them"))
        }
        return warnings
    }

    private static func diagnostic(_ problem: StubFileProblem) -> FileDiagnostic {
        FileDiagnostic(severity: .error, file: problem.path, position: nil, message: problem.error.reason)
    }

    private static func warning(_ name: UnusedName) -> FileDiagnostic {
        FileDiagnostic(severity: .warning, file: name.path, position: nil, message: name.message)
    }

    func apply(_ files: [LoadedFile], gone: [String], isServing: Bool = true) -> [FileDiagnostic] {
        defer { readings.add(1, ordering: .relaxed) }
        var update: [(name: String, stubs: PreparedStubs?)] = gone.map { ($0, nil) }
        for name in gone { forgetWhole(name) }
        let (files, freed, orphans) = notingReferences(of: files.filter { !isBeingWritten($0) }, gone: gone)
        var diagnostics = files.flatMap { $0.parsed.diagnostics + $0.warnings }
        // Several documents may refer to the same broken one.
        diagnostics += Set(files.flatMap { $0.neighbours?.mistakes ?? [] })
        for name in freed { update.append((name, nil)) }
        for file in files {
            note(file)
            if file.isOfMessages {
                if let messages = file.messages { session.setMessageFile(file.name, messages) }
                continue
            }
            if let reason = file.parsed.reasonToSkip {
                log.debug("skipped \(file.parsed.path): \(reason)")
                update.append((file.name, nil))
                forgetWhole(file.name)
                continue
            }
            let refusals = file.stubs.refusals
            for refusal in refusals { diagnostics += Self.diagnostics(of: refusal, in: file) }
            let badSets = file.problemsOfSets
            diagnostics += badSets
            let hasErrors = file.hasErrors || !refusals.isEmpty || !badSets.isEmpty
            if !hasErrors || (keepsGoing && badSets.isEmpty) { diagnostics += takeSets(of: file) }
            guard !hasErrors || (keepsGoing && file.hasGoodStubs) else { continue }
            session.setMessageFile(file.name, file.messages?.isEmpty == false ? file.messages : nil)
            update.append((file.name, refusals.isEmpty ? file.stubs : file.stubs.withoutRefused))
        }
        // At the start nobody else changes stubs yet.
        var readAs: [String: FileStamp?] = [:]
        if isServing, selfWrites.isWatching {
            for file in files { readAs[file.name] = .some(file.identity) }
            for name in gone { readAs[name] = .some(nil) }
        }
        while !update.isEmpty {
            let refused = session.update(update, isServing: isServing) { name in
                readAs[name].map { isCurrent(name, $0) } ?? true
            }
            if refused.isEmpty { break }
            let tried = Dictionary(update.map { ($0.name, $0.stubs) }) { $1 }
            update = []
            for (name, refusal) in refused {
                guard let file = files.first(where: { $0.name == name }) else { continue }
                diagnostics += Self.diagnostics(of: refusal, in: file)
                // Of two stubs with one id, the earlier file's is kept.
                guard keepsGoing, case .duplicateID(let id) = refusal, let stubs = tried[name] ?? nil else { continue }
                update.append((name, stubs.without(id)))
            }
        }
        for file in files where !file.answers.isEmpty {
            let problems = file.answers.flatMap { named in
                session.problems(of: named.answer, at: named.place).map { (stub: named.stub, problem: $0) }
            }
            diagnostics += file.parsed.diagnostics(for: problems, severity: .warning)
        }
        let errors = [String: [FileDiagnostic]](grouping: diagnostics.filter { $0.severity == .error }, by: \.file)
        fileErrors.withLock { kept in
            for name in gone { kept[folder.path + "/" + name] = nil }
            for file in files {
                for path in file.neighbours?.paths ?? [] { kept[path] = errors[path] }
                kept[file.parsed.path] = errors[file.parsed.path]
            }
        }
        let again = orphans.compactMap(folder.stubFile).compactMap { load($0) }
        if !again.isEmpty { diagnostics += apply(again, gone: [], isServing: isServing) }
        return diagnostics.inFolderOrder
    }

    /// Whether a file that is served has no bytes: editors and scripts truncate a file before they write it. Its stubs, and
    /// what it refers to, stay.
    private func isBeingWritten(_ file: LoadedFile) -> Bool {
        guard file.isOfNoBytes, !servedFiles(at: file.parsed.path).isEmpty else { return false }
        skippedFiles.withLock { $0[file.parsed.path] = "it is empty; its last stubs are kept" }
        return true
    }

    /// The errors of the files as last read.
    package var errors: [FileDiagnostic] {
        fileErrors.withLock { $0 }.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// Removes the effects of a file beyond its stubs.
    func forgetWhole(_ name: String) {
        session.setMessageFile(name, nil)
        session.replaceFaultSets([], of: name)
        session.replaceCORS(nil, of: name)
        session.replaceRedacted([], of: name)
        session.replaceContracts([], of: name)
    }

    /// Applies a file's fault sets and folder-wide settings.
    /// - Returns: a warning for each that another file also has.
    private func takeSets(of file: LoadedFile) -> [FileDiagnostic] {
        session.replaceFaultSets(file.parsed.faultSets, of: file.name)
        session.replaceCORS(file.parsed.cors, of: file.name)
        session.replaceRedacted(file.parsed.redacted, of: file.name)
        session.replaceContracts(file.parsed.contracts.map(\.served), of: file.name)
        guard !file.parsed.faultSets.isEmpty else { return [] }
        return session.faultSets.filter { set in
            set.file != file.name && file.parsed.faultSets.contains { $0.name == set.set.name }
        }.map { set in
            FileDiagnostic(
                severity: .warning, file: file.parsed.path, position: nil,
                message: "the set of faults \"\(set.set.name)\" is also in \(set.file), whose set counts")
        }
    }

    private func note(_ file: LoadedFile) {
        let path = file.parsed.path
        skippedFiles.withLock { $0[path] = file.parsed.reasonToSkip }
        unreadTexts.withLock { texts in
            if file.hasGoodStubs { texts.remove(path) } else { texts.insert(path) }
        }
    }

    /// The diagnostics of an engine rejection, with positions in the file.
    private static func diagnostics(of refusal: StubRefusal, in file: LoadedFile) -> [FileDiagnostic] {
        switch refusal {
        case .unserved(let id, let problems):
            place(
                problems.map {
                    ModelProblem(
                        pointer: $0.pointer, isAboutName: true, message: $0.message)
                }, of: id, in: file)
        case .duplicateID(let id):
            place(
                [
                    ModelProblem(
                        pointer: JSONPointer(["id"]), message: "duplicate id \(id.lowercasedString)",
                        expected: "a unique id for each stub")
                ], of: id, in: file)
        case .notStored(let reason), .tooCostly(let reason), .undecided(let reason):
            [FileDiagnostic(severity: .error, file: file.parsed.path, position: nil, message: reason)]
        }
    }

    private static func place(
        _ problems: [ModelProblem], of id: StubMapping.ID, in file: LoadedFile
    ) -> [FileDiagnostic] {
        file.parsed.diagnostics(for: problems, inStubAt: file.ids.firstIndex(of: id) ?? 0)
    }

    /// The error and its effect on the served stubs, as text.
    func text(of error: FileDiagnostic) -> String {
        let effect: String
        if error.file.hasPrefix(folder.bodyFilesPath + "/") {
            return "\(error.description); the last good data are kept, if there are any"
        }
        if references.isPart(String(error.file.dropFirst(folder.path.count + 1))) {
            effect = "what it said before is kept"
        } else if servedFiles(at: error.file).isEmpty {
            effect = "none of the file's stubs are served"
        } else if keepsGoing, !unreadTexts.withLock({ $0.contains(error.file) }) {
            effect = "the file's valid stubs are served"
        } else {
            effect = "the file's last valid stubs are kept"
        }
        return "\(error.description); \(effect)"
    }

    /// The files with stubs at or below a path.
    /// - Parameter path: as in messages.
    private func servedFiles(at path: String) -> [String] {
        let known = session.fileNames + session.messageFiles
        guard path != folder.path else { return known }
        let relative = path.hasPrefix(folder.path + "/") ? String(path.dropFirst(folder.path.count + 1)) : path
        return known.filter { $0 == relative || $0.hasPrefix(relative + "/") }
    }

    /// Logs one line per second and reason: a process without free descriptors may fail to read a thousand files.
    private func report(unreadable problems: [StubFileProblem]) {
        for problem in problems {
            let effect =
                servedFiles(at: problem.path).isEmpty ? "nothing of it is served" : "its last contents are kept"
            log.repeated(.error, cause: problem.error.reason, "\(Self.diagnostic(problem).description); \(effect)")
        }
    }

    func report(_ diagnostics: [FileDiagnostic]) {
        for diagnostic in diagnostics {
            switch diagnostic.severity {
            case .error: log.error(text(of: diagnostic), parts: diagnostic.logParts)
            case .warning: log.warning(diagnostic.description)
            }
        }
    }
}

extension FileDiagnostic {
    /// The JSON members for the log, beside the message.
    var logParts: [LogField] {
        let numbers = [("line", line), ("column", column)].compactMap { name, number in
            number.map { LogField(name, .integer($0)) }
        }
        let texts = [("expected", expected), ("found", found), ("nearest", suggestion), ("fix", fix)]
        return [LogField("file", .string(file))] + numbers
            + texts.compactMap { name, text in text.map { LogField(name, .string($0)) } }
    }
}

extension FileReload {
    init(files: [String]?, _ diagnostics: [FileDiagnostic]) {
        self.init(
            files: files,
            problems: diagnostics.map { Problem(isError: $0.severity == .error, text: $0.description) })
    }
}
