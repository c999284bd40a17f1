public import SDHTTPTransport
import SDIndexing
public import SDMatching

extension Request: MatchableRequest {}
extension Request: TemplateRequest {}
extension CompiledStub: IndexedStub {}
