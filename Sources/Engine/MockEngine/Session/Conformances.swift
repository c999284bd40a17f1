public import HTTPTransport
public import Matching

extension Request: MatchableRequest {}
extension CompiledStub: IndexedStub {}
