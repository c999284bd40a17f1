import SDBasics

/// A kept-alive connection to the server that carries one call at a time.
final class ServerConnection: WatchedDescriptor {
    /// How a call ended without an answer.
    enum Failure: Error {
        /// The connection ended before the first byte of the answer; the call may be repeated on a new one.
        case ended
        /// The server reset the connection.
        /// - Parameter isAnswering: whether that happened in the middle of the answer.
        case reset(isAnswering: Bool)
        /// The connection ended in the middle of the answer.
        case truncated
        /// The answer is not HTTP.
        /// - Parameter isHead: whether its head is already invalid.
        case malformed(String, isHead: Bool)
        case timedOut
        case cannotConnect(SocketError)
    }

    private struct Call {
        let end: @Sendable (Result<ServerAnswer, any Error>) -> Void
        let onBody: (@Sendable (ArraySlice<UInt8>) -> Void)?
        var parser = AnswerParser()
        var hasAnswer = false
    }

    private struct State {
        var call: Call?
        var outbox: ArraySlice<UInt8> = []
        var isConnecting = true
        var isUsable = true
        var deadline: ContinuousClock.Instant?
        /// Why the connection failed, for a call that starts afterwards.
        var refusal: (any Error)?
    }

    let descriptor: Int32
    private let state = Lock(State())

    /// Starts to connect.
    /// - Throws: `Failure.cannotConnect`, or `MockServerError` if there is no thread to watch it.
    init(to address: SocketAddress) throws {
        do throws(SocketError) {
            descriptor = try SocketCalls.connect(address)
        } catch {
            throw Failure.cannotConnect(error)
        }
        do {
            try SocketThread.shared.add(self)
        } catch {
            SocketCalls.closeDescriptor(descriptor)
            throw error
        }
    }

    /// Whether another call can use it.
    var isUsable: Bool { state.withLock { $0.isUsable } }

    // MARK: Calls

    /// Sends a request.
    /// - Parameters:
    ///   - deadline: nil waits forever.
    ///   - hasNoBody: whether the answer has no body whatever its head says, as for `HEAD`.
    ///   - onBody: receives the body of a 200 in chunks as it arrives, on the socket thread.
    ///   - end: called once, on the socket thread or before this returns, with the answer; with `Failure` if the
    ///     connection is refused or broken, or the answer is late or malformed.
    func exchange(
        _ request: [UInt8], deadline: ContinuousClock.Instant?, hasNoBody: Bool = false,
        onBody: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil,
        _ end: @escaping @Sendable (Result<ServerAnswer, any Error>) -> Void
    ) {
        var call = Call(end: end, onBody: onBody)
        call.parser.hasNoBody = hasNoBody
        begin(call, request, deadline)
    }

