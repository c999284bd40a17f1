import SDBasics
import SDStubModel

/// A multipart body with a part for each of the stub's patterns.
enum ExampleParts {
    private static let boundary = "stuntdouble-example"

    /// - Returns: the body and its media type.
    /// - Throws: the reason why there is none.
    static func body(
        _ patterns: [MultipartPattern], _ values: [String: String]
    ) throws(NoExample) -> (bytes: [UInt8], type: String) {
        var bytes: [UInt8] = []
        for (index, pattern) in patterns.enumerated() {
            let name = pattern.name ?? "part\(index + 1)"
            do throws(NoExample) {
                bytes += try part(pattern, name, values)
            } catch {
                throw NoExample("the part `\(name)` of its body has no example: \(error)")
            }
        }
        bytes += "--\(boundary)--\r\n".utf8
        return (bytes, "multipart/form-data; boundary=\(boundary)")
    }

    private static func part(
        _ pattern: MultipartPattern, _ name: String, _ values: [String: String]
    ) throws(NoExample) -> [UInt8] {
        var fields: [ExampleRequest.Field] = []
        for header in pattern.headers {
            for value in try ExampleValue.list(header.matcher) { fields.append(.init(header.name, value)) }
        }
        let body = try ExampleBody(pattern.bodyPatterns, values)
        if let type = body.type, !fields.contains(where: { $0.name.lowercased() == "content-type" }) {
            fields.append(.init("Content-Type", type))
        }
        // Several conditions on `Content-Disposition` apply to one field.
        let isDisposition = { (field: ExampleRequest.Field) in field.name.lowercased() == "content-disposition" }
        let disposition = disposition(of: pattern, name, fields.filter(isDisposition).map(\.value))
        fields.removeAll(where: isDisposition)
        let head = (["Content-Disposition: \(disposition)"] + fields.map { "\($0.name): \($0.value)" })
            .map { $0 + "\r\n" }.joined()
        return Array("--\(boundary)\r\n\(head)\r\n".utf8) + body.bytes + Array("\r\n".utf8)
    }

    private static func disposition(of pattern: MultipartPattern, _ name: String, _ given: [String]) -> String {
        var parameters = given.joined(separator: "; ")
        if !parameters.hasPrefix("name="), !parameters.contains(text: " name="), !parameters.contains(text: ";name=") {
            parameters += (parameters.isEmpty ? "" : "; ") + "name=\"\(name)\""
        }
        if let file = pattern.fileName, !parameters.contains(text: "filename=") {
            parameters += "; filename=\"\(file)\""
        }
        return parameters.hasPrefix("form-data") ? parameters : "form-data; " + parameters
    }
}
