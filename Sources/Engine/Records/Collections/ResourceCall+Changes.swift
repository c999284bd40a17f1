import SDBasics
import SDIndexing
package import SDJSON
import SDJSONSchema
import SDMatching
package import SDPlatform
import SDStubModel
import SDWireValues

/// Requests that change a collection. The client's data are read and checked first; the change itself is one step under
/// the session's lock, restarted if another request came first.
extension ResourceCall {
    /// The largest body of a record, in bytes.
    package static let largestBody = 1 << 20

    package mutating func create(_ view: DataView, _ owner: Owner?) throws(ResourceFailure) -> ResourceReply {
        var object = try object(of: try content(["application/json"]))
        if let owner { object[owner.field] = owner.value }
        let given = object[key]
        if let given, Record.key(given) == nil {
            throw Self.invalid([.init(pointer: JSONPointer([key]), reason: Self.keyReason(given))])
        }
        // The schema also validates the generated key, whose value is only known when the record is added.
        var draft = object
        if given == nil { draft[key] = Self.generated(view.records.nextKey, "00000000-0000-4000-8000-000000000000") }
        try validate(draft, view)
        try checkRoom(draft)
        let (name, key) = (name, key)
        let added = session.changeData(resource) { entry, generator, data -> Result<Record, KeyTaken> in
            var object = object
            if given == nil { object[key] = Self.generated(entry.records.nextKey, Self.uuid(&generator)) }
            guard let text = Record.key(object[key]) else { return .failure(KeyTaken(key: "")) }
            let record = Record(object, key: text, isKeyText: object[key]?.stringValue != nil)
            return entry.append(record) ? .success(record) : .failure(KeyTaken(key: text))
        }
        switch added {
        case .failure(let taken):
            throw .refused(409, "Conflict", "\(name) has a record with the \(key) \(taken.key) already")
        case .success(let record):
            var reply = Self.reply(201, record)
            reply.headers.append(("Location", location() + "/" + URLEscaping.component(record.key)))
            reply.headers.append(("Access-Control-Expose-Headers", "Location"))
            return reply
        }
    }

    private struct KeyTaken: Error {
        let key: String
    }

    private static func generated(_ next: RecordSet.NextKey, _ text: @autoclosure () -> String) -> JSONValue {
        switch next {
        case .integer(let number): .number(JSONNumber(number))
        case .digits(let number): .string(String(number))
        case .text: .string(text())
        }
    }

