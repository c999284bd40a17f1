import SDAnswering
package import SDMatching
package import SDStubModel

/// The effects of a change on the files of saved stubs: planned under the session's lock, and executed without it.
package struct StubFileSteps: Sendable {
    private enum Step {
        case put(StubMapping)
        case take(StubMapping.ID)
    }

    private var steps: [Step] = []
    /// The files of the stubs that the change touches.
    private var homes: [StubMapping.ID: String] = [:]
    /// The stubs in each of these files, in order.
    private var contents: [String: [StubMapping]] = [:]

    package var isEmpty: Bool { steps.isEmpty }

    package init(_ plan: StubPlan, _ stubs: StubSet) {
        for stub in plan.puts {
            let mapping = stub.mapping
            guard mapping.persistent == true else { continue }
            note(stubs.stub(stub.id)?.file, of: stub.id, stubs)
            steps.append(.put(mapping))
        }
        for stub in plan.removals where stub.isSaved {
            note(stub.file, of: stub.id, stubs)
            steps.append(.take(stub.id))
        }
    }

    private mutating func note(_ file: String?, of id: StubMapping.ID, _ stubs: StubSet) {
        guard let file else { return }
        homes[id] = file
        if contents[file] == nil { contents[file] = stubs.contents(of: file) }
    }

    /// Executes all steps, or restores the files if one fails. The first error is reported; errors of restoring are
    /// ignored.
    /// - Returns: the file of each stub afterwards.
    /// - Throws: `StubRefusal.notStored` if a file cannot be written or removed.
    package func run(_ store: any StubStore) throws(StubRefusal) -> [StubMapping.ID: String] {
        var files = Files(homes: homes, contents: contents)
        do throws(StubStoreError) {
            for step in steps { try files.run(step, store) }
            try store.flush(files.touched)
        } catch {
            for file in files.touched { restore(file, store) }
            try? store.flush(files.touched)
            throw .notStored(error.message)
        }
        return files.homes
    }

    private func restore(_ file: String, _ store: any StubStore) {
        if let contents = contents[file], let first = contents.first {
            _ = try? store.write(first, file: file, companions: contents)
        } else {
            try? store.remove(file)
        }
    }

    /// The state of the files between two steps.
    private struct Files {
        var homes: [StubMapping.ID: String]
        var contents: [String: [StubMapping]]
        /// The files in the order in which they were first written or removed, each once.
        private(set) var touched: [String] = []
        private var known: Set<String> = []

        init(homes: [StubMapping.ID: String], contents: [String: [StubMapping]]) {
            self.homes = homes
            self.contents = contents
        }

        /// Executes a step.
        /// - Throws: what the store throws.
        mutating func run(_ step: Step, _ store: any StubStore) throws(StubStoreError) {
            switch step {
            case .put(let mapping):
                let home = homes[mapping.id]
                let companions = home.map { file in
                    contents[file, default: []].map { $0.id == mapping.id ? mapping : $0 }
                }
                let file = try store.write(mapping, file: home, companions: companions ?? [])
                touch(file)
                homes[mapping.id] = file
                contents[file] = companions ?? [mapping]
            case .take(let id):
                guard let file = homes.removeValue(forKey: id) else { return }
                let rest = contents[file, default: []].filter { $0.id != id }
                if let next = rest.first {
                    _ = try store.write(next, file: file, companions: rest)
                } else {
                    try store.remove(file)
                }
                touch(file)
                contents[file] = rest
            }
        }

        private mutating func touch(_ file: String) {
            if known.insert(file).inserted { touched.append(file) }
        }
    }
}
