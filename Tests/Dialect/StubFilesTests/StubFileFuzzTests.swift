import SDJSON
import SDStubFiles
import SDStubModel
import SDTestSupport
import Testing

/// Documents made of the dialect's names in wrong places, and mutations of valid texts.
@Suite struct StubFileFuzzTests {
    @Test func randomDocumentsOfKnownNamesNeverCrash() throws {
        let seed = TestGenerator.newSeed
        var generator = TestGenerator(seed: seed)
        print("randomDocumentsOfKnownNamesNeverCrash: seed \(seed)")
        var readCount = 0
        for round in 0..<6_000 {
            let json = RandomDocument.value(depth: round % 6, using: &generator)
            let (stubs, diagnostics) = StubFile.parse(json.prettyBytes, format: .json, path: "fuzz.json")
            let hasErrors = diagnostics.contains { $0.severity == .error }
            #expect(stubs.isEmpty || !hasErrors, "seed \(seed)")
            readCount += stubs.count
            for stub in stubs {
                // A stub that was read is written so that it reads back the same, but for the HEAD that a route
                // answers.
                var again = try? StubMapping(json: stub.json(view: .file))
                again?.answersHead = stub.answersHead
                #expect(again == stub, "seed \(seed): \(json.compactText)")
            }
            for diagnostic in diagnostics {
                #expect(!diagnostic.description.contains("\n") && diagnostic.line != nil, "seed \(seed)")
            }
            _ = try? GlobalSettings(json: json)
        }
        print("randomDocumentsOfKnownNamesNeverCrash: \(readCount) stubs read")
        #expect(readCount > 0)
    }

    // The second seed makes a file that has nothing but sets of faults.
    @Test(arguments: [2_840_052_799_633_471_801, 2_636_716_320, TestGenerator.newSeed])
    func mutatedExamplesNeverCrash(seed: UInt64) throws {
        var generator = TestGenerator(seed: seed)
        print("mutatedExamplesNeverCrash: seed \(seed)")
        let fences = Fence.documents("routes") + Fence.documents("stubs")
        for _ in 0..<1_000 {
            let fence = try #require(fences.randomElement(using: &generator))
            var bytes = Array(fence.text.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                if Bool.random(using: &generator) {
                    bytes.remove(at: place)
                } else {
                    bytes[place] = Array("{}[]:,\"' \n~?&%|x0".utf8).randomElement(using: &generator) ?? 0
                }
            }
            let format: StubFile.Format = fence.info.hasPrefix("json") ? .json : .yaml
            // Nothing is ignored silently.
            let file = StubFile.read(bytes, format: format, path: "fuzz")
            let isRead = !file.stubs.isEmpty || !file.faultSets.isEmpty || !file.messageStubs.isEmpty
            let isTold = isRead || !file.diagnostics.isEmpty || file.reasonToSkip != nil
            #expect(isTold, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
