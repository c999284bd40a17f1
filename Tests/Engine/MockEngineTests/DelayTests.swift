import SDPlatform
import SDStubModel
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

@Suite struct DelayTests {
    static let references: [(seed: UInt64, numbers: [UInt64])] = [
        (0, [11_091_344_671_253_066_420, 13_793_997_310_169_335_082, 1_900_383_378_846_508_768]),
        (7, [12_923_355_070_828_475_994, 5_142_052_590_334_782_674, 15_488_392_906_492_639_638]),
        (42, [1_546_998_764_402_558_742, 6_990_951_692_964_543_102, 12_544_586_762_248_559_009]),
        (.max, [10_328_197_420_357_168_392, 14_156_678_507_024_973_869, 9_357_971_779_955_476_126]),
    ]

    /// The first numbers of xoshiro256** seeded by SplitMix64, from the authors' reference code, so that a seed means
    /// the same on every machine and in every version.
    @Test(arguments: references)
    func theGeneratorGivesTheNumbersOfTheReference(seed: UInt64, expected: [UInt64]) {
        var generator = SeededGenerator(seed: seed)
        #expect(expected.map { _ in generator.next() } == expected)
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
        // Most large draws are repeated rather than capped.
        #expect(draws.filter { $0 == 100 }.count < 500)
        let hopeless = DelayDistribution.lognormal(median: 80, sigma: 0, maxValue: 10)
        #expect(Set(sample(hopeless, 5)) == [10])
    }

    @Test func gaussianDelaysLieAroundTheirMeanAndAreNeverNegative() {
        let draws = sample(.gaussian(mean: 80, standardDeviation: 20, maxValue: nil), 10_000)
        #expect(abs(draws.reduce(0, +) / 10_000 - 80) < 1)
        let near = draws.count { abs($0 - 80) <= 20 }
        #expect((6_600...7_050).contains(near))
        let wide = sample(.gaussian(mean: 10, standardDeviation: 50, maxValue: 30), 1_000)
        #expect(wide.allSatisfy { (0...30).contains($0) } && wide.contains(0) && wide.contains(30))
    }

    @Test func exponentialDelaysAreShortMostOfTheTime() {
        let draws = sample(.exponential(mean: 80, maxValue: nil), 10_000)
        #expect(abs(draws.reduce(0, +) / 10_000 - 80) < 3)
        // 1 - 1/e of them are below the mean.
        let short = draws.count { $0 < 80 }
        #expect((6_150...6_500).contains(short) && draws.allSatisfy { $0 >= 0 })
        #expect(sample(.exponential(mean: 80, maxValue: 100), 1_000).max() == 100)
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
