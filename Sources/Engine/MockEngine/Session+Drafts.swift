package import SDAnswering
import SDHTTPMessages
package import SDJournal
package import SDLinting
package import SDMatching
package import SDPlatform
package import SDStubModel
package import SDStubs
import Synchronization

/// Stubs that somebody writes and has not added yet: what they would do. Nothing of the session is changed.
extension Session {
    /// Compiles a stub that is not added.
    /// - Throws: why it would be refused.
    package func compiledDraft(_ mapping: StubMapping) throws(StubRefusal) -> CompiledStub {
        // Not by `compile`, which notes what a session's stubs have.
        try CompiledStub(edited(mapping), sequence: 0, file: nil, options: options.response, files: files)
    }

    /// The stubs as they would be with others, each in the place of the one that has its id.
    /// - Parameter drafts: in the order of a document: the first is tried first.
    package func stubs(with drafts: [CompiledStub]) -> StubSet {
        bringUpToDate()
        var stubs = state.withLock { $0.stubs }
        stubs.beginBatch()
        for draft in drafts.reversed() { stubs.put(draft) }
        stubs.endBatch()
        return stubs
    }

    /// The findings about drafts among the stubs, and about the stubs that they would keep from answering.
    /// - Parameter goesOn: is asked before each stub is looked at; once it says no, nothing more is found.
    package func findings(
        about drafts: [CompiledStub], in stubs: StubSet, while goesOn: () -> Bool
    ) -> [StubFinding] {
        StubFinding.findings(
            about: Set(drafts.map(\.id)), in: stubs.all, areTemplates: areTemplates, files: files, while: goesOn)
    }

    /// The newest requests in the journal that nothing answered and that drafts would answer, the newest first.
    /// - Parameters:
    ///   - looked: the most unanswered requests that are looked at.
    ///   - most: the most that are returned.
    ///   - budget: what matching is drawn from. Once it is spent, the other requests are not looked at.
    ///   - goesOn: is asked before each request is looked at; once it says no, the others are not.
    package func unanswered(
        that drafts: [CompiledStub], looked: Int, most: Int, _ budget: WorkBudget, while goesOn: () -> Bool
    ) -> [ServeEvent] {
        let drafts = drafts.filter { $0.mapping.enabled != false }
        guard !drafts.isEmpty else { return [] }
        var found: [ServeEvent] = []
        for event in events.lazy.filter({ $0.isUnmatched && $0.failure == nil }).prefix(looked) {
            guard goesOn() else { break }
            var views = RequestViews(event.request, budget: budget)
            let isCut = event.wholeBody != nil
            let answers = drafts.contains { stub in
                // Of a body of which only the beginning is kept nobody can tell.
                if isCut, !stub.mapping.request.bodyPatterns.isEmpty { return false }
                return stub.pattern.matches(event.request, &views)
            }
            // What an abandoned matcher says is not true.
            if views.isSpent { break }
            if answers { found.append(event) }
            if found.count == most { break }
        }
        return found
    }

    /// What saving a stub would write, and the line on which the stub begins in its file, if that is known. Reads files.
    /// - Throws: why it cannot be saved.
    package func plannedSave(of mapping: StubMapping) throws(StubStoreError) -> (write: PlannedWrite, line: Int?) {
        guard let store else { throw StubStoreError(message: "a session's stubs are not written to files") }
        var mapping = mapping
        mapping.persistent = true
        let id = mapping.id
        let stubs = state.withLock { $0.stubs }
        let known = stubs.stub(id)
        let companions = known?.file.map { file in
            stubs.contents(of: file).map { $0.id == id ? mapping : $0 }
        }
        let write = try RecordedStubStore(store: store, recordings: recordings)
            .plannedWrite(mapping, file: known?.file, companions: companions ?? [])
        return (write, known?.file == nil ? 1 : known?.line)
    }

    /// Where a stub stands in a file that somebody has written.
    package struct Place {
        /// The file's text.
        package let text: String
        package let line: Int
        package let stub: StubMapping
        /// All stubs that begin on the line, the first to be tried first.
        package let stubs: [StubMapping]
    }

    /// The place of a stub in a file in YAML; nil if it stands in none, or that cannot be read.
    package func place(of id: StubMapping.ID) -> Place? {
        let stubs = state.withLock { $0.stubs }
        guard let known = stubs.stub(id), let file = known.file, let line = known.line, !file.hasSuffix(".json"),
            let text = store?.text(of: file)
        else { return nil }
        let contents = stubs.contents(of: file)
        guard let original = contents.first(where: { $0.id == id }) else { return nil }
        let onLine = contents.reversed().filter { $0.id == id || stubs.stub($0.id)?.line == line }
        return Place(text: text, line: line, stub: original, stubs: onLine)
    }
}
