import SDJSON
import SDJournal
public import SDMatching
public import SDStubModel
import Synchronization

/// The fault sets of files: those of the daemon's folder, for all sessions, or those that one session has loaded.
final class FaultSets: Sendable {
    private let files = Mutex<[String: [FaultSet]]>([:])

    /// All sets with their files, by name. If two have the same name, the first file wins.
    var all: [(set: FaultSet, file: String)] {
        var found: [String: (set: FaultSet, file: String)] = [:]
        let files = files.withLock { $0 }
        for (file, sets) in files.sorted(by: { $0.key < $1.key }) {
            for set in sets where found[set.name] == nil { found[set.name] = (set, file) }
        }
        return found.values.sorted { $0.set.name < $1.set.name }
    }

    /// Replaces the sets of a file; an empty list if the file was removed.
    func replace(_ sets: [FaultSet], of file: String) {
        files.withLock { $0[file] = sets.isEmpty ? nil : sets }
    }

    func removeAll() { files.withLock { $0 = [:] } }

    var fileNames: [String] { files.withLock { Array($0.keys) } }
}

extension Session {
    /// The fault sets that can be switched on, with their files, by name. The session's own sets take precedence.
    public var faultSets: [(set: FaultSet, file: String)] {
        let own = loaded.faultSets.all
        guard loaded !== shared.folder, !own.isEmpty else { return shared.folder.faultSets.all }
        let names = Set(own.map(\.set.name))
        return (own + shared.folder.faultSets.all.filter { !names.contains($0.set.name) }).sorted {
            $0.set.name < $1.set.name
        }
    }

    /// Replaces the sets of a file; an empty list if the file was removed.
    public func replaceFaultSets(_ sets: [FaultSet], of file: String) {
        loaded.faultSets.replace(sets, of: file)
    }

    /// The problems that keep faults of a set from acting, each with the fault's index.
    public static func problems(of set: FaultSet) -> [(index: Int, problem: ServingProblem)] {
        set.faults.enumerated().flatMap { index, fault in
            do throws(PatternProblems) {
                _ = try ActiveFault(fault)
                return [(Int, ServingProblem)]()
            } catch {
                return error.problems.map { (index, ServingProblem($0)) }
            }
        }
    }

    /// The problems of the sets of a file, each with its pointer in the file.
    public static func problems(ofSets sets: [FaultSet]) -> [ModelProblem] {
        sets.flatMap { set in
            problems(of: set).map { index, problem in
                ModelProblem(
                    pointer: JSONPointer(["chaos", set.name, String(index)]).appending(problem.pointer),
                    isAboutName: true, message: problem.message)
            }
        }
    }

    /// The files that have fault sets.
    public var faultFiles: [String] { loaded.faultSets.fileNames }
}
