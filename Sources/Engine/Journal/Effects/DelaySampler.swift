package import SDPlatform
package import SDStubModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension DelayDistribution {
    /// Samples a delay in milliseconds. It may be negative, infinite or NaN if the stub asks for that.
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
