import SDJSON
import SDJSONSchema
import SDTestSupport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The official JSON Schema test suite, if it is available.
enum SchemaSuite {
    struct Case: CustomStringConvertible {
        var file: String
        var name: String
        var draft: JSONSchema.Draft
        var schema: JSONValue
        var document: JSONValue
        var isValid: Bool

        var description: String { "\(draft.rawValue)/\(file): \(name)" }
    }

    static let folder = Conformance.path("json-schema")

    /// The schemas that the suite expects under `http://localhost:1234/`.
    static let remotes: [String: JSONValue] = {
        var found: [String: JSONValue] = [:]
        var waiting = [""]
        while let place = waiting.popLast() {
            for name in names(in: "remotes" + place) {
                if name.hasSuffix(".json") {
                    found["http://localhost:1234\(place)/\(name)"] = json("remotes\(place)/\(name)")
                } else {
                    waiting.append("\(place)/\(name)")
                }
            }
        }
        return found
    }()

    /// The cases of one folder, such as `optional/format`, without its subfolders.
    static func cases(_ draft: JSONSchema.Draft, in subfolder: String = "") -> [Case] {
        let place = "tests/\(folderName(draft))" + (subfolder.isEmpty ? "" : "/\(subfolder)")
        return names(in: place).filter { $0.hasSuffix(".json") }.flatMap { file in
            (json("\(place)/\(file)")?.arrayValue ?? []).flatMap { group in
                (group["tests"]?.arrayValue ?? []).compactMap { test in
                    guard let schema = group["schema"], let document = test["data"],
                        let isValid = test["valid"]?.boolValue
                    else { return nil }
                    let name = "\(group["description"]?.stringValue ?? ""): \(test["description"]?.stringValue ?? "")"
                    return Case(
                        file: file, name: name, draft: draft, schema: schema, document: document, isValid: isValid)
                }
            }
        }
    }

    private static func folderName(_ draft: JSONSchema.Draft) -> String {
        switch draft {
        case .v4: "draft4"
        case .v6: "draft6"
        case .v7: "draft7"
        case .v201909: "draft2019-09"
        case .v202012: "draft2020-12"
        }
    }

    private static func names(in place: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(place)")) ?? []).sorted()
    }

    private static func json(_ place: String) -> JSONValue? {
        try? JSONValue(parsing: Array(FileManager.default.contents(atPath: "\(folder)/\(place)") ?? Data()))
    }
}