    /// A random UUID (RFC 9562, version 4) from the session's generator.
    package static func uuid(_ generator: inout SeededGenerator) -> String {
        let high = generator.next() & ~0xF000 | 0x4000
        let low = generator.next() & ~(0xC0 << 56) | 0x80 << 56
        func hex(_ value: UInt64, _ digits: Int) -> String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: digits - text.utf8.count) + text
        }
        return [
            hex(high >> 32, 8), hex(high >> 16 & 0xFFFF, 4), hex(high & 0xFFFF, 4), hex(low >> 48, 4),
            hex(low & 0xFFFF_FFFF_FFFF, 12),
        ].joined(separator: "-")
    }

    /// Replaces a record by the result of `make`.
    /// - Throws: `ResourceFailure` if the record does not exist, has another version than requested, does not fit into
    ///   memory or the schema, or the budget is spent; and what `make` throws.
    package mutating func change(
        _ key: String, _ view: DataView, _ owner: Owner?,
        _ make: (inout ResourceCall, Record) throws(ResourceFailure) -> JSONObject
    ) throws(ResourceFailure) -> ResourceReply {
        var current = view.records
        while true {
            let old = try found(key, current, owner)
            try checkVersion(old)
            let object = try make(&self, old)
            try validate(object, view)
            try checkRoom(object)
            let new = Record(object, key: old.key)
            let latest = session.changeData(resource) { entry, _, _ -> RecordSet? in
                guard entry.records[key] === old else { return entry.records }
                entry.replace(old, with: new)
                return nil
            }
            guard let latest else { return Self.reply(200, new) }
            guard budget.spend(100, for: Self.work) else { throw .late }
            current = latest
        }
    }

    package mutating func remove(
        _ key: String, _ view: DataView, _ owner: Owner?
    ) throws(ResourceFailure) -> ResourceReply {
        var current = view.records
        while true {
            let old = try found(key, current, owner)
            try checkVersion(old)
            let latest = session.changeData(resource) { entry, _, _ -> RecordSet? in
                guard entry.records[key] === old else { return entry.records }
                _ = entry.remove(key)
                return nil
            }
            guard let latest else { return .json(200, Array("{}".utf8)) }
            guard budget.spend(100, for: Self.work) else { throw .late }
            current = latest
        }
    }

    // MARK: Request bodies

    /// The record in the body of a PUT.
    /// - Throws: `ResourceFailure` if the body is not an object, has another type, or another key.
    package mutating func replacement(of old: Record, _ owner: Owner?) throws(ResourceFailure) -> JSONObject {
        var object = try object(of: try content(["application/json"]))
        if let owner { object[owner.field] = owner.value }
        return try keepingKey(of: old, object)
    }

    /// The record after the patch in the body: RFC 6902 or RFC 7396.
    /// - Throws: `ResourceFailure` if the body is not a patch, does not fit the record, makes it too large, or changes
    ///   its key, or the budget is spent.
    mutating func patched(_ old: Record) throws(ResourceFailure) -> JSONObject {
        let types = ["application/merge-patch+json", "application/json-patch+json", "application/json"]
        let body = try content(types, [("Accept-Patch", Self.patchTypes)])
        guard contentType == "application/json-patch+json" else {
            guard case .object(let patch) = body else {
                throw Self.invalid([
                    .init(pointer: .root, reason: "a merge patch is an object, found \(body.shortDescription)")
                ])
            }
            let merged = JSONValue.object(old.value).merged(with: .object(patch))
            return try keepingKey(of: old, merged.objectValue ?? JSONObject())
        }
        let result: JSONValue
        do throws(JSONPatch.Problem) {
            result = try JSONPatch(body).apply(to: .object(old.value)) { budget.spend($0, for: Self.work) }
        } catch {
            let faults = [ResourceReply.Fault(pointer: error.pointer, reason: error.message)]
            switch error.kind {
            case .malformed: throw .refused(400, "Bad Request", "the body is no JSON Patch", faults)
            case .conflict: throw .refused(409, "Conflict", "the patch does not fit the record", faults)
            case .tooLarge: throw .refused(413, "Content Too Large", "the record would be too large", faults)
            case .tooCostly: throw .late
            }
        }
        guard case .object(let object) = result else {
            throw Self.invalid([
                .init(pointer: .root, reason: "a record is an object, the patch makes it \(result.shortDescription)")
            ])
        }
        return try keepingKey(of: old, object)
    }

    /// The record with its original key.
    /// - Throws: 409 if it has another one.
    private func keepingKey(of old: Record, _ object: JSONObject) throws(ResourceFailure) -> JSONObject {
        var object = object
        guard let given = object[key] else {
            object[key] = old.value[key]
            return object
        }
        guard Record.key(given) == old.key else {
            throw .refused(
                409, "Conflict", "the \(key) of a record cannot change",
                [.init(pointer: JSONPointer([key]), reason: "expected \(old.key), found \(given.shortDescription)")])
        }
        object[key] = old.value[key]
        return object
    }

    private static func keyReason(_ value: JSONValue) -> String {
        "a key is a number or a text that is not empty, found \(value.shortDescription)"
    }

    private func object(of body: JSONValue) throws(ResourceFailure) -> JSONObject {
        guard case .object(let object) = body else {
            throw Self.invalid([.init(pointer: .root, reason: "a record is an object, found \(body.shortDescription)")])
        }
        return object
    }

    /// The media type of the body in lower case, without parameters; nil if there is none.
    private var contentType: String? {
        request.header(Array("content-type".utf8)).map { value in
            String(decoding: value.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self).trimmingBlanks.lowercased()
        }
    }

    /// The body as JSON.
    /// - Parameter types: the accepted types; JSON types with other names count as `application/json`.
    /// - Throws: 415 for another type, 413 for a large body, and 400 with line and column for one that is not JSON.
    private mutating func content(
        _ types: [String], _ headers: [(name: String, value: String)] = []
    ) throws(ResourceFailure) -> JSONValue {
        if let type = contentType, !types.contains(type), !(type.hasSuffix("+json") && !type.contains(text: "patch+")) {
            var reply = ResourceReply.problem(
                415, "Unsupported Media Type",
                "the body is \(type.isEmpty ? "of no type" : type); expected \(types.joined(separator: ", "))")
            reply.headers += headers
            throw .refused(reply)
        }
        let body = views.body(of: request)
        guard body.count <= Self.largestBody else {
            throw .refused(
                413, "Content Too Large",
                "the body of a record has at most \(Self.largestBody) bytes, found \(body.count)")
        }
        guard budget.tryReserve(body.count * 10, for: Self.work) else { throw .late }
        do throws(JSONSyntaxError) {
            return try JSONValue(parsing: body)
        } catch {
            throw .refused(
                400, "Bad Request",
                "the body is not JSON: line \(error.line), column \(error.column): expected \(error.expected), "
                    + "found \(error.found)")
        }
    }

    // MARK: Checks

    private static func invalid(_ faults: [ResourceReply.Fault]) -> ResourceFailure {
        .refused(422, "Unprocessable Content", "the body is not a valid record", faults)
    }

    /// - Throws: 422 with the violations of the schema.
    private func validate(_ object: JSONObject, _ view: DataView) throws(ResourceFailure) {
        guard let schema = view.schema else { return }
        if schema.validate(.object(object), budget) { return }
        let errors = schema.errors(in: .object(object), most: 20, budget)
        if budget.isSpent { throw .late }
        throw Self.invalid(errors.map { .init(pointer: $0.instance, reason: $0.message) })
    }

    /// - Throws: 507 if memory is short.
    private func checkRoom(_ object: JSONObject) throws(ResourceFailure) {
        let record = Record(object, key: "")
        guard budget.spend(record.bytes.count, for: Self.work) else { throw .late }
        guard record.bytes.count <= Self.largestBody else {
            throw .refused(
                413, "Content Too Large",
                "a record has at most \(Self.largestBody) bytes, this one would have \(record.bytes.count)")
        }
        let weight = record.weight
        guard session.memory.hasRoom(for: weight, refusing: "a record") else {
            throw .refused(
                507, "Insufficient Storage", "the daemon's memory limit (--max-memory) leaves no room for the record")
        }
    }
}
