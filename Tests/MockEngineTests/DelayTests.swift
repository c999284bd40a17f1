import StubModel
import Testing

@testable import MockEngine

@Suite struct DelayTests {
    /// The first numbers of xoshiro256** seeded by SplitMix64, so that a seed means the same on every machine.
    @Test func theGeneratorGivesTheSameNumbersForASeed() {
        func draw(_ seed: UInt64) -> [UInt64] {
            var generator = SeededGenerator(seed: seed)
            return (0..<4).map { _ in generator.next() }
        }
        #expect(draw(7) == draw(7))
        #expect(draw(7) != draw(8))
        #expect(Set(draw(0)).count == 4)
    }

    @Test func unitDrawsLieFromZeroToBelowOne() {
        var generator = SeededGenerator(seed: 1)
        let draws = (0..<10_000).map { _ in generator.nextUnit() }
        #expect(draws.allSatisfy { $0 >= 0 && $0 < 1 })
        #expect(abs(draws.reduce(0, +) / 10_000 - 0.5) < 0.02)
    }

    @Test func uniformDelaysIncludeBothBounds() {
        let draws = sample(.uniform(lower: 3, upper: 6), 1_000)
        #expect(Set(draws) == [3, 4, 5, 6])
        #expect(Set(sample(.uniform(lower: 5, upper: 5), 10)) == [5])
    }

    @Test func fixedDelaysAreFixed() {
        #expect(Set(sample(.fixed(milliseconds: 12), 5)) == [12])
    }

    @Test func logNormalDelaysHaveTheirMedianInTheMiddle() {
        let draws = sample(.lognormal(median: 80, sigma: 0.4, maxValue: nil), 10_001).sorted()
        #expect((77...83).contains(draws[5_000]))
        #expect(draws.allSatisfy { $0 == $0.rounded() && $0 > 0 })
        #expect(Set(sample(.lognormal(median: 80, sigma: 0, maxValue: nil), 10)) == [80])
    }

    @Test func logNormalDelaysAreCapped() {
        let draws = sample(.lognormal(median: 80, sigma: 2, maxValue: 100), 5_000)
        #expect(draws.allSatisfy { $0 <= 100 })
        // Most large draws are drawn again rather than capped.
        #expect(draws.filter { $0 == 100 }.count < 500)
        let hopeless = DelayDistribution.lognormal(median: 80, sigma: 0, maxValue: 10)
        #expect(Set(sample(hopeless, 5)) == [10])
    }

    @Test func theSameSeedGivesTheSameDelays() {
        let distribution = DelayDistribution.lognormal(median: 80, sigma: 0.4, maxValue: nil)
        #expect(sample(distribution, 50, seed: 3) == sample(distribution, 50, seed: 3))
        #expect(sample(distribution, 50, seed: 3) != sample(distribution, 50, seed: 4))
    }

    private func sample(_ distribution: DelayDistribution, _ count: Int, seed: UInt64 = 42) -> [Double] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in distribution.sample(&generator) }
    }
}
