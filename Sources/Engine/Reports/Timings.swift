public import SDStubModel

/// The response times of ended answers, from the arrival of a request to the last byte of its answer, in milliseconds.
/// Quantiles are exact to a sixteenth.
public struct Timings: Sendable {
    public let count: Int
    public let least: Double
    public let median: Double
    /// The 95th percentile.
    public let p95: Double
    public let most: Double
    /// The number of answers up to each of `bounds`, and of slower ones.
    public let histogram: [Int]
    /// The stubs with the slowest answers, slowest first.
    public package(set) var slowest: [Slow]

    /// The upper bounds of the histogram's buckets, in milliseconds.
    public static let bounds: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
    /// The largest number of stubs in `slowest`.
    static let maxSlow = 10

    /// The answers of one stub.
    public struct Slow: Sendable {
        /// Nil for answers without a stub.
        public package(set) var stub: StubReference?
        public let count: Int
        public let median: Double
        public let most: Double
        /// The delay of the slowest answer in milliseconds.
        public let delay: Double
        /// The slowest request.
        public package(set) var method: String
        public package(set) var url: String
    }

    /// Makes the timings; nil without any times.
    public init?(_ tally: ResponseTimes) {
        let all = tally.all
        guard all.count > 0 else { return nil }
        count = all.count
        least = Double(all.least) / 1_000_000
        most = Double(all.most) / 1_000_000
        median = all.within(0.5)
        p95 = all.within(0.95)
        histogram = all.counts(upTo: Self.bounds)
        slowest = Array(
            tally.stubs.map { answers in
                Slow(
                    stub: answers.stub, count: answers.times.count, median: answers.times.within(0.5),
                    most: Double(answers.times.most) / 1_000_000, delay: Double(answers.delay) / 1_000_000,
                    method: answers.method, url: answers.url)
            }.sorted { ($1.most, $0.url) < ($0.most, $1.url) }.prefix(Self.maxSlow))
    }
}

extension Double {
    /// Milliseconds as text: `0.04 ms`, `12.3 ms`, `1.25 s`.
    package var timeText: String {
        self < 1000 ? "\(fixed(self < 10 ? 2 : 1)) ms" : "\((self / 1000).fixed(2)) s"
    }

    /// A limit in milliseconds in short form: `250 ms`, `1 s`, `1.5 s`.
    package var limitText: String {
        guard self >= 1000 else { return "\(fixed(0)) ms" }
        let seconds = self / 1000
        return "\(seconds == seconds.rounded() ? seconds.fixed(0) : seconds.fixed(3)) s"
    }

    /// The number with this many decimals.
    package func fixed(_ digits: Int) -> String {
        guard isFinite, magnitude < 1e15 else { return "\(self)" }
        let scale = digits == 0 ? 1 : digits == 1 ? 10 : digits == 2 ? 100 : 1000
        let whole = Int((self * Double(scale)).rounded())
        guard scale > 1 else { return String(whole) }
        let behind = String(whole.magnitude % UInt(scale))
        return (whole < 0 ? "-" : "") + "\(whole.magnitude / UInt(scale))."
            + String(repeating: "0", count: digits - behind.count) + behind
    }
}
