import SDCReactor

extension Reply {
    /// Switches the connection to another protocol after the answer, starting with the bytes already received after the
    /// request. An answer that closes the connection takes precedence. Must be called on the loop's thread, before the
    /// answer.
    /// - Parameter next: a `cr_protocol` that lives as long as the process.
    /// - Returns: whether the connection can switch; if not, nothing has changed.
    package borrowing func upgrade(to next: OpaquePointer) -> Bool {
        cr_stream_upgrade(stream, next)
    }
}
