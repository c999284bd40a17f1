import SDHTTPMessages
import SDPlatform
import SDStubModel
import Synchronization

/// Collections whose changes are written to the file that they were read from: the field `write`. Only the first session
/// writes; what others change stays theirs.
extension CollectionKeeper {
    /// Has a collection written that a request has changed, beside the loops.
    func writeLater(_ name: String, _ table: ResourceTable) {
        guard writesData, table.declaration(name)?.definition.write == true else { return }
        writeFilesLater { [self] in write(name) }
    }

    /// Writes all that has changed and is not written, and returns when it is in the files. For the end of the process.
    package func finishWriting() {
        guard writesData else { return }
        writeFiles {
            for name in resources.names { write(name) }
        }
    }

    /// Writes a collection to its file, if it has changed. Called under `editing`, as the disk may be slow.
    private func write(_ name: String) {
        let table = resources
        guard let declaration = table.declaration(name), declaration.definition.write == true,
            let path = declaration.definition.data?.fileName,
            withData({ data, _ in data.entries[name]?.isUnwritten == true })
        else { return }
        // What somebody else has written meanwhile counts, and the collection begins anew from it.
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
