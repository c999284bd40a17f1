public import HTTPTransport
import Indexing
public import Matching

extension Request: MatchableRequest {}
extension CompiledStub: IndexedStub {}
