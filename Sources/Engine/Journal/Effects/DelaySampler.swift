package import SDStubModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// xoshiro256**, which is small and fast, and yields the same numbers for a seed on every machine. By Blackman and
/// Vigna, public domain.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    public init(seed: UInt64) {
        var mixer = seed
        func next() -> UInt64 {
            mixer &+= 0x9e37_79b9_7f4a_7c15
            var z = mixer
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }
        state = (next(), next(), next(), next())
    }

    public mutating func next() -> UInt64 {
        func rotate(_ x: UInt64, _ k: UInt64) -> UInt64 { (x << k) | (x >> (64 - k)) }
        let result = rotate(state.1 &* 5, 7) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = rotate(state.3, 45)
        return result
    }

    /// A uniform draw from 0..<1.
    mutating func nextUnit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// A draw from the standard normal distribution, by Box and Muller.
    mutating func nextGaussian() -> Double {
        let radius = (-2 * log(1 - nextUnit())).squareRoot()
        return radius * cos(2 * .pi * nextUnit())
    }
}

extension DelayDistribution {
    /// Draws a delay in milliseconds. It may be negative, infinite or NaN if the stub asks for that.
    package func sample(_ generator: inout SeededGenerator) -> Double {
        switch self {
        case .fixed(let milliseconds):
            return Double(milliseconds)
        case .uniform(let lower, let upper):
            let low = max(lower, 0)
            return Double(Int.random(in: low...max(low, upper), using: &generator))
        case .lognormal(let median, let sigma, let maxValue):
            func draw() -> Double { (exp(generator.nextGaussian() * sigma) * median).rounded() }
            guard let maxValue else { return draw() }
            for _ in 0..<10 {
                let delay = draw()
                if delay <= maxValue { return delay }
            }
            return maxValue
        case .gaussian(let mean, let deviation, let maxValue):
            return min(max(mean + generator.nextGaussian() * deviation, 0), maxValue ?? .infinity)
        case .exponential(let mean, let maxValue):
            return min(-log(1 - generator.nextUnit()) * mean, maxValue ?? .infinity)
        }
    }
}
