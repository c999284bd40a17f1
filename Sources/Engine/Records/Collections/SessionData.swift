package import SDPlatform

/// The collections of a session, as its requests have changed them. A part of its state, guarded by its lock.
package struct SessionData {
    /// A collection that a request has touched.
    package struct Entry {
        package var records: RecordSet
        /// Tells which declaration it began with.
        package var declared: Fingerprint
        /// Whether anything was changed since.
        package var isChanged = false
        /// Whether anything was changed that no file has. Asked of collections that are written.
        var isUnwritten = false
        /// The memory of the records that it was not declared with, in bytes.
        package var weight = 0
    }

    package private(set) var entries: [String: Entry] = [:]
    /// The number of changes of all collections.
    package private(set) var changes: UInt64 = 0
    private let charge: MemoryCharge
    private var weight = 0

    package init(_ memory: MemoryLedger) {
        charge = MemoryCharge(0, to: memory.account(.data))
    }

    /// The collection as it is now; nil if no request has touched it since it was declared.
    /// - Parameter keepsChanges: whether what was changed stays, although the declaration is another one.
    package func entry(_ name: String, declared: Fingerprint, keepsChanges: Bool) -> Entry? {
        guard let entry = entries[name] else { return nil }
        return entry.declared == declared || (keepsChanges && entry.isChanged) ? entry : nil
    }

    package mutating func put(_ name: String, _ entry: Entry?) {
        changes += 1
        let change = (entry?.weight ?? 0) - (entries[name]?.weight ?? 0)
        entries[name] = entry
        weight += change
        if change != 0 { charge.add(change) }
    }

    package mutating func removeAll() {
        entries = [:]
        changes += 1
        charge.add(-weight)
        weight = 0
    }
}

extension SessionData.Entry {
    package init(declared contents: DeclaredCollection.Contents) {
        records = contents.records ?? RecordSet()
        declared = contents.fingerprint
    }

    package mutating func append(_ record: Record) -> Bool {
        guard records.append(record) else { return false }
        changed(nil, record)
        return true
    }

    package mutating func replace(_ old: Record, with record: Record) {
        guard records.replace(record) else { return }
        changed(old, record)
    }

    package mutating func remove(_ key: String) -> Record? {
        guard let old = records.remove(key) else { return nil }
        changed(old, nil)
        return old
    }

    /// Replaces everything.
    package mutating func set(_ records: RecordSet) {
        self.records = records
        isChanged = true
        isUnwritten = true
        weight = 0
        records.visit { record in
            if !record.isDeclared { weight += record.weight }
            return true
        }
    }

    private mutating func changed(_ old: Record?, _ new: Record?) {
        isChanged = true
        isUnwritten = true
        if let old, !old.isDeclared { weight -= old.weight }
        if let new, !new.isDeclared { weight += new.weight }
    }
}
