import Dispatch
import Foundation
import SDJSON
import SDJournal
import SDMockEngine
import SDTestSupport
import Testing

/// 64 clients change one collection at once, on several loops, and the outcome is compared with plain dictionaries.
struct ResourceModelTests {
    private static let clients = 64
    private static let steps = 60

    /// What a client expects of its records, and the keys that it was given.
    private struct End: Sendable {
        var own: [Int: JSONObject] = [:]
        var created: [Int] = []
    }

    /// What one client knows: its own records, which nobody else touches.
    private struct Client {
        let number: Int
        var random: TestGenerator
        private(set) var end = End()
        private var own: [Int: JSONObject] {
            get { end.own }
            set { end.own = newValue }
        }

        /// One random call, whose answer must be what the model says.
        mutating func step(_ number: Int, _ connection: PersistentConnection) throws {
            let type = ["Content-Type: application/json"]
            let key = own.keys.sorted().randomElement(using: &random)
            switch (Int.random(in: 0..<10, using: &random), key) {
            case (0..<4, _), (_, nil):
                var object: JSONObject = [
                    "owner": .number(JSONNumber(self.number)), "step": .number(JSONNumber(number)),
                ]
                let answer = try connection.request(
                    "POST", "/items", headers: type, body: JSONValue.object(object).compactText)
                try #require(answer.status == 201, "\(answer.text)")
                let id = try #require(answer.json?["id"]?.intValue)
                object["id"] = .number(JSONNumber(id))
                #expect(answer.json == .object(object))
                #expect(own.updateValue(object, forKey: id) == nil)
                end.created.append(id)
            case (4..<6, let key?):
                let object: JSONObject = [
                    "id": .number(JSONNumber(key)), "owner": .number(JSONNumber(self.number)),
                    "put": .number(JSONNumber(number)),
                ]
                let answer = try connection.request(
                    "PUT", "/items/\(key)", headers: type, body: JSONValue.object(object).compactText)
                #expect(answer.status == 200)
                #expect(answer.json == .object(object))
                own[key] = object
            case (6, let key?):
                let answer = try connection.request(
                    "PATCH", "/items/\(key)", headers: ["Content-Type: application/json-patch+json"],
                    body: #"[{"op": "add", "path": "/patched", "value": \#(number)}]"#)
                #expect(answer.status == 200)
                own[key]?["patched"] = .number(JSONNumber(number))
                #expect(answer.json == own[key].map(JSONValue.object))
            case (7, let key?):
                #expect(try connection.request("DELETE", "/items/\(key)").status == 200)
                #expect(try connection.request("GET", "/items/\(key)").status == 404)
                own[key] = nil
            case (8, let key?):
                #expect(try connection.request("GET", "/items/\(key)").json == own[key].map(JSONValue.object))
            default:
                let answer = try connection.request("GET", "/items?owner=\(self.number)&_sort=id")
                let expected = own.keys.sorted().compactMap { own[$0].map(JSONValue.object) }
                #expect(answer.json == .array(expected))
            }
            // A record that all of them increase, and never at the same version.
            if number % 6 == 0 { try increase(connection) }
        }

        /// Adds one to the shared counter, again if another client came first.
        private func increase(_ connection: PersistentConnection) throws {
            while true {
                let now = try connection.request("GET", "/items/counter")
                let (tag, value) = (try #require(now["ETag"]), try #require(now.json?["value"]?.intValue))
                let answer = try connection.request(
                    "PATCH", "/items/counter", headers: ["Content-Type: application/json", "If-Match: \(tag)"],
                    body: #"{"value": \#(value + 1)}"#)
                if answer.status == 200 { return }
                try #require(answer.status == 412, "\(answer.text)")
            }
        }
    }

    @Test func manyClientsSeeWhatADictionaryWouldHold() throws {
        let seed = TestGenerator.newSeed
        var options = SessionOptions()
        options.workers = 4
        let mock = try TestMock(
            routes: #"{"CRUD /items": {"data": [{"id": 0, "owner": -1}, {"id": "counter", "value": 0}]}}"#,
            session: options)
        let ends = Locked<[End]>([])
        let port = mock.port
        let group = DispatchGroup()
        for number in 0..<Self.clients {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                do {
                    var client = Client(
                        number: number, random: TestGenerator(seed: seed &+ UInt64(number)))
                    let connection = try PersistentConnection(port: port)
                    for step in 0..<Self.steps { try client.step(step, connection) }
                    ends.withLock { [end = client.end] in $0.append(end) }
                } catch {
                    Issue.record("client \(number), seed \(seed): \(error)")
                }
            }
        }
        #expect(group.wait(timeout: .now() + 170) == .success)
        let clients = ends.withLock { $0 }
        try #require(clients.count == Self.clients, "seed \(seed)")
        // No key was given twice, and none left out.
        let created = clients.flatMap(\.created).sorted()
        #expect(created == Array(1...created.count), "seed \(seed)")
        var expected: [Int: JSONValue] = [0: ["id": 0, "owner": -1]]
        for client in clients { expected.merge(client.own.mapValues(JSONValue.object)) { first, _ in first } }
        let connection = try PersistentConnection(port: port)
        let all = try #require(try connection.request("GET", "/items?id_ne=counter").json?.arrayValue)
        #expect(all.count == expected.count, "seed \(seed)")
        for record in all { #expect(record["id"]?.intValue.flatMap { expected[$0] } == record, "seed \(seed)") }
        // No increment was lost.
        let counter = try connection.request("GET", "/items/counter").json?["value"]?.intValue
        #expect(counter == Self.clients * ((Self.steps + 5) / 6), "seed \(seed)")
        // All changes are undone by one reset of the collection.
        #expect(try connection.request("POST", "/__admin/data/items/reset").status == 200)
        #expect(try connection.request("GET", "/items").json?.arrayValue?.count == 2)
    }
}