    /// Sends a request and returns its answer.
    /// - Throws: `Failure`; `CancellationError` if the task is cancelled.
    func exchange(
        _ request: [UInt8], deadline: ContinuousClock.Instant?, hasNoBody: Bool = false
    ) async throws -> ServerAnswer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchange(request, deadline: deadline, hasNoBody: hasNoBody) { continuation.resume(with: $0) }
            }
        } onCancel: {
            end(CancellationError())
        }
    }

    /// Ends the current or next call, and the connection.
    func end(_ error: any Error) {
        let call = state.withLock { state -> Call? in
            if state.isUsable, state.call == nil { state.refusal = error }
            state.isUsable = false
            defer { state.call = nil }
            return state.call
        }
        call?.end(.failure(error))
        SocketThread.shared.wake()
    }

    private func begin(_ call: Call, _ request: [UInt8], _ deadline: ContinuousClock.Instant?) {
        let (isBegun, mustWake, refusal) = state.withLock { state -> (Bool, Bool, (any Error)?) in
            guard state.isUsable, state.call == nil else { return (false, false, state.refusal) }
            state.call = call
            state.deadline = deadline
            state.outbox = request[...]
            if !state.isConnecting { flush(&state) }
            return (true, !state.outbox.isEmpty && !state.isConnecting, nil)
        }
        guard isBegun else { return call.end(.failure(refusal ?? Failure.ended)) }
        if mustWake { SocketThread.shared.wake() }
        if let deadline { SocketThread.shared.expect(deadline) }
    }

    /// Sends as much as the socket accepts. The socket thread reports a failure when it reads.
    private func flush(_ state: inout State) {
        while !state.outbox.isEmpty {
            guard case .bytes(let count) = SocketCalls.send(descriptor, state.outbox) else { return }
            state.outbox = state.outbox.dropFirst(count)
        }
    }

    // MARK: On the thread of the sockets

    var wish: WatchInterest {
        state.withLock { state in
            WatchInterest(
                wantsToWrite: state.isConnecting || !state.outbox.isEmpty, deadline: state.deadline,
                isOver: !state.isUsable && state.call == nil)
        }
    }

    func ready(toRead: Bool, toWrite: Bool, _ buffer: inout [UInt8]) -> Bool {
        if toWrite, let error = write() { return finish(.failure(error)) }
        if toRead { return read(&buffer) }
        return isUsable
    }

    func deadlinePassed() -> Bool { finish(.failure(Failure.timedOut)) }

    func closed() {
        _ = finish(.failure(Failure.ended))
    }

    private func write() -> Failure? {
        state.withLock { state in
            if state.isConnecting {
                if let error = SocketCalls.connectError(descriptor) {
                    let failure = Failure.cannotConnect(error)
                    state.refusal = failure
                    return failure
                }
                state.isConnecting = false
            }
            flush(&state)
            return nil
        }
    }

    private func read(_ buffer: inout [UInt8]) -> Bool {
        while true {
            switch SocketCalls.receive(descriptor, into: &buffer) {
            case .later: return isUsable
            case .bytes(let count):
                guard take(buffer[..<count]) else { return false }
                if count < buffer.count { return true }
            case .end: return ended(nil)
            case .failed(let error): return ended(error)
            }
        }
    }

    /// Consumes received bytes. Returns false if the connection must be closed.
    private func take(_ bytes: ArraySlice<UInt8>) -> Bool {
        let onBody = state.withLock { $0.call?.onBody }
        let result = state.withLock { state -> Result<ServerAnswer?, Failure> in
            // Bytes without a pending call.
            guard state.call != nil else { return .failure(.ended) }
            state.call?.hasAnswer = true
            do throws(AnswerParser.Malformed) {
                try state.call?.parser.consume(bytes, onBody: onBody)
            } catch {
                return .failure(.malformed(error.reason, isHead: state.call?.parser.answer == nil))
            }
            guard let parser = state.call?.parser, parser.isDone else { return .success(nil) }
            if !parser.keepsAlive { state.isUsable = false }
            return .success(parser.answer)
        }
        switch result {
        case .success(nil): return true
        case .success(let answer?): return finish(.success(answer))
        case .failure(let error): return finish(.failure(error))
        }
    }

    private func ended(_ error: SocketError?) -> Bool {
        let result = state.withLock { state -> Result<ServerAnswer, any Error> in
            state.isUsable = false
            if state.call?.parser.finish() == true, let answer = state.call?.parser.answer { return .success(answer) }
            let isAnswering = state.call?.hasAnswer == true
            if error != nil { return .failure(Failure.reset(isAnswering: isAnswering)) }
            guard isAnswering else { return .failure(Failure.ended) }
            guard state.call?.parser.answer != nil else {
                return .failure(Failure.malformed("its answer has no head", isHead: true))
            }
            return .failure(Failure.truncated)
        }
        _ = finish(result)
        return false
    }

    /// Ends the call. Returns whether the connection stays open.
    private func finish(_ result: Result<ServerAnswer, any Error>) -> Bool {
        let (call, isUsable) = state.withLock { state -> (Call?, Bool) in
            if case .failure = result { state.isUsable = false }
            defer {
                state.call = nil
                state.deadline = nil
                state.outbox = []
            }
            return (state.call, state.isUsable)
        }
        call?.end(result)
        return isUsable
    }
}
