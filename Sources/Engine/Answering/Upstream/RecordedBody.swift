import SDHTTPTransport

/// A request's body on its way to another server, of which a record is made.
final class RecordedBody: BodyStream {
    private let body: any BodyStream
    private let record: any ExchangeRecord

    init(_ body: any BodyStream, _ record: any ExchangeRecord) {
        self.body = body
        self.record = record
    }

    var count: Int? { body.count }

    func begin(
        onBytes: @escaping @Sendable ([UInt8]) -> Void,
        onEnd: @escaping @Sendable (_ trailers: [(name: String, value: String)]?) -> Void
    ) {
        body.begin(
            onBytes: { [record] bytes in
                record.sent(bytes)
                onBytes(bytes)
            }, onEnd: onEnd)
    }

    func read(_ reads: Bool) { body.read(reads) }
}
