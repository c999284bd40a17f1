import SDJSON
import SDRecords
import Testing

/// Collections in comma-separated values.
struct CSVTextTests {
    private func json(_ text: String) throws -> String {
        try DataText(Array(text.utf8), path: "a.CSV").json().compactText
    }

    @Test(arguments: [
        ("id,name\n1,Ada\n2,Bob", #"[{"id":1,"name":"Ada"},{"id":2,"name":"Bob"}]"#),
        ("id,name\r\n1,Ada\r\n\r\n", #"[{"id":1,"name":"Ada"}]"#), ("id\r1\r2\r", #"[{"id":1},{"id":2}]"#),
        ("\u{FEFF}id,name\n1,Ä", #"[{"id":1,"name":"Ä"}]"#), ("id,name\n", "[]"), ("id", "[]"),
        ("a,b\n\"x, y\",\"say \"\"hi\"\"\"", #"[{"a":"x, y","b":"say \"hi\""}]"#),
        ("a,b\n\"one\r\ntwo\",\n", #"[{"a":"one\r\ntwo","b":null}]"#), ("\"a b\",c\n1,2", #"[{"a b":1,"c":2}]"#),
        ("a\n x ", #"[{"a":" x "}]"#),
    ])
    func aTextIsAList(text: String, expected: String) throws {
        #expect(try json(text) == expected)
    }

    @Test(arguments: [
        ("1", "1"), ("-1", "-1"), ("0", "0"), ("1.5", "1.5"), ("9.90", "9.90"), ("-0.25", "-0.25"),
        ("999999999999999", "999999999999999"), ("1234567890123456", #""1234567890123456""#), ("007", #""007""#),
        ("-07", #""-07""#), ("+49", #""+49""#), ("1e5", #""1e5""#), ("0x1F", #""0x1F""#), (".5", #"".5""#),
        ("5.", #""5.""#),
        ("1.2.3", #""1.2.3""#), ("1 000", #""1 000""#), ("-", #""-""#), ("2026-01-02", #""2026-01-02""#),
        ("NaN", #""NaN""#),
        ("true", "true"), ("false", "false"), ("TRUE", "true"), ("True", #""True""#), ("", "null"),
        ("null", #""null""#),
        ("\"\"", #""""#), ("\"1\"", #""1""#), ("\"true\"", #""true""#), ("٣", #""٣""#),
    ])
    func aValueHasTheTypeThatItLooksLike(cell: String, expected: String) throws {
        #expect(try json("id,x\n1,\(cell)\n") == #"[{"id":1,"x":\#(expected)}]"#)
    }

    @Test(arguments: [
        ("", 1, 1, "no header line"), ("\n\n", 1, 1, "no header line"), ("id,\n1,2", 1, 4, "a field without a name"),
        ("id, name\n1,2", 1, 4, "a blank at its end"), ("id,a,id\n", 1, 6, "the field \"id\" is there twice"),
        ("id;name\n1;Ada", 1, 1, "no commas"), ("id,name\n1,Ada\n2\n", 3, 1, "expected 2, found 1"),
        ("id,name\n1,Ada,x\n", 2, 7, "expected 2, found 3"), ("id,name\n1,\"Ada\n2,x", 2, 3, "does not end"),
        ("id,name\nä,\"A\"b\n", 2, 6, "goes on after its quotes"),
        ("id,name\n1,5\" pipe", 2, 4, "a quote within a value"),
        ("\u{FEFF}id,x\n1,a\"", 2, 4, "a quote within a value"),
        // What is wrong with the collection has its place, too.
        ("name\nAda", 2, 1, "a record without its key \"id\""), ("id,name\n,Ada", 2, 1, "no key"),
        ("name,id\nAda,1\nBob,1\n", 3, 5, "the key 1 is taken"),
    ])
    func aMistakeHasItsPlace(text: String, line: Int, column: Int, message: String) {
        let error = #expect(throws: DataProblem.self) {
            try RecordSet(text: DataText(Array(text.utf8), path: "a.csv"), name: "a", key: "id")
        }
        #expect(error?.position?.line == line, "\(String(describing: error))")
        #expect(error?.position?.column == column, "\(String(describing: error))")
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }

    @Test func otherEncodingsAreRefused() {
        for bytes: [UInt8] in [[0xFF, 0xFE, 0x69, 0], [0x69, 0x64, 0x0A, 0xE4, 0x0A]] {
            let error = #expect(throws: DataProblem.self) { try DataText(bytes, path: "a.csv").json() }
            #expect(error?.message.contains("not UTF-8") == true)
        }
    }

    // MARK: Writing

    private func written(_ json: String, over text: String, _ path: String) throws -> String {
        let records = try RecordSet(JSONValue(parsing: json), name: "a", key: "id")
        let bytes = try DataText(Array(text.utf8), path: path).replacing(with: records, name: "a", key: "id")
        let read = try RecordSet(text: DataText(bytes, path: path), name: "a", key: "id")
        #expect(read.all.map(\.value) == records.all.map(\.value) || path.hasSuffix(".csv"))
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (
            #"[{"id": 1, "x": "a,b"}, {"id": 2, "x": "say \"hi\"", "y": true}]"#, "x,id\n",
            "x,id,y\n\"a,b\",1,\n\"say \"\"hi\"\"\",2,true\n"
        ),
        (#"[{"id": "1", "x": "007"}, {"id": "a", "x": ""}]"#, "id,x\r\n", "id,x\r\n\"1\",007\r\na,\"\"\r\n"),
        (#"[{"id": 1.50, "x": null}, {"id": 3, "x": "true"}]"#, "\u{FEFF}id,x", "\u{FEFF}id,x\n1.50,\n3,\"true\"\n"),
        ("[]", "id,x\n1,2\n", "id,x\n"),
    ])
    func aCSVTextKeepsItsForm(json: String, old: String, expected: String) throws {
        #expect(try written(json, over: old, "a.csv") == expected)
    }

    @Test func whatCSVCannotHoldIsTold() {
        for (value, what) in [("[1]", "a list"), ("{}", "an empty object"), ("1e5", "the number 1e5")] {
            let error = #expect(throws: DataProblem.self) {
                try written(#"[{"id": 1, "x": \#(value)}]"#, over: "id,x", "a.csv")
            }
            #expect(error?.message == "the record 1 has \(what) under \"x\", which CSV cannot hold")
        }
    }

    @Test func aJSONTextKeepsItsForm() throws {
        let list = #"[{"id": 1, "x": [1.50]}]"#
        #expect(try written(list, over: "[]", "a.json") == "[ {\n  \"id\" : 1,\n  \"x\" : [ 1.50 ]\n} ]\n")
        let several = try written(list, over: #"{"b": [{"id": 7}], "a": []}"#, "a.json")
        #expect(try JSONValue(parsing: several).compactText == #"{"b":[{"id":7}],"a":[{"id":1,"x":[1.50]}]}"#)
        let keyed = try written(list, over: #"{"1": {"x": 2}}"#, "a.json")
        #expect(try JSONValue(parsing: keyed).compactText == #"{"1":{"id":1,"x":[1.50]}}"#)
        #expect(throws: DataProblem.self) { try written(list, over: "[] // mine", "a.json") }
        #expect(throws: DataProblem.self) { try written(list, over: "[]", "a.yaml") }
    }
}

/// What one record of a collection may be called.
struct RelationNamesTests {
    @Test(arguments: [
        ("posts", "post"), ("categories", "category"), ("movies", "movie"), ("boxes", "box"), ("statuses", "status"),
        ("people", "person"), ("children", "child"), ("houses", "house"), ("sheep", "sheep"), ("series", "series"),
    ])
    func aRecordNamesItsOwner(collection: String, singular: String) {
        let names = RelationNames(collection: collection)
        #expect(names.singulars.contains(singular))
        #expect(names.ownerKey(of: Record([singular + "Id": 7], key: "1")) == "7")
        #expect(names.ownerKey(of: Record(["otherId": 7], key: "1")) == nil)
    }
}
