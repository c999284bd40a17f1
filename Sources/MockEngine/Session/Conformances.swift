import HTTPTransport
import Matching

extension Request: MatchableRequest {}
extension CompiledStub: IndexedStub {}
