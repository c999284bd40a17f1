/// The members of a JSON object in document order. For a duplicate key, the last value is kept at the position of the
/// first.
///
/// `==` and `hash` ignore the order, as JSON does. To compare the order as well, compare `members`.
public struct JSONObject: Sendable {
    /// A key and its value.
    public struct Member: Sendable, Hashable {
        /// The key.
        public var key: String
        /// The value of the key.
        public var value: JSONValue

        /// Makes a member.
        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }

        public static func == (left: Member, right: Member) -> Bool {
            left.key.hasSameCodePoints(as: right.key) && left.value == right.value
        }
    }

    /// The members in the order of the document.
    public private(set) var members: [Member]
    /// The index of each key in `members`; only for objects too large for a linear search.
    private var places: [ExactKey: Int]?

    fileprivate static let linearSearchLimit = 16

    /// Makes an empty object.
    public init() {
        members = []
    }

    /// Makes an object from the last members of a list, and removes them from it.
    init(taking list: inout [Member], _ known: Places) {
        members = Array(list[known.start...])
        list.removeLast(list.count - known.start)
        places = known.numbers
    }

    /// Makes an object from members whose keys are known to be distinct.
    init(distinct members: [Member]) {
        self.members = members
        indexIfLarge()
    }

    /// Makes an object from keys and values; for equal keys the last value is kept.
    public init(_ pairs: some Sequence<(String, JSONValue)>) {
        self.init()
        for (key, value) in pairs { set(key, value) }
    }

    /// The number of members.
    public var count: Int { members.count }

    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }

    /// The keys in the order of the document.
    public var keys: [String] { members.map(\.key) }

    /// The value of `key`. Assigning nil removes the member; assigning to a new key appends one.
    public subscript(key: String) -> JSONValue? {
        get {
            index(of: key).map { members[$0].value }
        }
        set {
            if let newValue {
                set(key, newValue)
            } else if let place = index(of: key) {
                members.remove(at: place)
                places = nil
                indexIfLarge()
            }
        }
    }

    /// Sets a value.
    /// - Returns: whether the key existed; its value was replaced.
    @discardableResult
    mutating func set(_ key: String, _ value: JSONValue) -> Bool {
        if let place = index(of: key) {
            members[place].value = value
            return true
        }
        members.append(Member(key: key, value: value))
        if places != nil {
            places?[ExactKey(key)] = members.count - 1
        } else {
            indexIfLarge()
        }
        return false
    }

    private func index(of key: String) -> Int? {
        if let places { return places[ExactKey(key)] }
        return members.firstIndex { $0.key.hasSameCodePoints(as: key) }
    }

    private mutating func indexIfLarge() {
        guard members.count > Self.linearSearchLimit else { return }
        var places: [ExactKey: Int] = [:]
        places.reserveCapacity(members.count * 2)
        for (place, member) in members.enumerated() { places[ExactKey(member.key)] = place }
        self.places = places
    }
}

extension JSONObject: Hashable {
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        hasher.combine(members.reduce(0) { $0 ^ $1.hashValue })
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }
}

extension JSONObject {
    /// Finds keys among the last members of a list, which will become an object.
    struct Places {
        /// The list index of the first member.
        let start: Int
        /// The member numbers by key, from 0; nil for a small number of members.
        fileprivate var numbers: [ExactKey: Int]?

        init(from start: Int) { self.start = start }

        /// The list index of the member with a key.
        func index(of key: String, in list: [Member]) -> Int? {
            if let numbers { return numbers[ExactKey(key)].map { $0 + start } }
            var place = start
            while place < list.count {
                if list[place].key.hasSameCodePoints(as: key) { return place }
                place += 1
            }
            return nil
        }

        /// Records the last member of the list.
        mutating func noteLast(of list: [Member]) {
            let count = list.count - start
            if numbers != nil {
                numbers?[ExactKey(list[list.count - 1].key)] = count - 1
            } else if count > JSONObject.linearSearchLimit {
                var all: [ExactKey: Int] = [:]
                all.reserveCapacity(count * 2)
                for number in 0..<count { all[ExactKey(list[start + number].key)] = number }
                numbers = all
            }
        }
    }
}
