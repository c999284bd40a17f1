package import SDAnswering
import SDHTTPMessages
package import SDJournal
package import SDLinting
package import SDMatching
package import SDPlatform
package import SDStubModel
package import SDStubs
import Synchronization

/// Previews of stubs that are not added yet. Nothing of the session is changed.
extension Session {
    /// Compiles a stub that is not added.
    /// - Throws: why it would be refused.
    package func compiledDraft(_ mapping: StubMapping) throws(StubRefusal) -> CompiledStub {
        // `compile` would record properties of the session's stubs.
        try CompiledStub(edited(mapping), sequence: 0, file: nil, options: options.response, files: files)
    }

    /// The session's stubs with the drafts, each replacing the stub with its id.
    /// - Parameter drafts: in document order: the first takes precedence.
    package func stubs(with drafts: [CompiledStub]) -> StubSet {
        bringUpToDate()
        var stubs = state.withLock { $0.stubs }
        stubs.beginBatch()
        for draft in drafts.reversed() { stubs.put(draft) }
        stubs.endBatch()
        return stubs
    }

    /// The findings about drafts, and about the stubs that they would shadow.
    /// - Parameter goesOn: called before each stub; false ends the search.
    package func findings(
        about drafts: [CompiledStub], in stubs: StubSet, while goesOn: () -> Bool
    ) -> [StubFinding] {
        StubFinding.findings(
            about: Set(drafts.map(\.id)), in: stubs.all, areTemplates: areTemplates, files: files,
            states: statesOfMessages, while: goesOn)
    }

    /// The newest unmatched requests in the journal that drafts would answer, newest first.
    /// - Parameters:
    ///   - looked: the largest number of unmatched requests to examine.
    ///   - most: the largest number to return.
    ///   - budget: the budget for matching. Once it is spent, the search ends.
    ///   - goesOn: called before each request; false ends the search.
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
                // The journal has only the beginning of the body, so body patterns cannot be judged.
                if isCut, !stub.mapping.request.bodyPatterns.isEmpty { return false }
                return stub.pattern.matches(event.request, &views)
            }
            // A match that the budget has cut short does not count.
            if views.isSpent { break }
            if answers { found.append(event) }
            if found.count == most { break }
        }
        return found
    }

    /// What saving a stub would write, and the line on which the stub begins in its file, if known. Reads files.
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

    /// A stub's location in a file that a person has written.
    package struct Place {
        /// The file's text.
        package let text: String
        package let line: Int
        package let stub: StubMapping
        /// All stubs that begin on the line, in order of precedence.
        package let stubs: [StubMapping]
    }

    /// A stub's location in a YAML file; nil if it is in none, or the file cannot be read.
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
