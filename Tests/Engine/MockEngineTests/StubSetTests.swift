import SDJSON
import SDMatching
import SDPlatform
import SDStubModel
import Synchronization
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The order of stubs, and the interplay of files and the admin API.
@Suite struct StubSetTests {
    let store = MemoryStore()

    private func session() -> Session { Session(store: store) }

    private func stub(
        _ name: String, id: StubMapping.ID? = nil, url: String = "/x", persistent: Bool? = nil, priority: Int? = nil
    ) -> StubMapping {
        var mapping = StubMapping(id: id ?? .init(), name: name, priority: priority)
        mapping.request.url = .url(url)
        mapping.persistent = persistent
        return mapping
    }

    private func names(_ session: Session) -> [String] { session.stubs.compactMap(\.name) }

    @Test func theNewestOfAPriorityComesFirst() throws {
        let session = session()
        for (name, priority) in [("a", nil), ("b", 5), ("c", 1), ("d", 9), ("e", nil)] {
            try session.add(stub(name, priority: priority))
        }
        #expect(names(session) == ["c", "e", "b", "a", "d"])
    }

    @Test func anEditKeepsThePlace() throws {
        let session = session()
        let first = stub("a")
        try session.add(first)
        try session.add(stub("b"))
        #expect(try session.replace(stub("a2", id: first.id)))
        #expect(names(session) == ["b", "a2"])
        #expect(try !session.replace(stub("none")))
    }

    @Test func stubsOfTheAdminAPIPrecedeThoseOfFiles() throws {
        let session = session()
        try session.add(stub("mine"))
        #expect(session.update([("b", [stub("b1"), stub("b2")]), ("a", [stub("a1")])]).isEmpty)
        #expect(names(session) == ["mine", "b2", "b1", "a1"])
        // A file that is read again keeps its place.
        #expect(session.update([("a", [stub("a2")])]).isEmpty)
        #expect(names(session) == ["mine", "b2", "b1", "a2"])
    }

    @Test func aRefusedFileKeepsItsLastGoodStubs() throws {
        let session = session()
        _ = session.update([("a", [stub("good")])])
        var bad = stub("bad")
        bad.request.url = .urlPattern("[a-")
        let refused = session.update([("a", [stub("good too"), bad]), ("b", [stub("other")])])
        #expect(refused.map(\.name) == ["a"])
        #expect(names(session) == ["other", "good"])
    }

    @Test func aStubMayMoveToAnEarlierFileInOneUpdate() throws {
        let session = session()
        let moving = stub("moving")
        _ = session.update([("a", [stub("a")]), ("b", [moving])])
        #expect(session.update([("a", [stub("a"), moving]), ("b", [stub("b")])]).isEmpty)
        #expect(names(session) == ["b", "moving", "a"])
    }

    @Test func anIDOfAnotherFileIsRefused() throws {
        let session = session()
        let mapping = stub("one")
        _ = session.update([("a", [mapping])])
        let refused = session.update([("b", [mapping])])
        #expect(refused.map(\.1) == [.duplicateID(mapping.id)])
        #expect(throws: StubRefusal.duplicateID(mapping.id)) { try session.add(mapping) }
        #expect(names(session) == ["one"])
    }

    @Test func aFileMayStateAStubThatIsServedWithoutOne() throws {
        let session = session()
        let (first, second) = (stub("first"), stub("second"))
        try session.add(first)
        try session.add(second)
        var saved = first
        saved.persistent = true
        #expect(session.update([("a", [saved])]).isEmpty)
        #expect(names(session) == ["second", "first"], "it keeps its place")
        #expect(session.stub(first.id)?.persistent == true)
        var other = second
        other.priority = 1
        #expect(session.update([("b", [other])]).map(\.1) == [.duplicateID(second.id)])
        session.dropAllButFiles()
        #expect(names(session) == ["first"])
    }

    /// The file may be edited by hand, or by another replica.
    @Test func aSavedStubThatIsEditedInItsFileKeepsItsPlace() throws {
        let session = session()
        var saved = stub("saved", persistent: true)
        try session.add(saved)
        try session.add(stub("second"))
        #expect(session.update([("another", [stub("another")])]).isEmpty)
        #expect(names(session) == ["second", "saved", "another"])
        saved.response.status = 202
        #expect(session.update([("saved", [saved])]).isEmpty)
        #expect(names(session) == ["second", "saved", "another"])
        #expect(session.stub(saved.id)?.response.status == 202)
    }

