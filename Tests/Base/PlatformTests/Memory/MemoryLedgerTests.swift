import SDPlatform
import SDTestSupport
import Testing

/// Who holds memory, and what is given up when it is too much.
@Suite struct MemoryLedgerTests {
    private static let mib = 1 << 20

    /// What happened, in order.
    private final class Notes: Sendable {
        private let kept = Locked<[String]>([])
        func add(_ text: String) { kept.withLock { $0.append(text) } }
        var all: [String] { kept.withLock { $0 } }
    }

    private final class Reader: SlowReader {
        let pendingBytes: Int
        private let charge: MemoryCharge
        private let notes: Notes

        init(_ bytes: Int, _ ledger: MemoryLedger, _ notes: Notes) {
            pendingBytes = bytes
            charge = MemoryCharge(bytes, to: ledger.account(.events))
            self.notes = notes
        }

        func cutOff() {
            notes.add("cut \(pendingBytes >> 20)")
            charge.end()
        }
    }

    @Test func eachHolderHasItsAccount() {
        let ledger = MemoryLedger()
        for (place, holder) in MemoryHolder.allCases.enumerated() { ledger.account(holder).add(place + 1) }
        for (place, holder) in MemoryHolder.allCases.enumerated() { #expect(ledger.bytes(of: holder) == place + 1) }
        #expect(ledger.total == MemoryHolder.allCases.indices.reduce(0) { $0 + $1 + 1 })
    }

    @Test func aChargeEndsOnce() {
        let ledger = MemoryLedger()
        var charge: MemoryCharge? = MemoryCharge(1_000, to: ledger.account(.uploads))
        #expect(ledger.total == 1_000)
        charge?.end()
        charge?.end()
        #expect(ledger.total == 0)
        charge = nil
        #expect(ledger.total == 0)
    }

    /// What can be given up for an upload does not stand in its way.
    @Test(arguments: [
        (held: MemoryHolder.uploads, count: 60, wanted: 40, hasRoom: true), (.uploads, 60, 41, false),
        (.journals, 90, 100, true), (.bodies, 90, 100, true), (.bodies, 90, 101, false), (.events, 60, 41, false),
        (.answers, 60, 41, false), (.uploads, 0, Int.max >> 20, false),
    ]) func anUploadNeedsRoom(held: MemoryHolder, count: Int, wanted: Int, hasRoom: Bool) {
        let ledger = MemoryLedger(limit: 100 * Self.mib)
        ledger.account(held).add(count * Self.mib)
        #expect(ledger.hasRoom(for: wanted * Self.mib) == hasRoom)
    }

    @Test func theLeastValuableGoesFirstAndNoMoreThanNeeded() {
        let ledger = MemoryLedger(limit: 100 * Self.mib)
        let notes = Notes()
        ledger.whenShort { notes.add($0) }
        ledger.account(.bodies).add(10 * Self.mib)
        ledger.account(.journals).add(60 * Self.mib)
        ledger.add(
            MemoryLedger.Reclaimer("caches") { _ in
                notes.add("caches")
                ledger.account(.bodies).add(-ledger.bytes(of: .bodies))
            } isOver: {
                notes.add("over")
            })
        ledger.add(
            MemoryLedger.Reclaimer("journals") { bytes in
                notes.add("journals")
                ledger.account(.journals).add(-bytes)
            })
        let reader = Reader(5 * Self.mib, ledger, notes)
        ledger.add(reader)
        ledger.account(.uploads).add(40 * Self.mib)
        let text =
            "the memory limit of 100 MiB (--max-memory) is reached: journals 60 MiB, bodies 10 MiB, messages 0 MiB, answers 0 MiB, "
            + "events 5 MiB, uploads 40 MiB, data 0 MiB, state 0 MiB, recordings 0 MiB, webhooks 0 MiB, connections 0 MiB, names 0 MiB; given up: caches, journals"
        #expect(eventually { notes.all.count == 3 ? true : nil } == true)
        #expect(notes.all == ["caches", "journals", text])
        // 1/16 below the limit, so that not every byte begins it anew.
        #expect(ledger.total == 100 * Self.mib - 100 * Self.mib / 16)

        // It is told again only after it was over.
        ledger.account(.uploads).add(10 * Self.mib)
        #expect(eventually { notes.all.count == 5 ? true : nil } == true)
        #expect(notes.all.suffix(2) == ["caches", "journals"])
        ledger.account(.uploads).add(-50 * Self.mib)
        // The thread that gives up may still add its text.
        #expect(notes.all.dropFirst(5).contains("over"))
        withExtendedLifetime(reader) {}
    }

    @Test func whatGrowsWhileMemoryIsGivenUpIsNotForgotten() {
        let ledger = MemoryLedger(limit: 100 * Self.mib)
        let passes = Locked(0)
        ledger.account(.journals).add(60 * Self.mib)
        ledger.add(
            MemoryLedger.Reclaimer("journals") { bytes in
                ledger.account(.journals).add(-bytes)
                let isFirst = passes.withLock { passes in
                    passes += 1
                    return passes == 1
                }
                if isFirst { ledger.account(.uploads).add(10 * Self.mib) }
            })
        ledger.account(.uploads).add(45 * Self.mib)
        #expect(eventually { passes.withLock { $0 } == 2 ? true : nil } == true)
        #expect(eventually { ledger.total < 100 * Self.mib ? true : nil } == true)
    }

    @Test func theSlowestReadersAreCutOffFirst() {
        let ledger = MemoryLedger(limit: 100 * Self.mib)
        let notes = Notes()
        ledger.whenShort { notes.add($0) }
        let readers = [10, 40, 0, 20].map { Reader($0 * Self.mib, ledger, notes) }
        for reader in readers { ledger.add(reader) }
        ledger.account(.uploads).add(35 * Self.mib)
        #expect(eventually { notes.all.count == 2 ? true : nil } == true)
        #expect(notes.all[0] == "cut 40")
        #expect(
            notes.all[1].hasSuffix(
                "uploads 35 MiB, data 0 MiB, state 0 MiB, recordings 0 MiB, webhooks 0 MiB, connections 0 MiB, names 0 MiB; given up: a slow reader"
            ),
            "\(notes.all)")
        #expect(ledger.total == 65 * Self.mib)
    }

