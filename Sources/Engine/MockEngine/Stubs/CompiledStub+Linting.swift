public import SDLinting
import SDStubModel
import Synchronization

extension CompiledStub: LintedStub {
    var reference: StubReference { StubReference(self) }
}

extension StubReference {
    init(_ stub: CompiledStub) {
        let mapping = stub.mapping
        self.init(
            id: mapping.id, name: mapping.name, file: stub.file, line: stub.line, key: mapping.request.routeKey)
    }
}

extension Session {
    /// The findings about the stubs: first those about single stubs, then those about pairs, each in the order in which
    /// the stubs are tried. The time is proportional to the number of stubs.
    /// - Parameter bodyFileNames: all names under `__files`, for suggesting the one that a misspelt name means.
    public func findings(bodyFileNames: [String] = []) -> [StubFinding] {
        StubFinding.findings(
            in: allStubs, files: files, bodyFileNames: bodyFileNames)
    }
}
