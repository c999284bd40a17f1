import SDJSON
import SDRecords
import SDTestSupport
import Testing

struct RecordSetTests {
    private static func record(_ key: Int, _ value: Int = 0) -> Record {
        Record(["id": .number(JSONNumber(key)), "value": .number(JSONNumber(value))], key: String(key))
    }

    /// Random changes, each compared with an array; copies taken on the way keep what they had.
    @Test func aCollectionIsAnArrayWithKeys() {
        var generator = TestGenerator()
        var records = RecordSet()
        var model: [Record] = []
        var copies: [(RecordSet, [Record])] = []
        for step in 0..<20_000 {
            let key = Int.random(in: 0..<3_000, using: &generator)
            let index = model.firstIndex { $0.key == String(key) }
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                let new = Self.record(key, step)
                let isAdded = records.append(new)
                #expect(isAdded == (index == nil))
                if index == nil { model.append(new) }
            case 5..<7:
                let new = Self.record(key, step)
                let isReplaced = records.replace(new)
                #expect(isReplaced == (index != nil))
                if let index { model[index] = new }
            default:
                let removed = records.remove(String(key))
                #expect(removed === index.map { model[$0] })
                if let index { model.remove(at: index) }
            }
            if step % 4_000 == 0 { copies.append((records, model)) }
        }
        copies.append((records, model))
        for (records, model) in copies {
            #expect(records.count == model.count)
            let isSame = records.all.elementsEqual(model) { $0 === $1 }
            #expect(isSame, "seed \(generator.seed)")
            for record in model { #expect(records[record.key] === record) }
        }
        #expect(records["none"] == nil)
    }

    @Test(arguments: [0, 1, 31, 32, 33, 1_023, 1_024, 1_025, 40_000])
    func aCollectionOfAnySizeKeepsItsOrder(count: Int) {
        let all = (0..<count).map { Self.record($0) }
        var built = RecordSet(all)
        var grown = RecordSet()
        for record in all { _ = grown.append(record) }
        let areSame = [built, grown].map { $0.all.elementsEqual(all) { $0 === $1 } }
        #expect(areSame == [true, true])
        let next = Self.record(count)
        let isAdded = built.append(next)
        #expect(isAdded)
        #expect(built.all.last === next)
        #expect(built.count == count + 1)
    }

    @Test(arguments: [
        ("[]", RecordSet.NextKey.integer(1)), (#"[{"id": 7}, {"id": 3}]"#, .integer(8)),
        (#"[{"id": -3}]"#, .integer(1)),
        (#"[{"id": "7"}]"#, .digits(8)), (#"[{"id": "7"}, {"id": 3}]"#, .integer(8)),
        (#"[{"id": "7"}, {"id": "a"}]"#, .digits(8)),
        (#"[{"id": "a"}]"#, .text), (#"[{"id": "a"}, {"id": 4}]"#, .integer(5)),
        (#"[{"id": 9223372036854775807}]"#, .text), (#"[{"id": 1.5}]"#, .text), (#"[{"id": "007"}]"#, .text),
    ])
    func keysContinueTheGreatest(json: String, expected: RecordSet.NextKey) throws {
        #expect(try RecordSet(JSONValue(parsing: json), name: "x", key: "id").nextKey == expected)
    }

    @Test func aKeyIsNeverGivenTwice() throws {
        var records = try RecordSet([["id": 1], ["id": 5]], name: "x", key: "id")
        records.remove("5")
        #expect(records.nextKey == .integer(6))
    }

    @Test(arguments: [
        (#"[{"id": 1, "n": "a"}]"#, #"[{"id":1,"n":"a"}]"#), (#"{"users": [{"id": 1}], "posts": []}"#, #"[{"id":1}]"#),
        (#"{"1": {"n": "a"}, "x": {"n": "b"}}"#, #"[{"id":1,"n":"a"},{"id":"x","n":"b"}]"#),
        (#"{"1": {"id": 9}}"#, #"[{"id":9}]"#), ("{}", "[]"), ("// none\n[]", "[]"),
    ])
    func collectionsAreRead(text: String, expected: String) throws {
        let records = try RecordSet(text: DataText(Array(text.utf8), path: "users.json"), name: "users", key: "id")
        #expect(JSONValue.array(records.all.map { .object($0.value) }).compactText == expected)
    }

    @Test(arguments: [
        ("- id: 1\n  n: a", "u.yaml", #"[{"id":1,"n":"a"}]"#), ("users:\n  - { id: x }", "u.YML", #"[{"id":"x"}]"#),
        ("1: { n: a }", "u.yml", #"[{"id":1,"n":"a"}]"#), (#"[{"id": 1}]"#, "u.yaml", #"[{"id":1}]"#),
    ])
    func collectionsAreReadFromYAML(text: String, path: String, expected: String) throws {
        let records = try RecordSet(text: DataText(Array(text.utf8), path: path), name: "users", key: "id")
        #expect(JSONValue.array(records.all.map { .object($0.value) }).compactText == expected)
    }

    @Test(arguments: [
        ("- id: 1\n- id: [", 3, 1, "not valid YAML"), ("- id: 1\n- n: 2", 2, 3, "without its key"),
        ("- id: 1\n- n: 2\n  id: 1", 3, 7, "is taken"), ("3", 1, 1, "no collection"),
    ])
    func whatIsNoCollectionInYAMLIsToldWithLineAndColumn(text: String, line: Int, column: Int, words: String) {
        let problem = #expect(throws: DataProblem.self) {
            try RecordSet(text: DataText(Array(text.utf8), path: "u.yaml"), name: "users", key: "id")
        }
        #expect(
            problem?.position?.line == line && problem?.position?.column == column, "\(String(describing: problem))")
        #expect(problem?.message.contains(words) == true, "\(problem?.message ?? "")")
    }

    @Test(arguments: [
        ("[{]", 1, 3, "not valid JSON"), ("3", 1, 1, "no collection"),
        ("[\n  {\"id\": 1},\n  7\n]", 3, 3, "a record is an object"),
        ("[\n  {\"n\": 1}\n]", 2, 3, "without its key"), ("[\n  {\"id\": null}\n]", 2, 10, "no key"),
        ("[{\"id\": 1},\n {\"n\": 2, \"id\": \"1\"}]", 2, 17, "is taken"),
        ("{\"users\": [\n  {\"id\": []}\n]}", 2, 10, "no key"), ("{\"a\":\n  4}", 2, 3, "a record is an object"),
    ])
    func whatIsNoCollectionIsToldWithLineAndColumn(text: String, line: Int, column: Int, words: String) {
        let problem = #expect(throws: DataProblem.self) {
            try RecordSet(text: DataText(Array(text.utf8), path: "users.json"), name: "users", key: "id")
        }
        #expect(problem?.position?.line == line)
        #expect(problem?.position?.column == column)
        #expect(problem?.message.contains(words) == true, "\(problem?.message ?? "")")
    }
}
