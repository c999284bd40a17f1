import SDCReactor
import SDPlatform

/// A request whose body is so large that copying and freeing it would hold the loop for milliseconds. It takes over the
/// loop's body, and is made a `Request` on another thread.
final class LargeRequest: @unchecked Sendable {
    // Not changed after `init`; what it points to belongs to this object.
    private let raw: cr_request
    private let clientCertificate: ClientCertificate?
    private let head, fields, peer, body: UnsafeMutableRawPointer
    private let uploads: MemoryAccount
    /// Counts the body, however many others are made before it.
    private let charge: MemoryCharge

    /// The size of a body in bytes from which a request is large: copying so much takes about two milliseconds.
    private static let least = 4 << 20

    private static let queue = WorkQueue(name: "large requests")

    /// Takes over the body of the request that a stream asks. Called for each request: nothing is allocated for one
    /// that is not large.
    /// - Parameter uploads: counts the body and the request.
    /// - Returns: nil for a request that is not large.
    @inline(__always)
    static func take(
        _ request: UnsafePointer<cr_request>, of stream: OpaquePointer, _ uploads: borrowing MemoryAccount
    ) -> LargeRequest? {
        guard request.pointee.body_length >= least, let body = cr_stream_take_body(stream, request) else { return nil }
        return LargeRequest(request, body, uploads)
    }

    private init(
        _ request: UnsafePointer<cr_request>, _ body: UnsafeMutableRawPointer, _ uploads: borrowing MemoryAccount
    ) {
        self.uploads = copy uploads
        charge = MemoryCharge(request.pointee.body_length, to: copy uploads)
        var raw = request.pointee
        // The connection may be gone when the request is made.
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

    /// Makes the request, which `body` gets, on another thread.
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
