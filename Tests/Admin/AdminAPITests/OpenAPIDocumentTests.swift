import Foundation
import SDHTTPTransport
import SDJSON
import SDJSONSchema
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAdminAPI

/// The admin API's document matches the admin API.
@Suite struct OpenAPIDocumentTests {
    private let document = OpenAPIDocument.json(version: "1.2.3")

    /// The method and path of each operation, variables without their names.
    private var documented: Set<String> {
        var found: Set<String> = []
        for path in document["paths"]?.objectValue?.members ?? [] {
            for operation in path.value.objectValue?.members ?? [] where operation.key != "parameters" {
                found.insert("\(operation.key.uppercased()) \(Self.shape(path.key))")
            }
        }
        return found
    }

    private static func shape(_ path: String) -> String {
        path.split(separator: "/").map { $0.hasPrefix("{") || $0 == "**" ? "*" : String($0) }.joined(separator: "/")
    }

    @Test func itHasEveryEndpointAndNoOther() {
        let served = Set(
            AdminAPI.routes.map { "\($0.method) \(Self.shape("__admin/" + $0.pattern.joined(separator: "/")))" })
        #expect(documented.subtracting(served) == [], "described, and not in `AdminAPI.routes`")
        #expect(served.subtracting(documented) == [], "in `AdminAPI.routes`, and not in openapi.json")
    }

    @Test func everyEndpointIsOnAPage() throws {
        var paths: Set<String> = []
        let docs = PackageFiles.url("docs")
        for page in try FileManager.default.contentsOfDirectory(atPath: docs.path) where page.hasSuffix(".md") {
            let text = try String(contentsOf: docs.appending(path: page), encoding: .utf8)
            for match in text.matches(of: /__admin\/[\w\-.\/{}]*/) { paths.insert(Self.shape(String(match.output))) }
        }
        let unwritten = AdminAPI.routes.map { "__admin/" + $0.pattern.joined(separator: "/") }
            .filter { !paths.contains(Self.shape($0)) }
        #expect(unwritten == [], "write them on docs/admin-api.md, or the page of their subject")
    }

    @Test func aMatcherHasTheOperatorsAndOptionsOfTheDialect() throws {
        let schemas = try #require(document["components"]?["schemas"])
        let ofLists = schemas["MultiValueMatchers"]?["additionalProperties"]?["anyOf"]?.arrayValue ?? []
        let described =
            (schemas["Matcher"]?["properties"]?.objectValue?.keys ?? [])
            + ofLists.flatMap { $0["required"]?.arrayValue ?? [] }.compactMap(\.stringValue)
        let missing = ValueMatcher.Operator.allCases.flatMap { [$0.rawValue] + $0.options }
            .filter { !described.contains($0) }
        #expect(missing == [], "the schema `Matcher` in openapi.json lacks them")
    }

    @Test func aResponseHasTheFieldsOfTheDialect() throws {
        let schema = document["components"]?["schemas"]?["ResponseDefinition"]
        let properties = try #require(schema?["properties"]?.objectValue)
        #expect(properties.keys.sorted() == DialectNames.response.sorted())
    }

    @Test func itIsAnOpenAPIDocument() throws {
        #expect(document["openapi"] == "3.0.0")
        #expect(document["info"]?["version"] == "1.2.3")
        var names: Set<String> = []
        for path in document["paths"]?.objectValue?.members ?? [] {
            for operation in path.value.objectValue?.members ?? [] where operation.key != "parameters" {
                let id = try #require(operation.value["operationId"]?.stringValue)
                #expect(names.insert(id).inserted, "\(id) comes twice")
                #expect(operation.value["summary"]?.stringValue?.isEmpty == false)
                #expect(operation.value["tags"]?.arrayValue?.count == 1)
                let responses = try #require(operation.value["responses"]?.objectValue)
                #expect(responses.members.contains { $0.key.hasPrefix("2") || ["302", "405"].contains($0.key) })
                #expect(responses.members.allSatisfy { $0.value["description"]?.stringValue?.isEmpty == false })
                // The guard answers any call.
                #expect(responses["401"] != nil && responses["403"] != nil, "\(id)")
            }
        }
        #expect(names.count > 30)
    }

    @Test func everyReferenceHasATarget() {
        var count = 0
        func visit(_ value: JSONValue) {
            if let reference = value["$ref"]?.stringValue {
                count += 1
                let pointer = JSONPointer(text: String(reference.dropFirst()))
                #expect(pointer.flatMap { document[$0] } != nil, "\(reference)")
            }
            for member in value.objectValue?.members ?? [] { visit(member.value) }
            for element in value.arrayValue ?? [] { visit(element) }
        }
        visit(document)
        #expect(count > 100)
    }

    @Test func everyPathParameterIsDeclared() {
        var count = 0
        for path in document["paths"]?.objectValue?.members ?? [] {
            let used = path.key.split(separator: "/").filter { $0.hasPrefix("{") }
                .map { String($0.dropFirst().dropLast()) }
            let declared = (path.value["parameters"]?.arrayValue ?? []).compactMap { parameter in
                parameter["$ref"]?.stringValue.flatMap { JSONPointer(text: String($0.dropFirst())) }
                    .flatMap { document[$0]?["name"]?.stringValue }
            }
            #expect(used == declared, "\(path.key)")
            count += used.count
        }
        #expect(count > 20)
    }

    @Test func everySchemaCompiles() throws {
        let schemas = try #require(document["components"]?["schemas"]?.objectValue)
        #expect(schemas.count > 20)
        for schema in schemas.members {
            let root: JSONValue = [
                "allOf": [["$ref": .string("#/components/schemas/\(schema.key)")]],
                "components": document["components"] ?? .null,
            ]
            #expect(try JSONSchema(root, draft: .v4).problems.isEmpty, "\(schema.key)")
        }
    }

    @Test func itIsServedAsJSONAndAsASelfContainedPage() throws {
        let mock = try TestMock()
        let json = try Exchange(mock.port, "GET", "/__admin/docs/swagger")
        #expect(json.status == 200)
        #expect(json.header("Content-Type") == "application/json")
        #expect(json.json == OpenAPIDocument.json(version: "0.0.0"))
        let page = try Exchange(mock.port, "GET", "/__admin/docs")
        #expect(try Exchange(mock.port, "GET", "/__admin/swagger-ui/").body == page.body)
        #expect(try Exchange(mock.port, "GET", "/__admin/swagger-ui/index.html").body == page.body)
        #expect(page.status == 200)
        #expect(page.header("Content-Type") == "text/html;charset=UTF-8")
        for foreign in ["<script", "=\"http", "='http", "=http", " src=", "@import", "url("] {
            #expect(!page.text.contains(foreign), "\(foreign)")
        }
        for path in document["paths"]?.objectValue?.keys ?? [] {
            #expect(page.text.contains("</b> \(path) <span>"), "\(path)")
        }
    }
}
