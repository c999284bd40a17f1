import SDAnswering
import SDFolders
import SDJSON
import SDJournal
import SDMockEngine
import SDStubFiles
import Synchronization

/// References between files: documents that routes name, and parts of documents.
extension StubLoader {
    /// Rereads documents whose referenced files changed in places that the watch does not cover.
    func lookAtNeighbours() {
        let changed = references.changed(where: { !folder.watches($0) }, folder.state)
        guard !changed.isEmpty else { return }
        let diagnostics = reading.withLock { _ in
            apply(references.dependents(of: changed).compactMap(folder.stubFile).compactMap { load($0) }, gone: [])
        }
        report(diagnostics)
        session.reloaded(FileReload(files: changed, diagnostics))
        let failed = Set(diagnostics.filter { $0.severity == .error }.map(\.file))
        for name in changed {
            let path = folder.path + "/" + name
            if !failed.contains(path) {
                log.info(folder.state(of: name) == nil ? "\(path) is gone" : "reloaded \(path)")
            }
        }
    }

    func neighbours(_ read: ReferencedFiles) -> NeighbourFiles {
        var neighbours = NeighbourFiles(remote) { read.bytes(of: $0) }
        neighbours.lastGood = { [session] path, mistake in
            guard let kept = session.contractPart(path, of: read.file) else { return nil }
            read.note(mistake)
            return kept
        }
        neighbours.servesAtRoot = session.contractOptions.isPrism
        return neighbours
    }

    /// Records the references of files. Leaves out files that are only parts of documents, and documents that other
    /// files name: those files decide how they are served.
    /// - Returns: the remaining files, those whose own stubs must be removed, and those no longer referenced.
    func notingReferences(of files: [LoadedFile], gone: [String]) -> (
        [LoadedFile], freed: [String], orphans: [String]
    ) {
        for name in gone { references.replace(nil, of: name) }
        var freed: Set<String> = []
        var orphans: Set<String> = []
        for file in files {
            let read = file.neighbours?.read ?? [:]
            guard !file.hasErrors else {
                references.add(read: read, of: file.name)
                continue
            }
            let place = file.name.lastIndex(of: "/").map { String(file.name[...$0]) } ?? ""
            var entry = StubReferences.Entry(read: read)
            entry.named = Set(file.parsed.contracts.filter { !$0.isOwn }.map { place + $0.file })
            entry.parts = Set(read.keys).subtracting(entry.named)
            orphans.formUnion(references.replace(entry, of: file.name))
            guard !read.isEmpty else { continue }
            let (documents, served) = (Set(session.contractFiles), Set(session.fileNames))
            freed.formUnion(entry.named.intersection(documents))
            // A part that is a document itself is also served.
            freed.formUnion(entry.parts.intersection(served).subtracting(documents))
        }
        let others = files.filter { file in
            let isDocument = file.parsed.contracts.contains(where: \.isOwn)
            guard references.isNamed(file.name) || !isDocument && references.isPart(file.name) else { return true }
            skippedFiles.withLock { $0[file.parsed.path] = nil }
            if session.contractFiles.contains(file.name) || session.fileNames.contains(file.name) {
                freed.insert(file.name)
            }
            return false
        }
        freed.subtract(others.map(\.name))
        for name in freed { forgetWhole(name) }
        orphans.subtract(others.map(\.name))
        return (
            others, freed.sorted(), orphans.filter { !references.isNamed($0) && !references.isPart($0) }.sorted()
        )
    }
}