    /// What another replica saves counts as saved here, and is in no file of this one's.
    @Test func anotherReplicasFilesAreFollowed() throws {
        let (unwritten, own) = (UnwrittenFiles(), stub("own", persistent: true))
        let warnings = Mutex<[String]>([])
        func part(_ part: ReplicatedStubStore.Part) -> ReplicatedStubStore {
            ReplicatedStubStore(store, unwritten, part) { text in warnings.withLock { $0.append(text) } }
        }
        #expect(try part(.asked).write(own, file: nil, companions: []) == "own")
        let other = stub("other", persistent: true)
        let file = try part(.following).write(other, file: nil, companions: [])
        #expect(store.names == ["own"] && unwritten.names == [file])
        // Files that are here follow as far as they can.
        var edited = own
        edited.priority = 3
        #expect(try part(.following).write(edited, file: "own", companions: [edited]) == "own")
        #expect(store.stubs("own")?.first?.priority == 3)
        store.refuses = ["own"]
        #expect(try part(.following).write(own, file: "own", companions: [own]) == "own")
        #expect(
            warnings.withLock { $0 } == [
                "a stub was changed through another replica, and its file here was not: no room"
            ])
        #expect(throws: StubStoreError(message: "no room")) {
            try part(.asked).write(own, file: "own", companions: [own])
        }
        try part(.following).remove(file)
        #expect(unwritten.names.isEmpty)
        _ = try part(.following).write(other, file: nil, companions: [])
        // Who is asked for it then, writes it.
        #expect(try part(.asked).write(other, file: file, companions: []) == "other")
        #expect(store.names == ["other", "own"] && unwritten.names.isEmpty)
        // Whoever joins writes and removes nothing of what was changed before.
        let joining = part(.joining(since: 7))
        #expect(try joining.write(edited, file: "own", companions: [edited]) == "own")
        try joining.remove("other")
        try joining.flush(["other", "own"])
        #expect(store.names == ["other", "own"] && store.stubs("own")?.first?.priority == 3)
        #expect(unwritten.takeLeft() == ["other": 7] && unwritten.takeLeft().isEmpty)
        try part(.following).remove("own")
        #expect(store.names == ["other"])
        // In a shared folder a file is here as soon as another has written it, before the watch has seen it.
        let shared = try part(.following).write(own, file: nil, companions: [])
        _ = try store.write(own, file: shared, companions: [])
        #expect(try part(.following).write(edited, file: shared, companions: [edited]) == shared)
        #expect(store.stubs(shared)?.first?.priority == 3 && unwritten.names.isEmpty)
        _ = try part(.following).write(own, file: nil, companions: [])
        try part(.following).remove(shared)
        #expect(store.names == ["other"] && unwritten.names.isEmpty)
    }

    @Test func aResetRestoresTheContentsOfTheFiles() throws {
        let session = session()
        let (edited, removed) = (stub("edited"), stub("removed"))
        _ = session.update([("a", [edited, removed]), ("b", [stub("b")])])
        _ = try session.replace(stub("edit", id: edited.id))
        _ = try session.remove(removed.id)
        try session.add(stub("mine"))
        try session.add(stub("in its place", id: removed.id))
        #expect(names(session) == ["in its place", "mine", "b", "edit"])
        session.dropAllButFiles()
        #expect(names(session) == ["b", "removed", "edited"])
    }

    @Test func allStubsCanBeRemovedAndComeBack() throws {
        let session = session()
        _ = session.update([("a", [stub("a1"), stub("a2")])])
        try session.removeAll()
        #expect(session.stubCount == 0)
        session.dropAllButFiles()
        #expect(names(session) == ["a2", "a1"])
    }

    // MARK: Saved stubs

    @Test func aSavedStubKeepsItsPlaceUntilTheReset() throws {
        let session = session()
        _ = session.update([("z", [stub("z")])])
        try session.add(stub("saved", persistent: true))
        try session.add(stub("mine"))
        #expect(names(session) == ["mine", "saved", "z"])
        #expect(store.names == ["saved"])
        // The watch would report the same again.
        let saved = try #require(store.stubs("saved"))
        #expect(session.update([("saved", saved)]).isEmpty)
        #expect(names(session) == ["mine", "saved", "z"])
        session.dropAllButFiles()
        #expect(names(session) == ["z", "saved"])
    }

    @Test func savingOneStubOfAFileKeepsItsOtherStubs() throws {
        let session = session()
        let (saved, edited, removed) = (stub("saved"), stub("edited"), stub("removed"))
        _ = session.update([("a", [saved, edited, removed])])
        _ = try session.replace(stub("edit", id: edited.id))
        _ = try session.remove(removed.id)
        _ = try session.replace(stub("saved 2", id: saved.id, persistent: true))
        #expect(store.stubs("a")?.compactMap(\.name) == ["saved 2", "edited", "removed"])
        _ = try session.remove(saved.id)
        #expect(store.stubs("a")?.compactMap(\.name) == ["edited", "removed"])
        session.dropAllButFiles()
        #expect(names(session) == ["removed", "edited"])
    }

    @Test func saveWritesOnlyUnsavedStubs() throws {
        let session = session()
        let edited = stub("edited")
        _ = session.update([("a", [edited]), ("b", [stub("b")])])
        _ = try session.replace(stub("edit", id: edited.id))
        try session.add(stub("mine"))
        try session.saveAll()
        #expect(store.names == ["a", "mine"])
        #expect(store.stubs("a")?.map(\.name) == ["edit"])
        #expect(session.stubs.map { $0.persistent ?? false } == [true, false, true])
    }

    @Test func aStubThatCannotBeSavedIsNotServed() throws {
        let session = session()
        store.refuses = ["full"]
        #expect(throws: StubRefusal.notStored("no room")) { try session.add(stub("full", persistent: true)) }
        let kept = stub("kept", persistent: true)
        try session.add(kept)
        let both = [stub("full", persistent: true), stub("kept 2", id: kept.id, persistent: true)]
        let document = StubImport(mappings: both)
        #expect(throws: StubRefusal.notStored("no room")) { try session.importStubs(document) }
        #expect(names(session) == ["kept"])
        #expect(store.stubs("kept")?.map(\.name) == ["kept"])
    }

    @Test func anImportIsAllOrNothing() throws {
        let session = session()
        let kept = stub("kept")
        try session.add(kept)
        var bad = stub("bad")
        bad.request.url = .urlPattern("[a-")
        var document = StubImport(mappings: [bad, stub("new"), stub("edit", id: kept.id)])
        document.deleteAllNotInImport = true
        #expect(throws: StubRefusal.self) { try session.importStubs(document) }
        #expect(names(session) == ["kept"])
    }

    /// Random changes, compared with a plain list.
    @Test(arguments: [UInt64(11), 12])
    func theOrderIsThatOfAList(seed: UInt64) throws {
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let session = session()
        var own: [StubMapping] = []
        var files: [String: [StubMapping]] = [:]
        for number in 0..<400 {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0:
                own.append(stub("\(number)", priority: Int.random(in: 4...6, using: &generator)))
                try session.add(own[own.count - 1])
            case 1:
                guard let place = own.indices.randomElement(using: &generator) else { continue }
                own[place] = stub("\(number)", id: own[place].id, priority: Int.random(in: 4...6, using: &generator))
                _ = try session.replace(own[place])
            case 2:
                guard let place = own.indices.randomElement(using: &generator) else { continue }
                _ = try session.remove(own.remove(at: place).id)
            case 3:
                let name = String(UnicodeScalar(UInt8(97 + Int.random(in: 0..<20, using: &generator))))
                files[name] = (0..<Int.random(in: 0...3, using: &generator)).map {
                    stub("\(name)\(number)-\($0)", priority: Int.random(in: 4...6, using: &generator))
                }
                #expect(session.update([(name, files[name])]).isEmpty)
            default:
                guard let name = files.keys.sorted().randomElement(using: &generator) else { continue }
                files[name] = nil
                _ = session.update([(name, nil as [StubMapping]?)])
            }
            let inserted = files.sorted { $0.key < $1.key }.flatMap(\.value) + own
            let expected = inserted.reversed().enumerated().sorted { left, right in
                let (a, b) = (left.element.priority ?? 5, right.element.priority ?? 5)
                return a != b ? a < b : left.offset < right.offset
            }
            #expect(session.stubs.map(\.id) == expected.map(\.element.id))
        }
    }
}

/// A store in memory, in which a stub's file has the stub's name.
final class MemoryStore: StubStore {
    private let files = Mutex<[String: [StubMapping]]>([:])
    private let refused = Mutex<Set<String>>([])

    var refuses: Set<String> {
        get { refused.withLock { $0 } }
        set { refused.withLock { $0 = newValue } }
    }

    var names: [String] { files.withLock { $0.keys.sorted() } }

    func stubs(_ file: String) -> [StubMapping]? { files.withLock { $0[file] } }

    func write(_ stub: StubMapping, file: String?, companions: [StubMapping]) throws(StubStoreError) -> String {
        let name = file ?? stub.name ?? ""
        if refuses.contains(name) { throw StubStoreError(message: "no room") }
        files.withLock { $0[name] = companions.isEmpty ? [stub] : companions }
        return name
    }

    func remove(_ file: String) throws(StubStoreError) {
        files.withLock { $0[file] = nil }
    }

    func flush(_ files: [String]) {}

    func text(of file: String) -> String? { names.contains(file) ? "" : nil }
}
