package import CReactor

extension Reply {
    /// Replaces HTTP/1.1's framing of the answer. Must be called on the loop's thread, during the call of the handler.
    package borrowing func setFraming(_ framing: UnsafePointer<cr_framing>) {
        cr_stream_set_framing(stream, framing)
    }
}
