import SDTestSupport
import Testing

@testable import SDIndexing

/// The map of exact URLs, with keys whose hashes collide on purpose.
@Suite struct StubIndexMapTests {
    private struct Key: PersistentKey, Hashable {
        let number: Int
        /// The number of different hashes, which differ only in their upper bits.
        let spread: UInt64

        var persistentHash: UInt64 {
            (UInt64(bitPattern: Int64(number)) % spread) << 58 | 0x155
        }
    }

    @Test(arguments: [1, 2, 7, 64] as [UInt64])
    func holdsWhatADictionaryHolds(_ spread: UInt64) {
        let seed = TestGenerator.newSeed
        print("persistent map seed \(seed)")
        var random = TestGenerator(seed: seed)
        var map = PersistentMap<Key, Int>()
        var reference: [Key: Int] = [:]
        var snapshots: [(PersistentMap<Key, Int>, [Key: Int])] = []
        for step in 0..<3_000 {
            let key = Key(number: Int.random(in: 0..<60, using: &random), spread: spread)
            let value = Int.random(in: 0..<3, using: &random) == 0 ? nil : step
            map.update(key) { $0 = value }
            reference[key] = value
            #expect(map[key] == value, "seed \(seed)")
            #expect(map.count == reference.count, "seed \(seed)")
            if step % 300 == 0 { snapshots.append((map, reference)) }
        }
        for (map, reference) in snapshots + [(map, reference)] {
            var found: [Key: Int] = [:]
            map.visitAll { found[$0] = $1 }
            #expect(found == reference, "seed \(seed)")
            for number in 0..<60 {
                let key = Key(number: number, spread: spread)
                #expect(map[key] == reference[key], "seed \(seed)")
            }
        }
        for key in Array(reference.keys) { map.update(key) { $0 = nil } }
        #expect(map.isEmpty)
    }
}
