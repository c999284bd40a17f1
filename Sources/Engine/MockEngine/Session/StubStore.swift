public import StubModel

/// Where stubs are kept that outlive the process: the folder that the daemon serves. Called on one thread at a time, and
/// never on a loop.
public protocol StubStore: Sendable {
    /// Writes the file of one stub, whole or not at all. It is sure to stay behind `flush`.
    /// - Parameters:
    ///   - file: the file that holds the stub now, relative to the folder; nil for one that has none.
    ///   - companions: all stubs of that file, this one among them, in their order.
    /// - Returns: the file that holds it from now on.
    func write(_ stub: StubMapping, file: String?, companions: [StubMapping]) throws(StubStoreError) -> String
    /// Removes a file. It is sure to be gone behind `flush`.
    func remove(_ file: String) throws(StubStoreError)
    /// Waits until what was written and removed is on the disk, at once for all of these files.
    func flush(_ files: [String]) throws(StubStoreError)
}

/// Why a stub could not be written or removed.
public struct StubStoreError: Error, Sendable, Hashable {
    public let message: String

    public init(message: String) {
        self.message = message
    }
}
