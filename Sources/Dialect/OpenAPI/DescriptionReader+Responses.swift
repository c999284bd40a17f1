import SDBasics
import SDJSON
import SDStubModel

extension DescriptionReader {
    /// The responses of an operation. A problem of one does not affect the others.
    /// - Parameter types: the media types of version 2.0.
    mutating func responses(_ node: Node?, _ types: [String], at operation: Node) -> [APIResponse] {
        guard let node else {
            if version == .v2 || version == .v30 {
                report(operation.place, "an operation without responses", expected: "responses", isError: false)
            }
            return []
        }
        return members(node, of: "responses", isExtensible: true).compactMap { name, node in
            guard let code = APIResponse.Code(name) else {
                report(
                    node.place, "\(quoted(name)) is no status", expected: "such as 200, 4XX or default",
                    suggestion: nearestName(to: name, among: ["default"]), isAboutName: true, isError: false)
                return nil
            }
            let (response, trouble) = collectingFirstError { $0.response(code, node, types) }
            var answer =
                response
                ?? APIResponse(code: code, description: nil, headers: [], contents: [], place: node.place, problem: nil)
            answer.problem = trouble
            return answer
        }
    }

    private mutating func response(_ code: APIResponse.Code, _ node: Node, _ types: [String]) -> APIResponse? {
        guard let target = followed(node), object(target) != nil else { return nil }
        // In 2.0 the media types are those of the operation, so the response is not shared.
        guard target.place != node.place, version != .v2 else { return readResponse(code, target, types) }
        let part = share(response: target)
        trouble = trouble ?? part.trouble
        var response = part.value
        response?.code = code
        return response
    }

    /// A response that is referred to; read once.
    @discardableResult
    mutating func share(response node: Node) -> SharedParts.Part<APIResponse> {
        if let part = shared.responses[node.place] { return part }
        let part = collectingFirstError { reader in
            reader.followed(node).flatMap { target in
                reader.object(target).map { _ in reader.readResponse(.standard, target, []) }
            }
        }
        shared.responses[node.place] = part
        return part
    }

    private mutating func readResponse(_ code: APIResponse.Code, _ node: Node, _ types: [String]) -> APIResponse {
        if version == .v2 { return readOldResponse(code, node, types) }
        checkNames(of: node, ["description", "headers", "content", "links", "$ref", "summary"])
        var headers: [APIParameter] = []
        for (name, node) in members(node["headers"], of: "headers") where name.lowercased() != "content-type" {
            guard HTTPToken.isToken(name) else {
                report(
                    node.place, "\(quoted(name)) is no name of a header", expected: "letters, digits and -",
                    isAboutName: true, isError: false)
                continue
            }
            guard let target = followed(node), object(target) != nil else { continue }
            checkNames(
                of: target,
                [
                    "description", "required", "deprecated", "style", "explode", "schema", "content", "example",
                    "examples", "$ref", "summary", "allowEmptyValue", "allowReserved",
                ])
            var header = valueDescription(target, named: name, .header)
            header.isRequired = flag(target["required"]) ?? false
            headers.append(header)
        }
        return APIResponse(
            code: code, description: text(node["description"]), headers: headers, contents: contents(node["content"]),
            place: node.place, problem: nil)
    }
}

extension APIResponse.Code {
    /// Parses a key of `responses`: `200`, `4XX` or `default`; nil for others.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        if text == "default" {
            self = .standard
        } else if bytes.count == 3, let first = bytes.first, (0x31...0x35).contains(first),
            text.dropFirst().lowercased() == "xx"
        {
            self = .range(Int(first) - 0x30)
        } else if bytes.count == 3, let status = Int(text), (100...999).contains(status) {
            self = .status(status)
        } else {
            return nil
        }
    }
}
