import SDBasics
public import SDHTTPMessages
public import SDJSON
public import SDStubModel

/// Finds body files that cannot be served.
public struct BodyFileLint {
    let files: any BodyFileSource
    /// The names of all files under `__files`.
    let names: [String]
    /// The problems of the names checked so far; nil for a name without problems.
    private var known: [String: String?] = [:]

    init(files: any BodyFileSource, names: [String]) {
        self.files = files
        self.names = names
    }

    mutating func findings(in stub: any LintedStub) -> [StubFinding] {
        Self.names(in: stub.mapping).compactMap { pointer, name in
            reason(name).map { reason in
                StubFinding(
                    .missingBodyFile, of: stub.reference, at: pointer, Self.message(reason, pointer),
                    suggestion: nearest(to: name))
            }
        }
    }

    /// The problems of a stub that are found without reading its body files.
    public static func startFindings(
        in mapping: StubMapping, files: any BodyFileSource
    ) -> [(name: String, warning: ModelProblem)] {
        names(in: mapping).compactMap { pointer, name in
            files.problem(of: name).map { (name, ModelProblem(pointer: pointer, message: message($0.reason, pointer))) }
        }
    }

    private static func message(_ reason: String, _ pointer: JSONPointer) -> String {
        let kind = pointer.tokens.first == "resource" ? pointer.tokens.last ?? "" : "body"
        return "the \(kind) file cannot be served: \(reason)"
    }

    /// The body files of a stub's responses and matchers, with their pointers in its mapping. Excluded are faults,
    /// which have no body, names with template expressions, and stubs that may fall through.
    public static func names(in mapping: StubMapping) -> [(pointer: JSONPointer, name: String)] {
        let matched = mapping.request.bodyPatterns.enumerated().compactMap { index, matcher in
            matcher.fileName.map {
                (JSONPointer(["request", "bodyPatterns", String(index), "binaryEqualTo", "file"]), $0)
            }
        }
        return matched + sentNames(in: mapping)
    }

    private static func sentNames(in mapping: StubMapping) -> [(pointer: JSONPointer, name: String)] {
        if let resource = mapping.resource {
            // The stub of the whole collection reports for the others.
            switch mapping.request.url {
            case .urlPathTemplate(let path) where path != resource.path: return []
            case .urlPath(let path) where path == resource.path + "/": return []
            default: break
            }
            return [("data", resource.data), ("schema", resource.schema)].compactMap { field, source in
                source?.fileName.map { (JSONPointer(["resource", field]), $0) }
            }
        }
        guard let responses = mapping.responses else {
            return name(in: mapping.response).map { [(JSONPointer(["response", "bodyFileName"]), $0)] } ?? []
        }
        return responses.entries.enumerated().compactMap { index, entry in
            name(in: entry.response).map { (JSONPointer(["responses", String(index), "bodyFileName"]), $0) }
        }
    }

    static func name(in response: ResponseDefinition) -> String? {
        guard let name = response.bodyFileName, response.fault == nil, response.body == nil, response.jsonBody == nil,
            response.base64Body == nil, response.fallThrough != true, !name.contains(text: "{{")
        else { return nil }
        return name
    }

    private mutating func reason(_ name: String) -> String? {
        if let known = known[name] { return known }
        var reason: String?
        do throws(BodyFileError) {
            _ = try files.read(name)
        } catch {
            reason = error.reason
        }
        known[name] = .some(reason)
        return reason
    }

    /// The path of a file of the same name in another folder, or else the most similar name.
    private func nearest(to name: String) -> String? {
        let last = Self.lastName(of: name)
        if let elsewhere = names.first(where: { Self.lastName(of: $0) == last }) { return elsewhere }
        if let whole = nearestName(to: name, among: names) { return whole }
        let nearest = nearestName(to: String(last), among: names.lazy.map { String(Self.lastName(of: $0)) })
        return names.first { Self.lastName(of: $0) == nearest ?? "" }
    }

    private static func lastName(of path: String) -> Substring {
        path.split(separator: "/").last ?? ""
    }
}
