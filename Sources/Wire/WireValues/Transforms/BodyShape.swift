/// A change of an answer's steps, whatever its body is made of. An answer may consist of several scripts, to which the
/// change is applied in order, so it keeps state.
protocol ScriptTransform: Sendable {
    /// The next script of the answer, changed.
    mutating func apply(to script: WireScript) -> WireScript
}

/// Transforms of a whole answer, applied in the order in which they were added.
///
/// Offsets count bytes of the body, from 0. A transform that cannot apply, such as a cut after the body's end, leaves
/// the answer unchanged.
public struct BodyShape: Sendable {
    private var transforms: [any ScriptTransform] = []

    /// Called when a transform applies, before anything is sent, with the offset in the body; nil for the head or the
    /// end.
    public typealias Applied = @Sendable (_ offset: Int?) -> Void

    /// Leaves the answer unchanged.
    public init() {}

    public var isEmpty: Bool { transforms.isEmpty }

    /// The next script of the answer, transformed.
    public mutating func apply(to script: WireScript) -> WireScript {
        var script = script
        for index in transforms.indices { script = transforms[index].apply(to: script) }
        return script
    }

    private func adding(_ transform: any ScriptTransform) -> BodyShape {
        var shape = self
        shape.transforms.append(transform)
        return shape
    }

    // MARK: Transforms

    /// Ends the answer after `count` bytes of the body; the rest is dropped. After an orderly end, the connection is
    /// closed.
    /// - Precondition: `count` is not negative.
    public func cut(after count: Int, then end: WireScript.CutEnd) -> BodyShape {
        adding(CutTransform(at: .byte(count), then: end, applied: nil))
    }

    /// Cuts the answer at a place, in the middle.
    public func cut(at place: CutPlace, then end: WireStep.Abort, applied: Applied? = nil) -> BodyShape {
        adding(CutTransform(at: place, then: .abort(end), applied: applied))
    }

    /// Sends at most `bytesPerSecond` of the body; 0 counts as 1.
    public func slowed(toBytesPerSecond bytesPerSecond: UInt64) -> BodyShape {
        adding(RateTransform(bytesPerSecond: bytesPerSecond))
    }

    /// States a Content-Length wrong by `difference`, instead of chunks. The connection closes after a body shorter
    /// than stated. Only for an answer in one script.
    public func statingLength(wrongBy difference: Int, applied: Applied? = nil) -> BodyShape {
        adding(LengthTransform(difference: difference, applied: applied))
    }

    /// Sends no trailers.
    public func withoutTrailers(applied: Applied? = nil) -> BodyShape {
        adding(TrailerTransform(applied: applied))
    }

    /// Sends a header field twice.
    /// - Parameter value: the value of the second one; nil repeats the first, if there is one.
    public func repeatingField(_ name: String, value: String?, applied: Applied? = nil) -> BodyShape {
        adding(RepeatedFieldTransform(name: name, value: value, applied: applied))
    }

    /// Sends bytes before the status line.
    public func prefixed(with bytes: WireBytes, applied: Applied? = nil) -> BodyShape {
        adding(PrefixTransform(bytes: bytes, applied: applied))
    }

    /// Changes bytes of the body.
    public func corrupted(_ corruption: Corruption, applied: Applied? = nil) -> BodyShape {
        adding(CorruptTransform(corruption, applied: applied))
    }

    /// Stops before a byte of the body, or before the end of a body of that length.
    /// - Parameter nanoseconds: the time; nil for as long as the client waits.
    public func stalled(after count: Int, nanoseconds: UInt64?, applied: Applied? = nil) -> BodyShape {
        adding(StallTransform(after: count, nanoseconds: nanoseconds, applied: applied))
    }

    /// Sends the body in slices of `size` bytes, with a pause between them. A slice also ends where the body's own
    /// slices do.
    public func sliced(size: Int, gapNanoseconds: UInt64, applied: Applied? = nil) -> BodyShape {
        adding(SliceTransform(size: size, gap: gapNanoseconds, applied: applied))
    }

    /// Waits before each slice of the body.
    /// - Parameter pause: the nanoseconds before a slice, by its number from 0.
    public func paused(_ pause: @escaping @Sendable (Int) -> UInt64) -> BodyShape {
        adding(PauseTransform(pause: pause))
    }

    /// Delays closing the connection after the answer's end.
    public func closedLate(byMilliseconds milliseconds: UInt32, applied: Applied? = nil) -> BodyShape {
        adding(LateCloseTransform(milliseconds: milliseconds, applied: applied))
    }
}
