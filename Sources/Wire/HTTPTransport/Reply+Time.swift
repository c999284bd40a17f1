import SDCReactor

extension Reply {
    /// Multiplies every delay and pacing interval of the answer by `scale`. Must be called on the loop's thread, during
    /// the call of the handler.
    /// - Precondition: `scale` is finite and not negative.
    public borrowing func scaleTime(by scale: Double) {
        cr_stream_set_time_scale(stream, scale)
    }
}
