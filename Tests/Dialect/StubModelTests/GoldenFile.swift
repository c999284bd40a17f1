import SDJSON
import SDTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// WireMock 3.13.2's recorded answer to `POST /__admin/mappings`; see `Golden/README.md`.
struct Exchange: Sendable, CustomTestStringConvertible {
    var given: JSONValue
    var status: Int
    /// WireMock's answer.
    var reply: JSONValue
    /// This project's answer where it differs on purpose, and why.
    var ours: JSONValue?

    var expected: JSONValue { ours ?? reply }

    var testDescription: String { given.compactText }

    static let all: [Exchange] = load("mappings.json")

    static func load(_ name: String) -> [Exchange] {
        guard let data = try? PackageFiles.data("Tests/Dialect/StubModelTests/Golden/\(name)"),
            let elements = try? JSONValue(parsing: data).arrayValue
        else { return [] }
        return elements.compactMap { element in
            guard let given = element["given"], let status = element["status"]?.intValue, let reply = element["reply"]
            else { return nil }
            return Exchange(given: given, status: status, reply: reply, ours: element["ours"])
        }
    }
}
