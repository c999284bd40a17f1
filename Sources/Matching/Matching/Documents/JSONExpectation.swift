import SDJSON
import SDRegularExpressions

/// A compiled value of an expected document.
struct JSONExpectation: Sendable {
    enum Kind: Sendable {
        case null
        case bool(Bool)
        case number(JSONNumber, JSONDecimal)
        case string(String)
        case placeholder(JSONPlaceholder)
        case array([JSONExpectation])
        case object(Members)
    }

    let kind: Kind
    /// The fingerprint; nil if there is a placeholder in the value.
    let digest: Int?
    /// The size as WireMock counts it: one for the value itself, one for each child, and the size of each child that
    /// has children.
    let size: Int
    /// The size that counts if the whole value differs, is missing or is extra; WireMock then ignores null members.
    let weight: Int

    /// The members of an object, found by key.
    struct Members: Sendable {
        struct Member: Sendable {
            let key: String
            let value: JSONExpectation
        }

        let list: [Member]
        /// The number of members that must be present.
        let requiredCount: Int
        private let places: [ExactKey: Int]

        private static let linearSearchLimit = 8

        init(_ list: [Member], nullsEqualMissing: Bool) {
            self.list = list
            requiredCount = list.count { !$0.value.allowsMissing(nullsEqualMissing: nullsEqualMissing) }
            var places: [ExactKey: Int] = [:]
            if list.count > Self.linearSearchLimit {
                places.reserveCapacity(list.count)
                for (place, member) in list.enumerated() { places[ExactKey(member.key)] = place }
            }
            self.places = places
        }

        /// The index of `key`. Tries `hint` first, because members are mostly in the expected order.
        func place(of key: String, near hint: Int) -> Int? {
            if hint < list.count, list[hint].key.hasSameCodePoints(as: key) { return hint }
            if list.count > Self.linearSearchLimit { return places[ExactKey(key)] }
            return list.firstIndex { $0.key.hasSameCodePoints(as: key) }
        }
    }

    /// Whether a member with this expectation may be missing. If null equals missing, it may if null is accepted.
    func allowsMissing(nullsEqualMissing: Bool) -> Bool {
        switch kind {
        case .null: nullsEqualMissing
        case .placeholder(.ignore): nullsEqualMissing
        case .placeholder(let placeholder): placeholder.allowsMissing
        default: false
        }
    }

    var isNull: Bool {
        if case .null = kind { true } else { false }
    }

    var isContainer: Bool {
        switch kind {
        case .array, .object: true
        default: false
        }
    }
}

/// Compiles an expected document.
struct JSONExpectationCompiler {
    let nullsEqualMissing: Bool
    private(set) var warnings: [JSONEquality.Warning] = []
    private(set) var hasMissingOrNull = false
    private var path: [String] = []

    init(nullsEqualMissing: Bool) {
        self.nullsEqualMissing = nullsEqualMissing
    }

    mutating func compile(_ json: JSONValue) throws(JSONEquality.Problem) -> JSONExpectation {
        switch json {
        case .null: return scalar(.null, json)
        case .bool(let value): return scalar(.bool(value), json)
        case .number(let value): return scalar(.number(value, JSONDecimal(value)), json)
        case .string(let text): return try compile(text)
        case .array(let elements): return try compile(elements)
        case .object(let object): return try compile(object)
        }
    }

    // Not inlined, here and below: a single frame with all three functions' variables would be large, and documents
    // nest deeply.
    @inline(never)
    private mutating func compile(_ elements: [JSONValue]) throws(JSONEquality.Problem) -> JSONExpectation {
        var compiled: [JSONExpectation] = []
        compiled.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            path.append(String(index))
            compiled.append(try compile(element))
            path.removeLast()
        }
        let digests = compiled.compactMap(\.digest)
        return JSONExpectation(
            kind: .array(compiled),
            digest: digests.count == compiled.count ? JSONDigest.array(digests) : nil,
            size: Self.sum(compiled, \.size), weight: Self.sum(compiled, \.weight))
    }

    @inline(never)
    private mutating func compile(_ text: String) throws(JSONEquality.Problem) -> JSONExpectation {
        do throws(RegexProblem) {
            let (placeholder, warning) = try JSONPlaceholder.read(text)
            if let warning { warnings.append(JSONEquality.Warning(pointer: JSONPointer(path), message: warning)) }
            guard let placeholder else { return scalar(.string(text), .string(text)) }
            if case .missingOrNull = placeholder { hasMissingOrNull = true }
            return JSONExpectation(kind: .placeholder(placeholder), digest: nil, size: 1, weight: 1)
        } catch {
            throw JSONEquality.Problem(pointer: JSONPointer(path), regex: error)
        }
    }

    @inline(never)
    private mutating func compile(_ object: JSONObject) throws(JSONEquality.Problem) -> JSONExpectation {
        var members: [JSONExpectation.Members.Member] = []
        members.reserveCapacity(object.count)
        var sum = 0
        var isExact = true
        for member in object.members {
            path.append(member.key)
            let value = try compile(member.value)
            path.removeLast()
            members.append(JSONExpectation.Members.Member(key: member.key, value: value))
            guard let digest = value.digest else {
                isExact = false
                continue
            }
            if !(nullsEqualMissing && member.value.isNull) { sum &+= JSONDigest.member(member.key, digest) }
        }
        return JSONExpectation(
            kind: .object(JSONExpectation.Members(members, nullsEqualMissing: nullsEqualMissing)),
            digest: isExact ? JSONDigest.object(sum) : nil, size: Self.sum(members.map(\.value), \.size),
            weight: Self.sum(members.map(\.value).filter { !$0.isNull }, \.weight))
    }

    private func scalar(_ kind: JSONExpectation.Kind, _ json: JSONValue) -> JSONExpectation {
        JSONExpectation(kind: kind, digest: JSONDigest.scalar(json), size: 1, weight: 1)
    }

    private static func sum(_ children: [JSONExpectation], _ size: (JSONExpectation) -> Int) -> Int {
        children.reduce(1) { $0 + 1 + ($1.isContainer ? size($1) : 0) }
    }
}
