import SDIndexing
import SDJSON

/// A collection: records in order of insertion, each with a unique key. Copies share their records; the cost of a
/// change does not depend on the number of records.
public struct RecordSet: Sendable {
    private var list = RecordList()
    private var positions = PersistentMap<RecordKey, Int>()
    /// The integer above all keys that ever existed; nil on overflow.
    private var nextInteger: Int? = 1
    /// Whether there ever was a key that is an integer, or one that is not.
    private var hasIntegers = false
    private var hasTexts = false
    /// Whether there ever was an integer key that is a number in its record, rather than a text.
    private var hasNumbers = false

    public init() {}

    /// Makes a collection. If two records have the same key, the first counts.
    public init(_ records: some Sequence<Record>) {
        var kept: [Record] = []
        for record in records {
            var isNew = false
            positions.update(RecordKey(record.key)) { position in
                guard position == nil else { return }
                position = kept.count
                isNew = true
            }
            guard isNew else { continue }
            kept.append(record)
            note(record)
        }
        list = RecordList(kept)
    }

    public var count: Int { positions.count }

    public var isEmpty: Bool { positions.isEmpty }

    public subscript(key: String) -> Record? {
        positions[RecordKey(key)].flatMap { list[$0] }
    }

    /// The records in order.
    public var all: [Record] {
        var all: [Record] = []
        all.reserveCapacity(count)
        visit { record in
            all.append(record)
            return true
        }
        return all
    }

    /// Calls `body` with each record in order, until it returns false.
    public func visit(_ body: (Record) -> Bool) {
        list.visit(body)
    }

    // MARK: Changes

    /// Adds a record at the end; false if its key exists.
    public mutating func append(_ record: Record) -> Bool {
        let position = list.end
        var isNew = false
        positions.update(RecordKey(record.key)) { known in
            guard known == nil else { return }
            known = position
            isNew = true
        }
        guard isNew else { return false }
        list.append(record)
        note(record)
        return true
    }

    /// Replaces the record with the same key, at its position; false if there is none.
    public mutating func replace(_ record: Record) -> Bool {
        guard let position = positions[RecordKey(record.key)] else { return false }
        list.set(position, record)
        return true
    }

    /// Removes a record.
    /// - Returns: the record; nil if there is none.
    @discardableResult
    public mutating func remove(_ key: String) -> Record? {
        guard let position = positions[RecordKey(key)], let record = list[position] else { return nil }
        positions.update(RecordKey(key)) { $0 = nil }
        list.set(position, nil)
        // The positions of removed records are compacted once they outnumber the others.
        if list.end > 64, list.end > 2 * count {
            let rest = all
            list = RecordList(rest)
            for (position, record) in rest.enumerated() { positions.update(RecordKey(record.key)) { $0 = position } }
        }
        return record
    }

    // MARK: Keys

    /// The kind of a generated key.
    public enum NextKey: Sendable, Hashable {
        case integer(Int)
        /// An integer as a text.
        case digits(Int)
        /// A text of the caller's.
        case text
    }

    /// The next generated key: one above the greatest integer that ever existed, as text if all integer keys were
    /// texts. A text if keys existed and none was an integer.
    public var nextKey: NextKey {
        guard hasIntegers || !hasTexts, let nextInteger else { return .text }
        return hasIntegers && !hasNumbers ? .digits(nextInteger) : .integer(nextInteger)
    }

    /// What generated keys depend on besides the records: the integer above all keys, and the kinds of keys that
    /// existed.
    public struct KeyState: Sendable, Equatable {
        public var next: Int?
        public var hasIntegers, hasTexts, hasNumbers: Bool

        public init(next: Int?, hasIntegers: Bool, hasTexts: Bool, hasNumbers: Bool) {
            (self.next, self.hasIntegers, self.hasTexts, self.hasNumbers) = (next, hasIntegers, hasTexts, hasNumbers)
        }
    }

    /// Another process with the same records continues from it.
    public var keyState: KeyState {
        get {
            KeyState(next: nextInteger, hasIntegers: hasIntegers, hasTexts: hasTexts, hasNumbers: hasNumbers)
        }
        set {
            (nextInteger, hasIntegers) = (newValue.next, newValue.hasIntegers)
            (hasTexts, hasNumbers) = (newValue.hasTexts, newValue.hasNumbers)
        }
    }

    private mutating func note(_ record: Record) {
        guard let number = Int(record.key), String(number) == record.key else {
            hasTexts = true
            return
        }
        hasIntegers = true
        if !record.isKeyText { hasNumbers = true }
        guard let next = nextInteger, number >= next else { return }
        let (sum, isTooLarge) = number.addingReportingOverflow(1)
        nextInteger = isTooLarge ? nil : sum
    }
}

/// A key in a persistent map.
private struct RecordKey: PersistentKey {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: RecordKey, right: RecordKey) -> Bool { left.text.hasSameCodePoints(as: right.text) }

    var persistentHash: UInt64 {
        var fingerprint = Fingerprint()
        fingerprint.add(text.utf8)
        // Without mixing, short texts differ too little in the low bits.
        let mixed = (fingerprint.value ^ (fingerprint.value >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        return mixed ^ (mixed >> 33)
    }
}
