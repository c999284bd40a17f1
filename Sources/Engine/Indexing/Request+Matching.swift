public import SDHTTPTransport
public import SDMatching

extension Request: MatchableRequest {
    public var methodBit: MethodSet { MethodSet(word: methodWord) }
}
