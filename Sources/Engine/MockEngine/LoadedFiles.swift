import SDJournal
public import SDStubModel

/// What stub files state beside their stubs: those of the daemon's folder, or those that calls have loaded into one session.
final class LoadedFiles: Sendable {
    /// The sets of faults that can be switched on.
    let faultSets = FaultSets()
    /// What the files say about pages of other origins.
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
    /// Takes what a file that a call has loaded states beside its stubs, for this session alone.
    /// - Parameter ids: those of its stubs.
    public func take(
        _ file: String, stubs ids: [StubMapping.ID], faultSets: [FaultSet], cors: CORSPolicy?, redacted: [String]
    ) {
        replaceFaultSets(faultSets, of: file)
        replaceCORS(cors, of: file)
        loaded.cors.note(ids, of: file)
        options.redactions.add(redacted)
    }
}
