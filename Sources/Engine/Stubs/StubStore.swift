public import SDStubModel

/// The storage of persistent stubs: the folder that the daemon serves. Called on one thread at a time, and never on a
/// loop.
public protocol StubStore: Sendable {
    /// Writes the file of one stub, atomically. It is durable only after `flush`.
    /// - Parameters:
    ///   - file: the file that contains the stub now, relative to the folder; nil if it has none.
    ///   - companions: all stubs of that file in order, including this one.
    /// - Returns: the file that contains the stub from now on.
    /// - Throws: if the file cannot be written.
    func write(_ stub: StubMapping, file: String?, companions: [StubMapping]) throws(StubStoreError) -> String
    /// Removes a file. Its removal is durable only after `flush`.
    /// - Throws: if the file cannot be removed.
    func remove(_ file: String) throws(StubStoreError)
    /// Waits until all of these files' writes and removals are on the disk.
    /// - Throws: if the disk reports an error.
    func flush(_ files: [String]) throws(StubStoreError)
    /// Returns what `write` would do.
    /// - Throws: the error that `write` would throw.
    func plannedWrite(
        _ stub: StubMapping, file: String?, companions: [StubMapping]
    ) throws(StubStoreError) -> PlannedWrite
    /// Checks whether a file of these bytes could be written, without changing anything.
    /// - Throws: why it could not.
    func tryWriting(_ file: String, _ bytes: [UInt8]) throws(StubStoreError)
    /// The text of a file from which stubs were read; nil if it cannot be read.
    func text(of file: String) -> String?
}

extension StubStore {
    public func plannedWrite(
        _ stub: StubMapping, file: String?, companions: [StubMapping]
    ) throws(StubStoreError) -> PlannedWrite {
        throw StubStoreError(message: "nobody knows what would be written")
    }

    public func tryWriting(_ file: String, _ bytes: [UInt8]) throws(StubStoreError) {}

    public func text(of file: String) -> String? { nil }
}

/// A file as a save would write it.
public struct PlannedWrite: Sendable, Hashable {
    /// The file, relative to the folder.
    public let file: String
    /// Its text now; nil if there is no such file.
    public let before: String?
    public let after: String

    public init(file: String, before: String?, after: String) {
        self.file = file
        self.before = before
        self.after = after
    }
}

/// The reason why a stub could not be written or removed.
public struct StubStoreError: Error, Sendable, Hashable {
    public let message: String

    public init(message: String) {
        self.message = message
    }
}
