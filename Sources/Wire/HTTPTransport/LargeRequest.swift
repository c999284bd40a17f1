import SDCReactor
import SDPlatform

/// A request whose body is so large that copying and freeing it would block the loop for milliseconds. It takes over
/// the loop's body, and becomes a `Request` on another thread.
final class LargeRequest: @unchecked Sendable {
    // Immutable after `init`; owns the memory that it points to.
    private let raw: cr_request
    private let clientCertificate: ClientCertificate?
    private let head, fields, peer, body: UnsafeMutableRawPointer
    private let uploads: MemoryAccount
    /// Charges the body to the memory ledger while the request waits to be made.
    private let charge: MemoryCharge

    /// The size in bytes from which a body is large: copying 4 MiB takes about two milliseconds.
    private static let threshold = 4 << 20

    private static let queue = WorkQueue(name: "large requests")

    /// Takes over the body of the stream's request. Called for each request: nothing is allocated for one that is not
    /// large.
    /// - Parameter uploads: the ledger to which the body and the request are charged.
    /// - Returns: nil for a request that is not large.
    @inline(__always)
    static func take(
        _ request: UnsafePointer<cr_request>, of stream: OpaquePointer, _ uploads: borrowing MemoryAccount
    ) -> LargeRequest? {
        guard request.pointee.body_length >= threshold else { return nil }
        guard let body = cr_stream_extract_body(stream, request) else { return nil }
        return LargeRequest(request, body, uploads)
    }

    private init(
        _ request: UnsafePointer<cr_request>, _ body: UnsafeMutableRawPointer, _ uploads: borrowing MemoryAccount
    ) {
        self.uploads = copy uploads
        charge = MemoryCharge(request.pointee.body_length, to: copy uploads)
        var raw = request.pointee
        // Read now: the connection may be closed by the time the request is made.
        clientCertificate = raw.client.flatMap(ClientCertificate.of)
        raw.client = nil
        let fieldBytes = (raw.field_count + raw.trailer_count) * MemoryLayout<cr_field>.stride
        self.body = body
        head = Self.copy(raw.head, raw.head_length)
        fields = Self.copy(raw.fields, fieldBytes)
        peer = Self.copy(raw.peer, raw.peer_length)
        raw.head = UnsafePointer(head.assumingMemoryBound(to: UInt8.self))
        raw.fields = UnsafePointer(fields.assumingMemoryBound(to: cr_field.self))
        raw.peer = UnsafePointer(peer.assumingMemoryBound(to: CChar.self))
        raw.body = UnsafePointer(body.assumingMemoryBound(to: UInt8.self))
        self.raw = raw
    }

    private static func copy(_ bytes: UnsafeRawPointer?, _ count: Int) -> UnsafeMutableRawPointer {
        let place = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 8)
        if let bytes, count > 0 { place.copyMemory(from: bytes, byteCount: count) }
        return place
    }

    /// Makes the request on another thread, and passes it to `body` there.
    func make(then body: @escaping @Sendable (Request) -> Void) {
        Self.queue.add { [self] in
            body(withUnsafePointer(to: raw) { Request($0, uploads, clientCertificate) })
        }
    }

    deinit {
        head.deallocate()
        fields.deallocate()
        peer.deallocate()
        cr_body_free(body)
    }
}
