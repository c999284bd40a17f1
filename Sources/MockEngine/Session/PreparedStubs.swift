public import StubModel

/// The stubs of one file, compiled before the session is asked to take them over: that is most of the work, needs no lock,
/// and may be done on any thread.
public struct PreparedStubs: Sendable {
    /// In the order of the file; their sequences and file are still to be set.
    let stubs: [Result<CompiledStub, StubRefusal>]
    let ids: [StubMapping.ID]
}

extension Session {
    /// Compiles the stubs of a file. What is wrong with them is said when they are to be taken over.
    public func prepare(_ mappings: [StubMapping]) -> PreparedStubs {
        let stubs = mappings.map { mapping in
            Result { () throws(StubRefusal) in
                try CompiledStub(mapping, sequence: 0, file: nil, options: options.response)
            }
        }
        return PreparedStubs(stubs: stubs, ids: mappings.map(\.id))
    }

    /// As `update` with prepared stubs.
    public func update(_ files: [(name: String, stubs: [StubMapping]?)]) -> [(name: String, StubRefusal)] {
        update(files.map { (name: $0.name, stubs: $0.stubs.map(prepare)) })
    }
}
