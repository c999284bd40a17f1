/// A change of the steps of an answer, whatever its body is made of. An answer may come in several scripts, to each of
/// which the change is applied in turn, so it remembers what has passed.
protocol ScriptTransform: Sendable {
    /// The next script of the answer, changed.
    mutating func apply(to script: WireScript) -> WireScript
}

/// Transforms of a whole answer, applied in the order in which they were added.
///
/// Offsets count bytes of the body, from 0. Where a transform cannot apply, such as a cut behind the body's end, the
/// answer stays as it is.
public struct BodyShape: Sendable {
    private var transforms: [any ScriptTransform] = []

    /// Called when a transform applies, before anything is sent, with the offset in the body; nil for the head or the
    /// end.
    public typealias Applied = @Sendable (_ offset: Int?) -> Void

    /// Leaves the answer as it is.
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

    /// Ends the answer as soon as `count` bytes of the body are sent; later pieces are dropped. If it ends in order,
    /// the connection is closed.
    /// - Precondition: `count` is not negative.
    public func cut(after count: Int, then end: WireScript.CutEnd) -> BodyShape {
        adding(CutTransform(at: .byte(count), then: end, applied: nil))
    }

    /// Ends the answer at a place, in the middle of it.
    public func cut(at place: CutPlace, then end: WireStep.Abort, applied: Applied? = nil) -> BodyShape {
        adding(CutTransform(at: place, then: .abort(end), applied: applied))
    }

    /// Sends no more than `bytesPerSecond` of the body; 0 counts as 1.
    public func slowed(toBytesPerSecond bytesPerSecond: UInt64) -> BodyShape {
        adding(RateTransform(bytesPerSecond: bytesPerSecond))
    }

    /// States a Content-Length that is wrong by `difference`, instead of chunks. The connection closes after a body
    /// that is shorter than stated. Only for an answer that comes as one script.
    public func statingLength(wrongBy difference: Int, applied: Applied? = nil) -> BodyShape {
        adding(LengthTransform(difference: difference, applied: applied))
    }

    /// Sends no trailers.
    public func withoutTrailers(applied: Applied? = nil) -> BodyShape {
        adding(TrailerTransform(applied: applied))
    }

    /// Sends a header field twice.
    /// - Parameter value: the value of the second one; nil repeats that of the first, if there is a first.
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

    /// Sends the body in pieces of `size` bytes, with a pause between them. A piece ends where the body's own pieces
    /// do.
    public func sliced(size: Int, gapNanoseconds: UInt64, applied: Applied? = nil) -> BodyShape {
        adding(SliceTransform(size: size, gap: gapNanoseconds, applied: applied))
    }

    /// Waits before each piece of the body.
    /// - Parameter pause: the nanoseconds before a piece, by its number from 0.
    public func paused(_ pause: @escaping @Sendable (Int) -> UInt64) -> BodyShape {
        adding(PauseTransform(pause: pause))
    }

    /// Closes the connection that long after the answer's end.
    public func closedLate(byMilliseconds milliseconds: UInt32, applied: Applied? = nil) -> BodyShape {
        adding(LateCloseTransform(milliseconds: milliseconds, applied: applied))
    }
}
