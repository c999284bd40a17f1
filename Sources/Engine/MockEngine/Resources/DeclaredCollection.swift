import SDBudget
import SDHTTPMessages
import SDJSON
import SDJSONSchema
import SDRecords
import SDStubModel
import Synchronization

/// A stub's declaration of a collection: the records to begin with, and the schema. Both are read when the stub is
/// compiled, and those of files again when the files have changed; what cannot be read never replaces what could.
final class DeclaredCollection: Sendable {
    let definition: ResourceDefinition
    private let state: Mutex<State>

    private struct State {
        var contents = Contents()
        var data = FileState()
        var schema = FileState()
    }

    /// The state of a file as of its last reading.
    private struct FileState {
        /// The version of the last reading; 0 before it.
        var version: UInt64 = 0
        var fingerprint = Fingerprint()
        /// The reason why the last reading gave nothing.
        var problem: DataProblem?
        var hasBeenGood = false
    }

    struct Contents: Sendable {
        /// The records; nil as long as the file could not be read.
        var records: RecordSet?
        /// Tells whether two declarations are the same.
        var fingerprint = Fingerprint()
        var schema: JSONSchema?
        /// Whether there is a schema that could not be read.
        var lacksSchema = false
    }

    /// The records that were made of a document in a stub, for the stubs that share it.
    private struct InlineRecords: Sendable {
        let name, key: String
        let records: RecordSet
        let fingerprint: Fingerprint
    }

    /// A file under `__files` that is not what it should be.
    struct FileProblem: Error {
        let path: String
        let problem: DataProblem
    }

    /// Reads what the stub holds itself; files are read by `refresh`.
    /// - Throws: what is wrong with it.
    init(_ definition: ResourceDefinition) throws(StubProblems) {
        self.definition = definition
        var contents = Contents()
        var problems: [ServingProblem] = []
        switch definition.data {
        case nil: contents.records = RecordSet()
        case .file: break
        case .document(let document):
            do throws(DataProblem) {
                let made = try document.shared { (made: InlineRecords) in
                    made.name == definition.name && made.key == definition.key
                } _: { json throws(DataProblem) in
                    let records = try RecordSet(json, name: definition.name, key: definition.key)
                    return InlineRecords(
                        name: definition.name, key: definition.key, records: records,
                        fingerprint: Self.fingerprint(records, definition))
                }
                contents.fingerprint = made.fingerprint
                contents.records = made.records
            } catch {
                problems.append(
                    ServingProblem(
                        pointer: JSONPointer(["resource", "data"]).appending(error.pointer ?? .root),
                        message: error.text))
            }
        }
        switch definition.schema {
        case nil: break
        case .file: contents.lacksSchema = true
        case .document(let document):
            do throws(SchemaProblem) {
                contents.schema = try document.shared { (_: JSONSchema) in
                    true
                } _: { json throws(SchemaProblem) in
                    try JSONSchema(json)
                }
            } catch {
                problems.append(
                    ServingProblem(
                        pointer: JSONPointer(["resource", "schema"]).appending(error.pointer), message: error.message))
            }
        }
        if !problems.isEmpty { throw StubProblems(problems: problems) }
        state = Mutex(State(contents: contents))
    }

    struct StubProblems: Error {
        let problems: [ServingProblem]
    }

    private static func fingerprint(_ records: RecordSet, _ definition: ResourceDefinition) -> Fingerprint {
        var fingerprint = Fingerprint()
        fingerprint.add(definition.key.utf8)
        records.visit { record in
            fingerprint.add([0])
            fingerprint.add(record.bytes)
            return true
        }
        return fingerprint
    }

    var contents: Contents { state.withLock { $0.contents } }

    /// The names of the files that it is read from.
    var fileNames: [String] { [definition.data?.fileName, definition.schema?.fileName].compactMap(\.self) }

    // MARK: Files

