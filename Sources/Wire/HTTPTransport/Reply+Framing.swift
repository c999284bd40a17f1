package import SDCReactor

extension Reply {
    /// Replaces HTTP/1.1's framing of the answer. Must be called on the loop's thread, during the call of the handler.
    package borrowing func setFraming(_ framing: UnsafePointer<cr_framing>) {
        cr_stream_set_framing(stream, framing)
    }

    /// Makes every wait of the answer last `scale` times as long, and paced bytes likewise. Must be called on the
    /// loop's thread, during the call of the handler.
    /// - Precondition: `scale` is finite and not negative.
    public borrowing func scaleTime(by scale: Double) {
        cr_stream_set_time_scale(stream, scale)
    }
}
