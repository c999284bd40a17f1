import SDHTTPMessages
import SDPlatform
import SDStubModel
import Synchronization

/// Collections that write their changes to the file they were read from: the field `write`. Only the default session
/// writes; changes in other sessions stay in memory.
extension CollectionOwner {
    /// Schedules the writing of a changed collection, in the background.
    func writeLater(_ name: String, _ table: ResourceTable) {
        guard writesData, table.declaration(name)?.definition.write == true else { return }
        writeFilesLater { [self] in write(name) }
    }

    /// Writes all unsaved changes, and returns when they are in the files. For the end of the process.
    package func finishWriting() {
        guard writesData else { return }
        writeFiles {
            for name in resources.names { write(name) }
        }
    }

    /// Writes a collection to its file, if it has changed. Called under `editing`, because the disk may be slow.
    private func write(_ name: String) {
        let table = resources
        guard let declaration = table.declaration(name), declaration.definition.write == true,
            let path = declaration.definition.data?.fileName,
            withData({ data, _ in data.entries[name]?.isUnwritten == true })
        else { return }
        // If the file was changed meanwhile, its content counts, and the collection restarts from it.
        report(declaration.refresh(files, hasData: true))
        let (before, changed) = withData { data, _ -> (Fingerprint, RecordSet?) in
            let before = declaration.contents.fingerprint
            guard var entry = data.entry(name, declared: before, keepsChanges: false), entry.isUnwritten else {
                return (before, nil)
            }
            entry.isUnwritten = false
            data.put(name, entry)
            return (before, entry.records)
        }
        guard let changed else { return }
        let key = declaration.definition.key
        do throws(DataProblem) {
            let bytes = try DataText(read(path), path: path).replacing(with: changed, name: name, key: key)
            let read = try RecordSet(text: DataText(bytes, path: path), name: name, key: key)
            declaration.willWrite(bytes)
            do throws(BodyFileRefusal) {
                try bodies.write(path, bytes)
            } catch {
                declaration.didNotWrite()
                throw DataProblem(message: error.text)
            }
            withData { data, _ in
                let after = declaration.didWrite(read)
                guard var entry = data.entries[name], entry.declared == before else { return }
                entry.declared = after
                entry.isChanged = entry.isUnwritten
                data.put(name, entry)
            }
        } catch {
            warned("the data file \(path) is not written: \(error); the next change tries again")
        }
    }

    private func read(_ path: String) throws(DataProblem) -> [UInt8] {
        do throws(BodyFileError) {
            return try files.read(path).content.prefix(.max)
        } catch {
            throw DataProblem(message: error.reason)
        }
    }
}

extension BodyFileRefusal {
    /// The reason as a clause.
    fileprivate var text: String {
        switch self {
        case .notFound: "there is no such file"
        case .outside(let reason), .invalid(let reason), .conflict(let reason), .failed(let reason): reason
        }
    }
}
