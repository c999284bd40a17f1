public import SDStubModel

/// Response times in bounded memory: of all answers, and of the stubs with the slowest.
public struct ResponseTimes: Sendable {
    public private(set) var all = TimeHistogram()
    private(set) var stubs: [OfStub] = []
    private var places: [StubMapping.ID?: Int] = [:]
    /// The index of the last stub, because requests often come in series.
    private var last = 0
    /// A lower bound of the slowest answer of any stored stub, in nanoseconds.
    private var fastest: UInt64 = 0

    /// The largest number of stubs. Past it, a stub with a slower answer than all of another's replaces that one.
    static let maxStubs = 20
    /// The longest stored part of a URL, in characters.
    private static let longestURL = 300

    /// The answers of one stub.
    struct OfStub: Sendable {
        let id: StubMapping.ID?
        /// Nil for answers without a stub.
        let stub: StubReference?
        var times = TimeHistogram()
        /// The delay of the slowest answer in nanoseconds.
        var delay: UInt64 = 0
        /// The slowest request.
        var method = ""
        var url = ""
    }

    public init() {}

    /// Adds an answer that has ended.
    /// - Parameters:
    ///   - time: from the arrival of the request to the last byte, in nanoseconds.
    ///   - delay: the intentional part of the time.
    ///   - id: the id of the stub; nil for an answer without one.
    ///   - stub: called for the first answer of a stub.
    ///   - request: called for the slowest answer of a stub.
    public mutating func add(
        _ time: UInt64, delay: UInt64, by id: StubMapping.ID?, _ stub: () -> StubReference?,
        _ request: () -> (method: String, url: String)
    ) {
        all.add(time)
        guard let place = index(of: id, time, stub) else { return }
        if stubs[place].times.count == 0 || time > stubs[place].times.most {
            let (method, url) = request()
            stubs[place].delay = delay
            stubs[place].method = method
            stubs[place].url = url.utf8.count > Self.longestURL ? url.prefix(Self.longestURL) + "…" : url
        }
        stubs[place].times.add(time)
    }

    /// Adds the answers of another tally.
    public mutating func add(_ other: ResponseTimes) {
        all.add(other.all)
        for answers in other.stubs where answers.times.count > 0 {
            guard let place = index(of: answers.id, answers.times.most, { answers.stub }) else { continue }
            if stubs[place].times.count == 0 || answers.times.most > stubs[place].times.most {
                stubs[place].delay = answers.delay
                stubs[place].method = answers.method
                stubs[place].url = answers.url
            }
            stubs[place].times.add(answers.times)
        }
    }

    /// Drops the times by stub, and all times if `SlowCounts` has each of them.
    public mutating func dropStubs() {
        let kept = all
        self = ResponseTimes()
        if kept.count > SlowCounts.most { all = kept }
    }

    private mutating func index(of id: StubMapping.ID?, _ time: UInt64, _ stub: () -> StubReference?) -> Int? {
        if last < stubs.count, stubs[last].id == id { return last }
        if let place = places[id] {
            last = place
            return place
        }
        if stubs.count < Self.maxStubs {
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
