/// What a matcher reads of a request: bytes as they came over the wire, nothing decoded.
///
/// The transport's request conforms. Every member hands out a part of the request's one block and costs no allocation.
public protocol MatchableRequest {
    /// The method's token, case kept.
    var method: ArraySlice<UInt8> { get }
    /// Path and query as sent, without scheme and authority, without fragment; `/a?` reads as `/a`.
    var url: ArraySlice<UInt8> { get }
    /// `url` up to the first `?`.
    var path: ArraySlice<UInt8> { get }
    /// What stands behind the first `?`, nil where there is none.
    var query: ArraySlice<UInt8>? { get }
    /// Calls `body` with each value of the header in order, until it returns false. `name` is lower-case ASCII.
    func forEachHeaderValue(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool)
}
