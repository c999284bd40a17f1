import SDBasics
import SDHTTPMessages
import SDJSON
import SDStubModel
import SDTemplating

/// Findings about the content of body files that are templates.
enum BodyFileTemplates {
    /// The largest file that is read, in bytes.
    private static let largest = 1 << 20

    /// - Parameter areTemplates: whether responses are templates by default.
    static func findings(
        in stub: any LintedStub, areTemplates: Bool, files: any BodyFileSource
    ) -> [StubFinding] {
        let mapping = stub.mapping
        guard mapping.resource == nil else { return [] }
        return ResponseLint.responses(of: mapping).flatMap { response, path -> [StubFinding] in
            guard let name = BodyFileLint.name(in: response),
                response.template ?? (areTemplates || ResponseLint.isTemplate(response)),
                response.transformerParameters?["disableBodyFileTemplating"]?.boolValue != true,
                let content = try? files.read(name).content, content.count <= largest,
                let text = String(validating: content.prefix(content.count), as: UTF8.self)
            else { return [] }
            var scope = TemplateScope(.response, of: mapping)
            scope.parameters = response.transformerParameters?.keys ?? []
            var lint = TemplateLint(scope, at: path)
            lint.look(at: text, "bodyFileName")
            let isScript = response.isScript || name.hasSuffix(".js") || name.hasSuffix(".html")
            return lint.findings.filter { !(isScript && $0.code == .otherTemplateSyntax) }.map {
                StubFinding(
                    $0.code, of: stub.reference, at: $0.pointer, "in \(name): \($0.message)", expected: $0.expected,
                    suggestion: $0.suggestion)
            }
        }
    }
}
