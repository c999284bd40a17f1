public import HTTPTransport
import Indexing
public import Matching

extension Request: MatchableRequest {}
extension Request: TemplateRequest {}
extension CompiledStub: IndexedStub {}