    /// The reason why there is no schema or, if it has the data of the collection, there are no records.
    func problem(hasData: Bool) -> FileProblem? {
        state.withLock { state in
            if hasData, let path = definition.data?.fileName, state.contents.records == nil {
                return FileProblem(path: path, problem: state.data.problem ?? Self.unread)
            }
            if let path = definition.schema?.fileName, state.contents.lacksSchema {
                return FileProblem(path: path, problem: state.schema.problem ?? Self.unread)
            }
            return nil
        }
    }

    private static let unread = DataProblem(message: "the file has not been read")

    /// Whether there is nothing, or little, to be read.
    func isQuick(_ files: any BodyFileSource) -> Bool {
        let versions = state.withLock { ($0.data.version, $0.schema.version) }
        return [(definition.data, versions.0), (definition.schema, versions.1)].allSatisfy { source, version in
            guard let path = source?.fileName, let file = try? files.read(path) else { return true }
            return file.version == version || file.content.count < 64 << 10
        }
    }

    /// Reads the files that have changed.
    /// - Parameter hasData: whether its data are those of the collection; two stubs need not hold the same records.
    /// - Returns: what is wrong with those that were read now. Missing files are not among them.
    @discardableResult
    func refresh(_ files: any BodyFileSource, hasData: Bool) -> [FileProblem] {
        var problems: [FileProblem] = []
        if hasData, let path = definition.data?.fileName {
            problems += refresh(path, files, \.data) { bytes throws(DataProblem) in
                let records = try RecordSet(
                    text: DataText(bytes, path: path), name: definition.name, key: definition.key)
                let fingerprint = Self.fingerprint(records, definition)
                return {
                    $0.records = records
                    $0.fingerprint = fingerprint
                }
            }
        }
        if let path = definition.schema?.fileName {
            problems += refresh(path, files, \.schema) { bytes throws(DataProblem) in
                let schema = try Self.schema(DataText(bytes, path: path))
                return {
                    $0.schema = schema
                    $0.lacksSchema = false
                }
            }
        }
        return problems
    }

    private func refresh(
        _ path: String, _ files: any BodyFileSource, _ part: WritableKeyPath<State, FileState>,
        _ read: ([UInt8]) throws(DataProblem) -> @Sendable (inout Contents) -> Void
    ) -> [FileProblem] {
        let file: BodyFile
        do throws(BodyFileError) {
            file = try files.read(path)
        } catch {
            let problem = DataProblem(message: "the file cannot be read: \(error.reason)")
            state.withLock { $0[keyPath: part].problem = problem }
            return []
        }
        if state.withLock({ $0[keyPath: part].version == file.version }) { return [] }
        let bytes = file.content.prefix(.max)
        let fingerprint = Fingerprint(bytes)
        // Each opening of a large file counts as a version of its own.
        let isKnown = state.withLock { state in
            let known = state[keyPath: part]
            guard known.version != 0, known.fingerprint == fingerprint else { return false }
            state[keyPath: part].version = file.version
            return true
        }
        if isKnown { return [] }
        do throws(DataProblem) {
            let change = try read(bytes)
            state.withLock { state in
                state[keyPath: part] = FileState(
                    version: file.version, fingerprint: fingerprint, problem: nil, hasBeenGood: true)
                change(&state.contents)
            }
            return []
        } catch {
            let problem = error
            state.withLock { state in
                let wasGood = state[keyPath: part].hasBeenGood
                state[keyPath: part] = FileState(
                    version: file.version, fingerprint: fingerprint, problem: problem, hasBeenGood: wasGood)
            }
            return [FileProblem(path: path, problem: problem)]
        }
    }

    private static func schema(_ text: DataText) throws(DataProblem) -> JSONSchema {
        let json = try text.json()
        do throws(SchemaProblem) {
            return try JSONSchema(json)
        } catch {
            throw DataProblem(
                pointer: error.pointer, position: text.position(of: error.pointer), message: error.message)
        }
    }
}
