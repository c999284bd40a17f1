package import SDHTTPMessages
public import SDHTTPTransport
import SDIndexing
package import SDMatching

/// A request that templates can be rendered for: a received one, or one that a caller describes.
package protocol TemplateRequest: MatchableRequest, PageRequest {
    /// All header fields, in order.
    var headers: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] { get }
}

extension Request: TemplateRequest {}
