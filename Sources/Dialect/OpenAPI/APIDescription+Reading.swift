import SDBasics
public import SDJSON
public import SDStubModel

extension APIDescription {
    /// Reads a description. Never fails: problems become findings.
    /// - Parameters:
    ///   - json: the document.
    ///   - named: the document's path, for messages; references are relative to its folder.
    ///   - other: returns a document by its path relative to that folder, which never leads out of it; nil if it is
    ///     missing.
    ///   - remote: returns a document by its URL; nil if references to URLs are disabled.
    public init(
        reading json: JSONValue, named: String, other: @escaping (String) -> Result<JSONValue, ModelProblem>?,
        remote: ((String) -> RemoteDocument)? = nil
    ) {
        let written = json.objectValue.flatMap { Self.writtenVersion(of: $0) }
        let (version, isKnown) = Self.version(written?.text ?? "")
        var reader = DescriptionReader(json, version: version, named: named, file: other, remote: remote)
        let root = reader.root
        self.init(version: version, title: "", documents: reader.documents)
        guard reader.object(root, "an object with openapi or swagger") != nil else {
            findings = reader.findings
            return
        }
        reader.checkVersion(written, isKnown: isKnown)
        reader.read(root, into: &self)
    }

    private init(version: Version, title: String, documents: DocumentSet) {
        self.version = version
        self.title = title
        self.documents = documents
        basePaths = [""]
        operations = []
        webhooks = []
        securitySchemes = [:]
        findings = []
    }
}

extension DescriptionReader {
    mutating func checkVersion(_ written: (name: String, text: String)?, isKnown: Bool) {
        guard !isKnown else { return }
        let versions = APIDescription.Version.allCases.map(\.rawValue).joined(separator: ", ")
        guard let written else {
            report(root.place, "a description without version", expected: "openapi: 3.1.0 or another of \(versions)")
            return
        }
        report(
            root.place.appending(written.name), "unknown version \(quoted(written.text)), read as \(version.rawValue)",
            expected: "one of \(versions)", isError: false)
    }

    private var rootMembers: [String] {
        // `$schema` is for editors.
        let names = ["info", "paths", "security", "tags", "externalDocs", "$schema"]
        switch version {
        case .v2:
            return names + [
                "swagger", "host", "basePath", "schemes", "consumes", "produces", "definitions", "parameters",
                "responses", "securityDefinitions",
            ]
        case .v30: return names + ["openapi", "servers", "components"]
        case .v31: return names + ["openapi", "servers", "components", "webhooks", "jsonSchemaDialect"]
        case .v32: return names + ["openapi", "servers", "components", "webhooks", "jsonSchemaDialect", "$self"]
        }
    }

    /// Reads the whole document.
    mutating func read(_ root: Node, into description: inout APIDescription) {
        checkNames(of: root, rootMembers)
        description.title = text(root["info"]?["title"]) ?? ""
        let schemes = version == .v2 ? root["securityDefinitions"] : root["components"]?["securitySchemes"]
        schemeNames = schemes?.value.objectValue?.keys ?? []
        description.securitySchemes = readSecuritySchemes(schemes)
        description.basePaths = version == .v2 ? oldBasePaths(root) : basePaths(root["servers"])
        var defaults = Defaults()
        defaults.security = root["security"].map { security($0) } ?? []
        if version == .v2 {
            defaults.consumes = root["consumes"].map { texts($0) } ?? []
            defaults.produces = root["produces"].map { texts($0) } ?? []
        }
        if root["paths"] == nil, version == .v2 || version == .v30 || root.value["paths"] != nil {
            report(root.place, "a description without paths", expected: "paths", isError: false)
        }
        description.operations = operations(of: root["paths"], defaults)
        if version != .v2 { description.webhooks = operations(of: root["webhooks"], defaults, arePaths: false) }
        reportRepeatedIDs(description.operations)
        checkComponents(root)
        lookAtWaitingSchemas()
        if version == .v2 { documents.documents[1].json = .array(synthetic) }
        if !bases.isEmpty { documents.heirs = DerivedSchemaSearch(documents, descents).heirs(of: bases) }
        description.documents = documents
        description.findings = findings
    }

    private mutating func reportRepeatedIDs(_ operations: [APIOperation]) {
        var seen: Set<String> = []
        for operation in operations {
            guard let id = operation.id, !seen.insert(id).inserted else { continue }
            report(
                operation.place.appending("operationId"), "another operation has the id \(quoted(id))",
                expected: "each id once", isError: false)
        }
    }

    /// Checks components that no operation uses, too.
    private mutating func checkComponents(_ root: Node) {
        let components = version == .v2 ? root : root["components"]
        guard let components else { return }
        for (_, node) in members(components[version == .v2 ? "definitions" : "schemas"], of: "schemas") {
            _ = schema(node)
        }
        guard version != .v2 else { return }
        checkNames(
            of: components,
            [
                "schemas", "responses", "parameters", "examples", "requestBodies", "headers", "securitySchemes",
                "links",
                "callbacks",
            ] + (version == .v30 ? [] : ["pathItems"]) + (version == .v32 ? ["mediaTypes"] : []))
        for (_, node) in members(components["parameters"], of: "parameters") { share(parameter: node) }
        for (_, node) in members(components["responses"], of: "responses") { share(response: node) }
        for (_, node) in members(components["requestBodies"], of: "bodies") { share(body: node) }
    }
}
