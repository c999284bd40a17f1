import SDHTTPMessages
import SDJSON
public import SDStubModel
import SDTemplating

/// Findings about a single message stub.
public enum MessageLint {
    /// The findings about a stub's definition.
    /// - Parameters:
    ///   - areTemplates: whether its texts are templates.
    ///   - fileProblem: why a body file cannot be sent; nil if it can.
    public static func findings(
        in stub: MessageStub, areTemplates: Bool, fileProblem: (String) -> String?
    ) -> [LintFinding] {
        let scripts =
            stub.sequence.isEmpty
            ? [(["actions"], stub.actions)]
            : stub.sequence.enumerated().map { (["sequence", String($0.offset)], $0.element) }
        return scripts.flatMap { place, actions in
            actions.enumerated().flatMap { index, action -> [LintFinding] in
                let path = place + [String(index), "message", "body"]
                var lint = TemplateLint(TemplateScope(.message), at: path)
                switch action.message?.body?.content {
                case .text(let text) where areTemplates: lint.look(at: text)
                case .json(let json) where areTemplates: lint.look(at: json, "data")
                case .file(let name):
                    guard let reason = fileProblem(name) else { return [] }
                    let message = "the body file cannot be sent: \(reason)"
                    return [
                        LintFinding(
                            code: .missingBodyFile, pointer: JSONPointer(path + ["filePath"]), message: message)
                    ]
                case .text, .json, .bytes, .stored, nil: break
                }
                return lint.findings
            }
        }
    }
}
