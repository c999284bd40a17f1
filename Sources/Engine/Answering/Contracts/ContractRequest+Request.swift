package import SDContracts
package import SDHTTPTransport
import SDPlatform

extension ContractRequest {
    /// The largest decompressed size of a request's body, in bytes.
    private static let maxInflated = 64 << 20

    /// A request as a contract sees it.
    /// - Parameter path: the path without the prefix of the contract.
    package init(_ request: Request, path: String) {
        self.init(
            method: String(decoding: request.method, as: UTF8.self), path: path,
            query: request.query.map { String(decoding: $0, as: UTF8.self) },
            headers: request.headers.map {
                (name: String(decoding: $0.name, as: UTF8.self), value: String(decoding: $0.value, as: UTF8.self))
            },
            body: Self.plain(request.body))
    }

    /// A body without its gzip coding.
    package static func plain(_ body: ArraySlice<UInt8>) -> [UInt8] {
        guard GzipReader.isGzip(body) else { return Array(body) }
        var reader = GzipReader(body)
        var plain: [UInt8] = []
        while !reader.isOver, plain.count < maxInflated {
            guard (try? reader.read(into: &plain)) != nil else { return Array(body) }
        }
        return plain
    }
}
