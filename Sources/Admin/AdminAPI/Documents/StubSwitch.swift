import SDBasics
import SDJSON
import SDStubModel

/// The body of `PATCH /__admin/mappings/{id}`: `{"enabled": false}`. An addition to WireMock's admin API.
struct StubSwitch {
    private(set) var isOn = true

    /// Reads the document.
    /// - Throws: all problems.
    init(json: JSONValue) throws(ModelProblems) {
        var reader = ModelReader()
        let object = json.objectValue
        for member in object?.members ?? [] {
            reader.within(member.key) { reader in
                guard member.key == "enabled" else {
                    return reader.refuse(
                        "unknown key \(member.key)",
                        expected: "enabled; all else is changed by a PUT of the whole stub",
                        found: nil, suggestion: meantName(by: member.key, among: ["enabled"]))
                }
                guard let value = member.value.boolValue else {
                    return reader.refuse(
                        "this switches nothing", expected: "true or false", found: member.value.shortDescription)
                }
                isOn = value
            }
        }
        if object?["enabled"] == nil, reader.problems.isEmpty {
            reader.refuse(
                "not a switch", expected: "an object such as {\"enabled\": false}", found: json.shortDescription)
        }
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
    }
}
