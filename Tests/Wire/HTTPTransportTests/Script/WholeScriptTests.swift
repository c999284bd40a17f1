import SDCReactor
import SDTestSupport
import Testing

@testable import SDHTTPTransport
@testable import SDWireValues

/// A script of a head, a body and an end is the same, whether it is made of its parts or of steps.
@Suite struct WholeScriptTests {
    private struct Step: Equatable {
        let numbers: [UInt64]
        let bytes: [UInt8]
    }

    /// What a script says: its steps with their bytes, which are those of a block of its own or are shared.
    private func steps(_ script: WireScript) -> [Step] {
        let block = script.block
        return UnsafeBufferPointer(start: block.steps, count: Int(block.header.count)).map { step in
            let bytes = Array(UnsafeBufferPointer(start: step.bytes, count: step.hasBytes ? Int(step.length) : 0))
            return Step(
                numbers: [step.kind, step.ending, step.lead, step.trail].map(UInt64.init)
                    + [UInt64(step.rate), step.length],
                bytes: bytes)
        }
    }

    /// Where the bytes of the steps stand, from those of the first one on.
    private func places(_ script: WireScript) -> [Int] {
        let block = script.block
        let steps = UnsafeBufferPointer(start: block.steps, count: Int(block.header.count))
        guard let first = steps.first?.bytes else { return [] }
        return steps.map { $0.bytes.map { $0 - first } ?? -1 }
    }

    private func fields(_ count: Int) -> [(String, String)] {
        (0..<count).map { ("X-\($0)", "value \($0)") }
    }

    /// Heads and bodies around the number of bytes that stand with the steps.
    @Test(arguments: Announced.allCases, [0, 1, 15, 16, 1000, 32_000, 32_600, 32_700, 32_768, 32_769, 100_000])
    func aWholeScriptIsThatOfItsSteps(announced: Announced, count: Int) {
        let body = pattern(count)
        let fieldCounts = count % 1000 == 0 ? [0, 1, 30, 2500] : [0, 1]
        for head in fieldCounts.map({ announced.head(count, fields($0)) }) {
            for end in [WireStep.End.keepAlive, .close] {
                let pieces: [WireStep] = count == 0 ? [] : [.body(WireBytes(body))]
                let whole = WireScript(head: head, body: body, end: end)
                let stepped = WireScript([.head(head)] + pieces + [.end(end)])
                #expect(steps(whole) == steps(stepped))
                #expect(whole.isTimed == stepped.isTimed)
                #expect(whole.block.header.kept.count == stepped.block.header.kept.count)
                if whole.block.header.kept.isEmpty { #expect(places(whole) == places(stepped)) }
            }
        }
    }
}
