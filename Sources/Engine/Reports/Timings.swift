public import SDStubModel

/// How long answers took, from the arrival of a request to the last byte of its answer, in milliseconds: those of the
/// journal that have ended.
public struct Timings: Sendable {
    public let count: Int
    public let least: Double
    public let median: Double
    /// The time within which 95 of 100 were answered.
    public let p95: Double
    public let most: Double
    /// The number of answers up to each of `bounds`, and of those that took longer.
    public let histogram: [Int]
    /// The stubs with the slowest answers, the slowest first.
    public let slowest: [Slow]

    /// The upper bounds of the histogram's parts, in milliseconds.
    public static let bounds: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
    /// The most stubs in `slowest`.
    static let mostSlow = 10

    /// The answers of one stub.
    public struct Slow: Sendable {
        /// Nil for what no stub answered.
        public let stub: StubReference?
        public let count: Int
        public let median: Double
        public let most: Double
        /// The delay that the slowest answer was given, in milliseconds.
        public let delay: Double
        /// The slowest request.
        public let method: String
        public let url: String
    }

    /// An answer that has ended.
    public struct Sample: Sendable {
        public let stub: StubReference?
        public let method: String
        public let url: String
        public let milliseconds: Double
        public let delay: Double

        public init(stub: StubReference?, method: String, url: String, milliseconds: Double, delay: Double) {
            self.stub = stub
            self.method = method
            self.url = url
            self.milliseconds = milliseconds
            self.delay = delay
        }
    }

    /// Makes the timings; nil without samples.
    /// - Parameter shown: a URL as it may be shown.
    public init?(_ samples: [Sample], _ shown: (String) -> String = { $0 }) {
        let times = samples.map(\.milliseconds).sorted()
        guard let least = times.first, let most = times.last else { return nil }
        count = times.count
        self.least = least
        self.most = most
        median = Self.part(0.5, of: times)
        p95 = Self.part(0.95, of: times)
        var histogram = Array(repeating: 0, count: Self.bounds.count + 1)
        for time in times { histogram[Self.bounds.firstIndex { time <= $0 } ?? Self.bounds.count] += 1 }
        self.histogram = histogram
        let groups = [StubReference?: [Sample]](grouping: samples, by: \.stub)
        slowest = Array(
            groups.values.compactMap { Self.slow($0, shown) }.sorted { ($1.most, $0.url) < ($0.most, $1.url) }
                .prefix(Self.mostSlow))
    }

    private static func slow(_ samples: [Sample], _ shown: (String) -> String) -> Slow? {
        guard let slowest = samples.max(by: { $0.milliseconds < $1.milliseconds }) else { return nil }
        return Slow(
            stub: slowest.stub, count: samples.count, median: part(0.5, of: samples.map(\.milliseconds).sorted()),
            most: slowest.milliseconds, delay: slowest.delay, method: slowest.method, url: shown(slowest.url))
    }

    /// The least time within which a part of the answers was given.
    private static func part(_ part: Double, of sorted: [Double]) -> Double {
        sorted[min(max(Int((part * Double(sorted.count)).rounded(.up)) - 1, 0), sorted.count - 1)]
    }
}

extension Double {
    /// Milliseconds as text: `0.04 ms`, `12.3 ms`, `1.25 s`.
    var timeText: String {
        self < 1000 ? "\(fixed(self < 10 ? 2 : 1)) ms" : "\((self / 1000).fixed(2)) s"
    }

    /// The number with so many digits behind the point.
    func fixed(_ digits: Int) -> String {
        guard isFinite, magnitude < 1e15 else { return "\(self)" }
        let scale = digits == 0 ? 1 : digits == 1 ? 10 : digits == 2 ? 100 : 1000
        let whole = Int((self * Double(scale)).rounded())
        guard scale > 1 else { return String(whole) }
        let behind = String(whole.magnitude % UInt(scale))
        return (whole < 0 ? "-" : "") + "\(whole.magnitude / UInt(scale))."
            + String(repeating: "0", count: digits - behind.count) + behind
    }
}
