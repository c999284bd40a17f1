public import SDStubModel

/// How long any number of answers took, in a bounded memory: all of them, and those of the stubs with the slowest.
public struct TimeTally: Sendable {
    public private(set) var all = TimeHistogram()
    private(set) var stubs: [OfStub] = []
    private var places: [StubMapping.ID?: Int] = [:]
    /// The place of the stub that answered last, since requests often follow others of their kind.
    private var last = 0
    /// No stub has only answers that were faster than this, in nanoseconds.
    private var fastest: UInt64 = 0

    /// The most stubs. Beyond them, one that has answered more slowly than all answers of another takes its place.
    static let mostStubs = 20
    /// The longest part of a URL that is kept, in characters.
    private static let longestURL = 300

    /// The answers of one stub.
    struct OfStub: Sendable {
        let id: StubMapping.ID?
        /// Nil for what no stub answered.
        let stub: StubReference?
        var times = TimeHistogram()
        /// The delay that the slowest answer was given, in nanoseconds.
        var delay: UInt64 = 0
        /// The slowest request.
        var method = ""
        var url = ""
    }

    public init() {}

    /// Adds an answer that has ended.
    /// - Parameters:
    ///   - time: from the arrival of the request to the last byte, in nanoseconds.
    ///   - delay: the part of it that was added on purpose.
    ///   - id: that of the stub; nil for what no stub answered.
    ///   - stub: asked for the first answer of a stub.
    ///   - request: asked for the slowest answer of a stub.
    public mutating func add(
        _ time: UInt64, delay: UInt64, by id: StubMapping.ID?, _ stub: () -> StubReference?,
        _ request: () -> (method: String, url: String)
    ) {
        all.add(time)
        guard let place = place(of: id, time, stub) else { return }
        if stubs[place].times.count == 0 || time > stubs[place].times.most {
            let (method, url) = request()
            stubs[place].delay = delay
            stubs[place].method = method
            stubs[place].url = url.utf8.count > Self.longestURL ? url.prefix(Self.longestURL) + "…" : url
        }
        stubs[place].times.add(time)
    }

    /// Adds the answers of another one.
    public mutating func add(_ other: TimeTally) {
        all.add(other.all)
        for answers in other.stubs where answers.times.count > 0 {
            guard let place = place(of: answers.id, answers.times.most, { answers.stub }) else { continue }
            if stubs[place].times.count == 0 || answers.times.most > stubs[place].times.most {
                stubs[place].delay = answers.delay
                stubs[place].method = answers.method
                stubs[place].url = answers.url
            }
            stubs[place].times.add(answers.times)
        }
    }

    /// Forgets the stubs, and all times if `SlowTally` has each of them.
    public mutating func dropStubs() {
        let kept = all
        self = TimeTally()
        if kept.count > SlowTally.most { all = kept }
    }

    private mutating func place(of id: StubMapping.ID?, _ time: UInt64, _ stub: () -> StubReference?) -> Int? {
        if last < stubs.count, stubs[last].id == id { return last }
        if let place = places[id] {
            last = place
            return place
        }
        if stubs.count < Self.mostStubs {
            last = stubs.count
            stubs.append(OfStub(id: id, stub: stub()))
        } else {
            guard time > fastest, let least = stubs.indices.min(by: { stubs[$0].times.most < stubs[$1].times.most })
            else { return nil }
            fastest = stubs[least].times.most
            guard time > fastest else { return nil }
            places[stubs[least].id] = nil
            last = least
            stubs[least] = OfStub(id: id, stub: stub())
        }
        places[id] = last
        return last
    }
}
