public import SDHTTPTransport
import SDIndexing
public import SDMatching

extension Request: MatchableRequest {
    public var methodBit: MethodSet { MethodSet(word: methodWord) }
}
extension Request: TemplateRequest {}
extension CompiledStub: IndexedStub {}
