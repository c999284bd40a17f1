package import SDStubModel
import Synchronization

/// Files that count as existing, though they are not in this folder: other replicas have saved the stubs in folders of
/// their own.
package final class UnwrittenFiles: Sendable {
    private let files = Mutex<Set<String>>([])
    private let left = Mutex<[String: UInt64]>([:])

    package init() {}

    package var names: Set<String> { files.withLock { $0 } }

    package func contains(_ file: String) -> Bool { files.withLock { $0.contains(file) } }

    package func insert(_ file: String) { files.withLock { _ = $0.insert(file) } }

    /// - Returns: whether the file was recorded.
    @discardableResult
    package func remove(_ file: String) -> Bool { files.withLock { $0.remove(file) != nil } }

    /// Records an existing file that a change from before this replica's start has removed.
    /// - Parameter time: the time of the change, in nanoseconds since 1970.
    package func leave(_ file: String, removedAt time: UInt64) {
        left.withLock { $0[file] = max($0[file] ?? 0, time) }
    }

    /// The recorded files, and when they were removed. Clears the record.
    package func takeLeft() -> [String: UInt64] {
        left.withLock { left in
            defer { left = [:] }
            return left
        }
    }
}

/// The stub files of one of several replicas.
package struct ReplicatedStubStore: StubStore {
    package enum Part: Sendable {
        /// The change was requested here, and is saved here.
        case asked
        /// The change was requested here; only check whether it can be saved.
        case trying
        /// The change was requested elsewhere: existing files follow as far as possible, and no new file is written.
        case following
        /// The change precedes this replica's start, at this time in nanoseconds since 1970. Another replica has saved
        /// it; the folder stays as it is.
        case joining(since: UInt64)
    }

    private let store: any StubStore
    private let unwritten: UnwrittenFiles
    private let part: Part
    /// Logs a file that could not follow.
    private let warn: @Sendable (String) -> Void

    package init(
        _ store: any StubStore, _ unwritten: UnwrittenFiles, _ part: Part, warn: @escaping @Sendable (String) -> Void
    ) {
        (self.store, self.unwritten, self.part, self.warn) = (store, unwritten, part, warn)
    }

    /// Whether a file is in this folder. In a folder that replicas share, another may have just written it.
    private func isHere(_ file: String) -> Bool { !unwritten.contains(file) || store.text(of: file) != nil }

    package func write(
        _ stub: StubMapping, file: String?, companions: [StubMapping]
    ) throws(StubStoreError) -> String {
        let isHere = file.map(isHere) ?? false
        switch part {
        case .asked:
            let written = try store.write(stub, file: isHere ? file : nil, companions: isHere ? companions : [])
            if let file { unwritten.remove(file) }
            unwritten.remove(written)
            return written
        case .trying:
            let planned = try plannedWrite(stub, file: file, companions: companions)
            try store.tryWriting(planned.file, Array(planned.after.utf8))
            return file ?? planned.file
        case .following:
            if let file, isHere {
                unwritten.remove(file)
                // A folder that replicas share is already up to date.
                let planned = try? store.plannedWrite(stub, file: file, companions: companions)
                if let planned, planned.before == planned.after { return file }
                follow { () throws(StubStoreError) in _ = try store.write(stub, file: file, companions: companions) }
                return file
            }
            return file ?? unwrittenName(of: stub)
        case .joining: return file ?? unwrittenName(of: stub)
        }
    }

    private func unwrittenName(of stub: StubMapping) -> String {
        let planned = try? store.plannedWrite(stub, file: nil, companions: []).file
        let name = planned ?? "\(stub.idText).json"
        unwritten.insert(name)
        return name
    }

    package func remove(_ file: String) throws(StubStoreError) {
        switch part {
        case .asked:
            if isHere(file) { try store.remove(file) }
            unwritten.remove(file)
        case .trying: if isHere(file) { try store.tryWriting(file, []) }
        case .following:
            if isHere(file) { follow { () throws(StubStoreError) in try store.remove(file) } }
            unwritten.remove(file)
        case .joining(let time): if !unwritten.remove(file) { unwritten.leave(file, removedAt: time) }
        }
    }

    package func flush(_ files: [String]) throws(StubStoreError) {
        let written = files.filter { !unwritten.contains($0) }
        switch part {
        case .asked: try store.flush(written)
        case .trying, .joining: break
        case .following: try? store.flush(written)
        }
    }

    package func plannedWrite(
        _ stub: StubMapping, file: String?, companions: [StubMapping]
    ) throws(StubStoreError) -> PlannedWrite {
        let isHere = file.map(isHere) ?? false
        return try store.plannedWrite(stub, file: isHere ? file : nil, companions: isHere ? companions : [])
    }

    package func tryWriting(_ file: String, _ bytes: [UInt8]) throws(StubStoreError) {
        try store.tryWriting(file, bytes)
    }

    package func text(of file: String) -> String? { store.text(of: file) }

    private func follow(_ work: () throws(StubStoreError) -> Void) {
        do throws(StubStoreError) {
            try work()
        } catch {
            warn("a stub was changed through another replica, and its file here was not: \(error.message)")
        }
    }
}
