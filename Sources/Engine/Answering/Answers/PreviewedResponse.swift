import SDHTTPMessages
package import SDJournal
import SDMatching
import SDPlatform
import SDRecords
import SDRequestTemplates
import SDStubModel

/// Previews of responses: nothing is recorded, reported or changed.
extension CompiledStub {
    /// The rendered response to a request. Nil if another server, a collection, a stream or a fault makes it, if it is
    /// random, and if rendering fails or would change something, as counting does.
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
    /// The largest size of a previewed body in bytes.
    private static let maxShown = 1 << 20

    fileprivate func preview(
        _ request: some TemplateRequest, _ views: RequestViews, _ pattern: CompiledPattern,
        in session: any AnsweringSession, _ budget: WorkBudget
    ) -> ServedResponse? {
        if fault != nil || definition.fault != nil { return nil }
        guard let responder else {
            guard let filePath else { return served }
            guard let file = try? session.files.read(filePath) else { return nil }
            return served(definition, [file.content], bodyLimit: Self.maxShown)
        }
        guard let templated = responder as? TemplatedResponse,
            let (definition, body) = templated.preview(request, views, pattern, session, budget)
        else { return nil }
        return served(definition, body: body, bodyLimit: Self.maxShown)
    }
}
