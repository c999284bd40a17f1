import SDHTTPMessages
import SDJSON
import SDMockEngine
import SDRecords

/// `/__admin/data`: the collections of records that stubs serve. An addition.
enum DataRoutes {
    static let all: [AdminRoute] = rows.map(\.data)

    private static let rows = [
        AdminRoute("GET", "/data", list).heavy,
        AdminRoute("GET", "/data/{name}", get).heavy,
        AdminRoute("PUT", "/data/{name}", replace).heavy,
        AdminRoute("POST", "/data/{name}", add).heavy,
        AdminRoute("POST", "/data/{name}/reset", reset),
        AdminRoute("GET", "/data/{name}/{key}", record).heavy,
        AdminRoute("PUT", "/data/{name}/{key}", set).heavy,
        AdminRoute("DELETE", "/data/{name}/{key}", remove),
    ]

    private static func list(_ call: AdminCall) -> PlainResponse {
        .json(["collections": .array(call.session.collections.map(\.json))])
    }

    private static func get(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        document(try refusing { () throws(CollectionRefusal) in try call.session.collection(call.name) })
    }

    private static func replace(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let json = try call.json()
        let count = try refusing { () throws(CollectionRefusal) in
            try call.session.replaceCollection(call.name, with: json)
        }
        return .json(["name": .string(call.name), "count": number(count)])
    }

    private static func add(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let json = try call.json()
        return document(
            try refusing { () throws(CollectionRefusal) in try call.session.addRecord(json, to: call.name) },
            status: 201)
    }

    private static func reset(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        try refusing { () throws(CollectionRefusal) in try call.session.resetCollection(call.name) }
        return .emptyObject
    }

    private static func record(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        document(try refusing { () throws(CollectionRefusal) in try call.session.record(call.key, of: call.name) })
    }

    private static func set(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let json = try call.json()
        let (bytes, isNew) = try refusing { () throws(CollectionRefusal) in
            try call.session.setRecord(call.key, of: call.name, to: json)
        }
        return document(bytes, status: isNew ? 201 : 200)
    }

    private static func remove(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        try refusing { () throws(CollectionRefusal) in try call.session.removeRecord(call.key, of: call.name) }
        return .emptyObject
    }

    private static func document(_ bytes: [UInt8], status: Int = 200) -> PlainResponse {
        PlainResponse(status: status, headers: [("Content-Type", "application/json")], body: bytes)
    }

    private static func refusing<Value>(
        _ work: () throws(CollectionRefusal) -> Value
    ) throws(AdminError) -> Value {
        do {
            return try work()
        } catch {
            throw AdminError(error)
        }
    }
}

extension AdminCall {
    fileprivate var name: String { parameters["name"] ?? "" }
    fileprivate var key: String { parameters["key"] ?? "" }
}

extension CollectionStatus {
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "name": .string(name), "paths": .array(paths.map(JSONValue.string)), "key": .string(key),
            "count": number(count), "changed": .bool(isChanged),
        ]
        object["file"] = file.map(JSONValue.string)
        object["problem"] = problem.map(JSONValue.string)
        return .object(object)
    }
}

extension AdminError {
    fileprivate init(_ refusal: CollectionRefusal) {
        switch refusal {
        case .unknown(let name, let nearest):
            let hint = nearest.map { "did you mean \"\($0)\"?" }
            self.init(
                404, ErrorDocument(code: 404, title: "No stub serves a collection \(name)", detail: hint))
        case .noRecord(let key, let name):
            self.init(404, ErrorDocument(code: 404, title: "There is no record \(key) in \(name)"))
        case .taken(let key, let name):
            self.init(409, ErrorDocument(code: 109, title: "There is a record \(key) in \(name) already"))
        case .invalid(let fault):
            let pointer = fault.pointer.tokens.isEmpty ? "/" : fault.pointer.text
            self.init(422, ErrorDocument(code: 10, pointer: pointer, title: fault.message))
        case .unavailable(let reason):
            self.init(500, ErrorDocument(code: 50, title: "The collection cannot be served", detail: reason))
        case .noRoom:
            self.init(
                507, ErrorDocument(code: 50, title: "The daemon's memory limit (--max-memory) leaves no room for it"))
        }
    }
}
