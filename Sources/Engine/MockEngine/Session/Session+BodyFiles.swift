import StubModel
import Synchronization

/// Warnings about stubs whose body files are missing, so that their clients will get a 500.
extension Session {
    /// Warns about stubs that were added or edited, except by reading a file.
    func tellMissingBodyFiles(of mappings: [StubMapping]) {
        guard let trouble else { return }
        for mapping in mappings {
            let problems = BodyFileLint.startFindings(in: mapping, files: files)
            guard let problem = problems.first else { continue }
            let stub = state.withLock { $0.stubs.stub(mapping.id) }
            if let stub { trouble.warned(problem.message, of: StubReference(stub)) }
        }
    }

    /// Removes a body file, and tells which stubs were to send it.
    public func removeBodyFile(_ path: String) throws(BodyFileRefusal) {
        try bodies.remove(path)
        guard let trouble, let problem = files.problem(of: path) else { return }
        for stub in state.withLock({ $0.stubs.all }).lazy.filter({ $0.sends(path) }).prefix(Self.mostTold) {
            trouble.warned("its body file was removed: \(problem.reason)", of: StubReference(stub))
        }
    }

    /// More stubs of one file than anybody reads of.
    private static var mostTold: Int { 10 }
}

extension CompiledStub {
    fileprivate func sends(_ path: String) -> Bool {
        if let turns = life?.turns { return turns.stubs.contains { $0.response.filePath == path } }
        return response.filePath == path
    }
}
