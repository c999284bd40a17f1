import SDBasics

/// A value that comes once, and that any number of tasks wait for.
package final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: [@Sendable (Value) -> Void] = []
    }

    private let state = Lock(State())

    package init() {}

    /// Gives the value; a second one is dropped.
    package func fulfil(_ value: Value) {
        let waiting = state.withLock { state -> [@Sendable (Value) -> Void] in
            guard state.value == nil else { return [] }
            state.value = value
            defer { state.waiting = [] }
            return state.waiting
        }
        for body in waiting { body(value) }
    }

    /// The value if it is there.
    package var known: Value? { state.withLock { $0.value } }

    /// The value, once it is there.
    package var value: Value {
        get async {
            await KitThreads.wait {
                await withCheckedContinuation { continuation in self.then { continuation.resume(returning: $0) } }
            }
        }
    }

    /// The value, if it is there within that time.
    package func value(within time: Duration) async -> Value? {
        if let known { return known }
        let first = Promise<Value?>()
        let limit = KitThreads.after(time) { first.fulfil(nil) }
        then { first.fulfil($0) }
        defer { limit.cancel() }
        return await first.value
    }

    /// Calls `body` with the value: at once, or when it comes.
    func then(_ body: @escaping @Sendable (Value) -> Void) {
        let value = state.withLock { state -> Value? in
            if state.value == nil { state.waiting.append(body) }
            return state.value
        }
        if let value { body(value) }
    }
}
