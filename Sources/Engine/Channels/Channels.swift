package import SDJSON
package import SDJournal
import SDMatching
package import SDPlatform
package import SDStubModel
import SDWebSocket
package import Synchronization

/// The channels, message stubs and messages of a session, under a lock of their own. Nothing is matched, rendered or
/// sent under it.
package final class Channels: Sendable {
    package let options: ChannelOptions
    /// The ids of the session's messages.
    package let ids = EventIDs()
    /// The channels of the session whose stubs are inherited.
    let parent: Channels?
    /// Notified of channels and messages.
    let activity: SessionActivity
    private let limits: Limits
    private let account: MemoryAccount
    let state = Mutex(State())
    /// Whether a message stub acts, or has ever acted, on HTTP requests.
    package let hasRequestStubs = Atomic(false)
    /// Whether the session has, or ever had, message faults.
    package let hasFaults = Atomic(false)

    /// The limits of stored messages.
    package struct Limits: Sendable {
        package var events: Int
        package var bytes: Int
        package var isKept: Bool

        package init(events: Int, bytes: Int, isKept: Bool) {
            self.events = events
            self.bytes = bytes
            self.isKept = isKept
        }
    }

    struct State: Sendable {
        var open: [StubMapping.ID: Channel] = [:]
        /// The number of channels ever opened.
        var channelCount: UInt64 = 0
        var providers: [ChannelProvider] = []
        /// The stubs in order of precedence.
        var stubs: [CompiledMessageStub] = [] { didSet { stubChanges += 1 } }
        var stubChanges: UInt64 = 0
        /// The ids of inherited stubs that were removed.
        var hidden: Set<StubMapping.ID> = []
        /// Own and inherited stubs, as of a number of changes of both.
        var merged: (stubs: [CompiledMessageStub], changes: (own: UInt64, inherited: UInt64))?
        /// The number of stubs ever added.
        var stubCount: UInt64 = 0
        /// The stubs of files, by file name.
        var ofFiles: [String: [CompiledMessageStub]] = [:]
        /// The stored messages, oldest first.
        var events = MessageLog()
        var eventBytes = 0
        /// The number of messages ever recorded.
        var eventCount: UInt64 = 0
        /// The number of received messages that no stub answered.
        var unmatchedCount: UInt64 = 0
        var waits: [MessageWait] = []
        /// How often stubs with a sequence per session have acted.
        var turns: [StubMapping.ID: Int] = [:]
        /// Whether the session has ended.
        var isOver = false
    }

    package init(
        _ options: ChannelOptions, _ limits: Limits, inheriting parent: Channels?, _ activity: SessionActivity,
        _ memory: MemoryLedger
    ) {
        self.options = options
        self.activity = activity
        self.limits = limits
        self.parent = parent
        account = memory.account(.messages)
    }

    // MARK: Stubs

    /// The stubs in order of precedence: own and inherited.
    package var stubs: [CompiledMessageStub] { counted.stubs }

    /// The stubs, and a number that grows with each change of them.
    private var counted: (stubs: [CompiledMessageStub], changes: UInt64) {
        guard let inherited = parent?.counted else { return state.withLock { ($0.stubs, $0.stubChanges) } }
        return state.withLock { state in
            let known = (own: state.stubChanges, inherited: inherited.changes)
            if let merged = state.merged, merged.changes == known { return (merged.stubs, known.own + known.inherited) }
            let hidden = state.hidden
            let stubs = Self.merge(
                state.stubs, hidden.isEmpty ? inherited.stubs : inherited.stubs.filter { !hidden.contains($0.stub.id) })
            state.merged = (stubs, known)
            return (stubs, known.own + known.inherited)
        }
    }

    private static func merge(
        _ own: [CompiledMessageStub], _ others: [CompiledMessageStub]
    ) -> [CompiledMessageStub] {
        let ids = Set(own.map(\.stub.id))
        var rest = others.filter { !ids.contains($0.stub.id) }[...]
        guard !own.isEmpty, !rest.isEmpty else { return own + rest }
        var merged: [CompiledMessageStub] = []
        for stub in own {
            while let other = rest.first, other.priority < stub.priority { merged.append(rest.removeFirst()) }
            merged.append(stub)
        }
        return merged + rest
    }

    package func stub(_ id: StubMapping.ID) -> CompiledMessageStub? { stubs.first { $0.stub.id == id } }

    /// Adds a stub, or replaces the stub with its id, whose age it may keep.
    package func put(_ stub: CompiledMessageStub, keepsAge: Bool) {
        if stub.isForRequests { hasRequestStubs.store(true, ordering: .relaxed) }
        state.withLock { state in
            let old = state.stubs.firstIndex { $0.stub.id == stub.stub.id }
            let age = keepsAge ? old.map { state.stubs[$0].age } : nil
            if let old { state.stubs.remove(at: old) }
            state.stubCount += 1
            let aged = stub.aged(age ?? state.stubCount)
            state.stubs.insert(aged, at: state.stubs.firstIndex { aged.precedes($0) } ?? state.stubs.count)
        }
    }

    /// Resets the stubs to those of files.
    package func resetStubs() {
        state.withLock { state in
            state.hidden = []
            state.stubs = []
            for name in state.ofFiles.keys.sorted() { add(state.ofFiles[name] ?? [], &state) }
        }
    }

    /// The files with message stubs.
    package var files: [String] { state.withLock { Array($0.ofFiles.keys) } }

    /// Replaces the stubs of a file; nil if the file was removed. A stub that the admin API has changed stays.
    package func setFile(_ name: String, _ stubs: [CompiledMessageStub]?) {
        if stubs?.contains(where: \.isForRequests) == true { hasRequestStubs.store(true, ordering: .relaxed) }
        state.withLock { state in
            guard stubs != nil || state.ofFiles[name] != nil else { return }
            state.ofFiles[name] = stubs
            state.stubs.removeAll { $0.file == name }
            let others = Set(state.stubs.map(\.stub.id))
            add((stubs ?? []).filter { !others.contains($0.stub.id) }, &state)
        }
    }

    private func add(_ stubs: [CompiledMessageStub], _ state: inout State) {
        for stub in stubs {
            state.stubCount += 1
            state.stubs.append(stub.aged(state.stubCount))
        }
        state.stubs.sort { $0.precedes($1) }
    }

    /// Removes the matching stubs; inherited ones for this session alone.
    package func removeStubs(_ isMeant: (CompiledMessageStub) -> Bool) {
        let doomed = stubs.filter(isMeant)
        guard !doomed.isEmpty else { return }
        let ids = Set(doomed.map(\.stub.id))
        state.withLock { state in
            if parent != nil { state.hidden.formUnion(ids) }
            state.stubs.removeAll { ids.contains($0.stub.id) }
        }
    }

    // MARK: Channels

    /// The open channels, oldest first.
    package var all: [Channel] {
        state.withLock { Array($0.open.values) }.sorted { $0.number < $1.number }
    }

    package func channel(_ id: StubMapping.ID) -> Channel? { state.withLock { $0.open[id] } }

    /// Whether listing its channels, stubs or messages is slow.
    package var isLarge: Bool {
        state.withLock { state in
            state.open.count > 500 || state.stubs.count > 500 || state.events.count > 500
                || state.eventBytes > 512 << 10
        }
    }

    /// Whether a client has a channel open.
    package var isUsed: Bool { state.withLock { state in state.open.values.contains { $0.isWebSocket } } }

    private func add(_ kind: Channel.Kind, since: UInt64, isProxied: Bool) -> Channel? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            let channel = Channel(kind, number: state.channelCount, since: since, isProxied: isProxied)
            state.channelCount += 1
            state.open[channel.id] = channel
            return channel
        }
    }

    /// Removes a channel from the list, because a close frame was received or is to be sent. Messages received before
    /// are still answered, as far as other channels get the answers.
    func unlist(_ channel: Channel) {
        channel.isClosing()
        _ = state.withLock { $0.open.removeValue(forKey: channel.id) }
    }

    func remove(_ channel: Channel, _ end: @autoclosure () -> ChannelNote.End? = nil) {
        guard channel.ended() else { return }
        _ = state.withLock { $0.open.removeValue(forKey: channel.id) }
        activity.note(.channel(ChannelNote(closed: channel.noted, end())))
    }

    /// Adds an opened channel, and notifies event readers.
    /// - Returns: nil if the session has ended.
    func opened(_ kind: Channel.Kind, since: UInt64, isProxied: Bool = false) -> Channel? {
        guard let channel = add(kind, since: since, isProxied: isProxied) else { return nil }
        activity.note(.channel(ChannelNote(opened: channel.noted)))
        return channel
    }

    /// Closes all channels, with a code and a reason for clients.
    package func close(_ code: Int, _ reason: String) {
        for channel in all { close(channel, code, reason) }
    }

    package func close(_ channel: Channel, _ code: Int, _ reason: String) {
        if channel.isWebSocket { channel.close(code, reason) } else { remove(channel) }
    }

    /// Resets: stubs to those of files, messages and channels to none.
    package func reset() {
        close(1012, "the session was reset")
        resetStubs()
        state.withLock { state in
            state.providers = []
            state.turns = [:]
        }
        clear()
    }

    /// Closes all channels and ends all waits, with the session.
    package func end() {
        let waits = state.withLock { state in
            state.isOver = true
            return state.waits
        }
        close(1001, "the session has ended")
        clear()
        for wait in waits { wait.finish() }
    }

    // MARK: Fixed channels

    package var providers: [ChannelProvider] { state.withLock { $0.providers } }

    package func provider(_ name: String) -> ChannelProvider? { providers.first { $0.name == name } }

    /// Adds a provider, replacing the one with its name.
    @discardableResult
    package func addProvider(_ name: String, driver: String, settings: JSONObject) -> ChannelProvider {
        let provider = ChannelProvider(name, driver: driver, settings: settings)
        state.withLock { state in
            if let place = state.providers.firstIndex(where: { $0.name == name }) {
                state.providers[place] = provider
            } else {
                state.providers.append(provider)
            }
        }
        return provider
    }

    /// Removes a provider, and its channels.
    package func removeProvider(_ name: String) {
        state.withLock { $0.providers.removeAll { $0.name == name } }
        for channel in all {
            if case .fixed(let provider, _) = channel.kind, provider.name == name { remove(channel) }
        }
    }

    package func fixed(_ provider: String, _ name: String) -> Channel? {
        all.first { channel in
            if case .fixed(let own, name) = channel.kind { own.name == provider } else { false }
        }
    }

    package func addFixed(_ provider: ChannelProvider, _ name: String) -> Channel? {
        opened(.fixed(provider, name: name), since: UInt64(SystemCalls.wallClockMilliseconds()) * 1_000_000)
    }

    // MARK: Messages

    package var keepsJournal: Bool { limits.isKept }

    /// The stored messages, oldest first.
    package var events: [MessageEvent] { Array(state.withLock { $0.events }) }

    package func event(_ id: StubMapping.ID) -> MessageEvent? {
        guard let number = ids.sequence(id) else { return nil }
        return state.withLock { state in
            var (low, high) = (0, state.events.count)
            while low < high {
                let middle = (low + high) / 2
                if state.events[middle].number < number { low = middle + 1 } else { high = middle }
            }
            return low < state.events.count && state.events[low].number == number ? state.events[low] : nil
        }
    }

    /// Returns the number of the next message.
    func nextNumber() -> UInt64 {
        state.withLock { state in
            state.eventCount += 1
            return state.eventCount
        }
    }

    /// Adds a message to the journal, and notifies waiting calls.
    /// - Returns: its number.
    @discardableResult
    func record(
        _ direction: MessageEvent.Direction, _ message: WebSocketMessage, on channel: Channel,
        stub: CompiledMessageStub? = nil, failure: String? = nil, in session: any ChannelSession
    ) -> UInt64 {
        let (event, waits) = state.withLock { state -> (MessageEvent, [MessageWait]) in
            let event = keep(direction, message, on: channel, stub: stub, failure: failure, &state)
            return (event, state.waits)
        }
        activity.note(.message(event.note(ids)))
        if !waits.isEmpty {
            session.heavyWork.add { for wait in waits { wait.take(event, session.journaling.matchBudget) } }
        }
        return event.number
    }

    /// Adds a message sent to several channels to the journal, once for each. Other threads run in between.
    func record(sent message: WebSocketMessage, on channels: [Channel], in session: any ChannelSession) {
        for start in stride(from: 0, to: channels.count, by: 256) {
            let some = channels[start..<min(start + 256, channels.count)]
            let (events, waits) = state.withLock { state in
                (some.map { keep(.sent, message, on: $0, &state) }, state.waits)
            }
            for event in events { activity.note(.message(event.note(ids))) }
            guard !waits.isEmpty else { continue }
            session.heavyWork.add {
                for wait in waits { for event in events { wait.take(event, session.journaling.matchBudget) } }
            }
        }
    }

    private func keep(
        _ direction: MessageEvent.Direction, _ message: WebSocketMessage, on channel: Channel,
        stub: CompiledMessageStub? = nil, failure: String? = nil, _ state: inout State
    ) -> MessageEvent {
        state.eventCount += 1
        let event = MessageEvent(state.eventCount, direction, message, on: channel, stub: stub, failure: failure)
        if !event.wasMatched { state.unmatchedCount += 1 }
        guard limits.isKept else { return event }
        let bytes = event.byteCount
        state.events.append(event)
        state.eventBytes += bytes
        account.add(bytes)
        trim(&state)
        return event
    }

    private func trim(_ state: inout State) {
        let most = state.events.count - (limits.events == 0 ? 0 : 1)
        var (count, bytes) = (0, state.eventBytes)
        while count < most, state.events.count - count > limits.events || bytes > limits.bytes {
            bytes -= state.events[count].byteCount
            count += 1
        }
        guard count > 0 else { return }
        account.add(bytes - state.eventBytes)
        state.eventBytes = bytes
        state.events.removeFirst(count)
    }

    private func drop(
        _ events: some Sequence<MessageEvent>, _ state: inout State, _ remove: (inout MessageLog) -> Void
    ) {
        let bytes = events.reduce(0) { $0 + $1.byteCount }
        state.eventBytes -= bytes
        account.add(-bytes)
        remove(&state.events)
    }

    /// Drops the older half of the messages, because memory is short.
    package func trimForMemory() {
        state.withLock { state in
            let count = (state.events.count + 1) / 2
            if count > 0 { drop(state.events.prefix(count), &state) { $0.removeFirst(count) } }
        }
    }

    package func clear() {
        let waits = state.withLock { state in
            drop(state.events, &state) { $0.removeAll() }
            return state.waits
        }
        for wait in waits { wait.forget { _ in true } }
    }

    /// Removes messages from the journal.
    package func remove(_ events: [MessageEvent]) {
        let doomed = Set(events.map(\.number))
        let waits = state.withLock { state in
            let there = state.events.filter { doomed.contains($0.number) }
            drop(there, &state) { $0.removeAll { doomed.contains($0.number) } }
            return state.waits
        }
        for wait in waits { wait.forget { doomed.contains($0.number) } }
    }

    // MARK: Waiting

    /// Starts to wait for messages. Called on the session's `heavyWork`.
    package func wait(
        for pattern: CompiledMessagePattern?, count: Int, _ budget: WorkBudget
    ) -> MessageWait {
        let wait = MessageWait(pattern, count: count)
        let known = state.withLock { state in
            if !state.isOver { state.waits.append(wait) }
            return state.events
        }
        wait.take(Array(known), budget)
        return wait
    }

    package func remove(_ wait: MessageWait) {
        state.withLock { $0.waits.removeAll { $0 === wait } }
    }

    deinit {
        account.add(-state.withLock { $0.eventBytes })
    }
}
