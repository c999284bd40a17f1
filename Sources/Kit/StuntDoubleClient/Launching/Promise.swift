import SDBasics

/// A value that is set once, and that any number of tasks can wait for.
package final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: [@Sendable (Value) -> Void] = []
    }

    private let state = Lock(State())

    package init() {}

    /// Sets the value; later calls are ignored.
    package func fulfil(_ value: Value) {
        let waiting = state.withLock { state -> [@Sendable (Value) -> Void] in
            guard state.value == nil else { return [] }
            state.value = value
            defer { state.waiting = [] }
            return state.waiting
        }
        for body in waiting { body(value) }
    }

    /// The value if it is set.
    package var known: Value? { state.withLock { $0.value } }

    /// Waits for the value.
    package var value: Value {
        get async {
            await KitThreads.wait {
                await withCheckedContinuation { continuation in self.then { continuation.resume(returning: $0) } }
            }
        }
    }

    /// Waits for the value; nil after that time.
    package func value(within time: Duration) async -> Value? {
        if let known { return known }
        let first = Promise<Value?>()
        let limit = KitThreads.after(time) { first.fulfil(nil) }
        then { first.fulfil($0) }
        defer { limit.cancel() }
        return await first.value
    }

    /// Calls `body` with the value, immediately or once it is set.
    func then(_ body: @escaping @Sendable (Value) -> Void) {
        let value = state.withLock { state -> Value? in
            if state.value == nil { state.waiting.append(body) }
            return state.value
        }
        if let value { body(value) }
    }
}
