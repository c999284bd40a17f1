import SDJSON
import SDStubModel

/// The output of a row: a JSON value for a list, or text for a stream.
protocol RowMembers {
    mutating func add(_ key: String, _ text: String)
    mutating func add(_ key: String, _ number: UInt64)
    mutating func add(_ key: String, _ flag: Bool)
    mutating func add(_ key: String, _ value: JSONValue)
    mutating func add(_ key: String, _ stub: StubMember)
}

/// A stub's reference in both forms.
struct StubMember: Sendable {
    fileprivate let value: JSONValue
    fileprivate let text: [UInt8]

    init(_ reference: StubReference) {
        value = .object(reference.json)
        text = value.compactBytes
    }
}

extension RowMembers {
    mutating func add(_ key: String, _ text: String?) {
        if let text { add(key, text) }
    }

    mutating func add(_ key: String, _ number: Int?) {
        if let number { add(key, UInt64(clamping: number)) }
    }
}

extension JSONObject: RowMembers {
    mutating func add(_ key: String, _ text: String) { self[key] = .string(text) }
    mutating func add(_ key: String, _ number: UInt64) { self[key] = SDAdminAPI.number(number) }
    mutating func add(_ key: String, _ flag: Bool) { self[key] = .bool(flag) }
    mutating func add(_ key: String, _ value: JSONValue) { self[key] = value }
    mutating func add(_ key: String, _ stub: StubMember) { self[key] = stub.value }
}

extension JSONMembers: RowMembers {
    mutating func add(_ key: String, _ number: UInt64) { add(key, Int(clamping: number)) }
    mutating func add(_ key: String, _ stub: StubMember) { add(key, written: stub.text) }
}
