public import StubModel

/// Where stubs are kept that outlive the process: the folder that the daemon serves.
public protocol StubStore: Sendable {
    /// Writes the file of one stub, whole or not at all.
    /// - Parameters:
    ///   - file: the file that holds the stub now, relative to the folder; nil for one that has none.
    ///   - companions: all stubs of that file, this one among them, in their order.
    /// - Returns: the file that holds it from now on.
    func write(_ stub: StubMapping, file: String?, companions: [StubMapping]) throws(StubStoreError) -> String
    /// Removes a file.
    func remove(_ file: String) throws(StubStoreError)
}

/// Why a stub could not be written or removed.
public struct StubStoreError: Error, Sendable, Hashable {
    public let message: String

    public init(message: String) {
        self.message = message
    }
}
