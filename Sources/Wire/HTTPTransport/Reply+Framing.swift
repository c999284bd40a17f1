package import CReactor

extension Reply {
    /// Frames the answer in another way than HTTP/1.1. On the loop's thread: while the handler is called.
    package borrowing func setFraming(_ framing: UnsafePointer<cr_framing>) {
        cr_stream_set_framing(stream, framing)
    }
}