    /// Recordings have half of the limit, leave an eighth of it free, and nothing is given up for them.
    @Test func recordingsTakeNothingFromJournals() {
        let ledger = MemoryLedger(limit: 80 << 20)
        #expect(ledger.hasRoom(forRecorded: 40 << 20) && !ledger.hasRoom(forRecorded: (40 << 20) + 1))
        let recorded = MemoryCharge(30 << 20, to: ledger.account(.recordings))
        #expect(ledger.hasRoom(forRecorded: 10 << 20) && !ledger.hasRoom(forRecorded: 11 << 20))
        let journal = MemoryCharge(35 << 20, to: ledger.account(.journals))
        #expect(ledger.hasRoom(forRecorded: 5 << 20) && !ledger.hasRoom(forRecorded: 6 << 20))
        #expect(ledger.hasRoom(for: 20 << 20), "a journal is given up for an upload")
        recorded.end()
        #expect(ledger.hasRoom(forRecorded: 35 << 20))
        journal.end()
        #expect(MemoryLedger().hasRoom(forRecorded: 1 << 30))
    }

    @Test func aRefusedUploadIsToldOnce() {
        let ledger = MemoryLedger(limit: 100 * Self.mib)
        let notes = Notes()
        ledger.whenShort { notes.add($0) }
        ledger.account(.uploads).add(90 * Self.mib)
        for _ in 0..<3 { #expect(!ledger.hasRoom(for: 50 * Self.mib)) }
        #expect(notes.all.count == 1)
        #expect(
            notes.all[0].hasSuffix(
                "uploads 90 MiB, data 0 MiB, state 0 MiB, recordings 0 MiB, webhooks 0 MiB, connections 0 MiB, names 0 MiB; a request body of 50 MiB is refused"
            ),
            "\(notes.all)")
    }
}
