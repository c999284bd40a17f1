package import SDHTTPMessages
import SDJSON
package import SDJSONSchema
package import SDMatching
import SDPlatform
package import SDStubModel
import Synchronization

/// A stub's declaration of a collection: the initial records, and the schema. Both are read when the stub is compiled,
/// and files again when they have changed; invalid content never replaces valid content.
package final class DeclaredCollection: Sendable {
    package let definition: ResourceDefinition
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
        /// The problem of the last reading; nil for none.
        var problem: DataProblem?
        var hasBeenGood = false
        /// The fingerprint of content that this process is about to write.
        var written: Fingerprint?
        /// Incremented when a write starts and when it ends.
        var writes = 0

        mutating func take(_ version: UInt64, _ fingerprint: Fingerprint, problem: DataProblem?) {
            self.version = version
            self.fingerprint = fingerprint
            self.problem = problem
            if problem == nil { hasBeenGood = true }
        }

        func isKnown(_ content: Fingerprint) -> Bool {
            version != 0 && fingerprint == content || written == content
        }
    }

    package struct Contents: Sendable {
        /// The records; nil until the file could be read.
        package var records: RecordSet?
        /// Identifies the declaration's content.
        var fingerprint = Fingerprint()
        package var schema: JSONSchema?
        /// Whether there is a schema that could not be read.
        var lacksSchema = false
    }

    /// The records parsed from a document in a stub, shared by the stubs that have it.
    private struct InlineRecords: Sendable {
        let name, key: String
        let records: RecordSet
        let fingerprint: Fingerprint
    }

    /// A file under `__files` with invalid content.
    package struct FileProblem: Error {
        package let path: String
        package let problem: DataProblem
    }

    /// Parses the data in the stub itself; `refresh` reads files.
    /// - Throws: what is wrong with it.
    package init(_ definition: ResourceDefinition) throws(StubProblems) {
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

    package struct StubProblems: Error {
        package let problems: [ServingProblem]
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

    package var contents: Contents { state.withLock { $0.contents } }

    /// The names of its data and schema files.
    package var fileNames: [String] { [definition.data?.fileName, definition.schema?.fileName].compactMap(\.self) }

    // MARK: Files

    /// Why there is no schema or, if it has the collection's data, why there are no records.
    package func problem(hasData: Bool) -> FileProblem? {
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

    /// Whether there is little or nothing to read.
    func isQuick(_ files: any BodyFileSource) -> Bool {
        let versions = state.withLock { ($0.data.version, $0.schema.version) }
        return [(definition.data, versions.0), (definition.schema, versions.1)].allSatisfy { source, version in
            guard let path = source?.fileName, let file = try? files.read(path) else { return true }
            return file.version == version || file.content.count < 64 << 10
        }
    }

    /// Reads the files that have changed.
    /// - Parameter hasData: whether it has the collection's data; two stubs need not hold the same records.
    /// - Returns: the problems of the files read now, except missing files.
    @discardableResult
    package func refresh(_ files: any BodyFileSource, hasData: Bool) -> [FileProblem] {
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
        while true {
            let writes = state.withLock { $0[keyPath: part].writes }
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
            // Each opening of a large file counts as a new version.
            let isKnown = state.withLock { state -> Bool? in
                let known = state[keyPath: part].isKnown(fingerprint)
                if known { state[keyPath: part].version = file.version }
                return known || state[keyPath: part].writes == writes ? known : nil
            }
            // If a write has happened meanwhile, the content may be outdated, and is read again.
            guard let isKnown else { continue }
            return isKnown ? [] : take(bytes, fingerprint, file.version, path, part, read)
        }
    }

    /// Applies the new content of a file.
    private func take(
        _ bytes: [UInt8], _ fingerprint: Fingerprint, _ version: UInt64, _ path: String,
        _ part: WritableKeyPath<State, FileState>,
        _ read: ([UInt8]) throws(DataProblem) -> @Sendable (inout Contents) -> Void
    ) -> [FileProblem] {
        do throws(DataProblem) {
            let change = try read(bytes)
            state.withLock { state in
                state[keyPath: part].take(version, fingerprint, problem: nil)
                change(&state.contents)
            }
            return []
        } catch {
            let problem = error
            state.withLock { $0[keyPath: part].take(version, fingerprint, problem: problem) }
            return [FileProblem(path: path, problem: problem)]
        }
    }

    // MARK: Writing

    /// Announces the content that is about to be written, so that it does not count as an external change.
    func willWrite(_ bytes: [UInt8]) {
        let fingerprint = Fingerprint(bytes)
        state.withLock { state in
            state.data.written = fingerprint
            state.data.writes += 1
        }
    }

    func didNotWrite() {
        state.withLock { state in
            state.data.written = nil
            state.data.writes += 1
        }
    }

    /// Makes the written records the declared ones.
    /// - Returns: their fingerprint.
    func didWrite(_ records: RecordSet) -> Fingerprint {
        let fingerprint = Self.fingerprint(records, definition)
        state.withLock { state in
            state.data.fingerprint = state.data.written ?? state.data.fingerprint
            state.data.written = nil
            state.data.writes += 1
            state.contents.records = records
            state.contents.fingerprint = fingerprint
        }
        return fingerprint
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
