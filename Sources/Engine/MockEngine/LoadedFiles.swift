import SDJournal
public import SDStubModel

/// What stub files state besides stubs: those of the daemon's folder, or those that calls have loaded into one session.
final class LoadedFiles: Sendable {
    /// The sets of faults that can be switched on.
    let faultSets = FaultSets()
    /// The files' CORS policies.
    let cors = CORSPolicies()
    /// The OpenAPI documents that are served.
    let contracts = ContractTable()

    func removeAll() {
        faultSets.removeAll()
        cors.removeAll()
        contracts.removeAll()
    }
}

extension Session {
    /// Applies what a loaded file states besides its stubs, for this session alone.
    /// - Parameter ids: the ids of the file's stubs.
    public func take(
        _ file: String, stubs ids: [StubMapping.ID], faultSets: [FaultSet], cors: CORSPolicy?, redacted: [String]
    ) {
        replaceFaultSets(faultSets, of: file)
        replaceCORS(cors, of: file)
        loaded.cors.note(ids, of: file)
        options.redactions.add(redacted)
    }
}
