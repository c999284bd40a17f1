import SDCReactor

extension Reply {
    /// Lets the connection speak another protocol once the answer has come to its end, with what the client has sent
    /// after its request; an answer that ends the connection does that instead. Must be called on the loop's thread,
    /// before the answer.
    /// - Parameter next: a `cr_protocol` that lives as long as the process.
    /// - Returns: whether the connection can change what it speaks; if not, nothing has changed.
    package borrowing func upgrade(to next: OpaquePointer) -> Bool {
        cr_stream_upgrade(stream, next)
    }
}
