import SDHTTPMessages
package import SDJournal
import SDMatching
import SDPlatform
import SDRecords
import SDRequestTemplates
import SDStubModel

/// Responses that are looked at and not sent: nothing is recorded, told or changed.
extension CompiledStub {
    /// The response to a request as it would be rendered. Nil if another server, a collection, a stream or a fault makes it,
    /// if chance decides, and if rendering it fails or would change something, as counting does.
    package func preview(_ request: some TemplateRequest, in session: any AnsweringSession) -> ServedResponse? {
        let budget = session.newBudget
        let views = RequestViews(request, budget: budget)
        guard let responses = lifecycle?.responses else {
            return response.preview(request, views, pattern, in: session, budget)
        }
        return responses.shown(lifecycle?.use)?.response.preview(request, views, pattern, in: session, budget)
    }
}

extension CompiledResponse {
    /// The most bytes of a body that is shown.
    private static let mostShown = 1 << 20

    fileprivate func preview(
        _ request: some TemplateRequest, _ views: RequestViews, _ pattern: CompiledPattern,
        in session: any AnsweringSession, _ budget: WorkBudget
    ) -> ServedResponse? {
        if fault != nil || definition.fault != nil { return nil }
        guard let responder else {
            guard let filePath else { return served }
            guard let file = try? session.files.read(filePath) else { return nil }
            return served(definition, [file.content], bodyLimit: Self.mostShown)
        }
        guard let templated = responder as? TemplatedResponse,
            let (definition, body) = templated.preview(request, views, pattern, session, budget)
        else { return nil }
        return served(definition, body: body, bodyLimit: Self.mostShown)
    }
}
