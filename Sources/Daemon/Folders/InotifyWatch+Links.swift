#if os(Linux)
    internal import SDPlatform

    /// Links among the stubs whose targets are elsewhere: their folders are watched, too.
    extension InotifyWatch {
        /// A folder on the way of links.
        struct Trail {
            let folder: String
            /// The paths of the links, relative to the stub folder, by the names in this one.
            var links: [String: Set<String>] = [:]
        }

        /// Watches the folders in which it is decided where a link leads: an edit of its target, or of a link on the way,
        /// is one of the link. Those that cannot be watched are looked at with everything else, once in a while.
        mutating func follow(_ link: String) {
            for place in LinkTrail(link, in: core.folder.path).places {
                do throws(SystemError) {
                    let number = try inotify.add(place.folder)
                    trails[number, default: Trail(folder: place.folder)].links[place.name, default: []].insert(link)
                } catch {
                    if !error.isNotFound { isIncomplete = true }
                }
            }
        }

        /// Notes that links lead elsewhere than before, or to another content.
        mutating func handleTrail(_ event: Inotify.Event) throws(SystemError) {
            guard let trail = trails[event.folder] else { return }
            if event.isIgnored { trails.removeValue(forKey: event.folder) }
            let isEnd = event.isIgnored || event.isEndOfFolder
            let links = isEnd ? trail.links.values.reduce(into: []) { $0.formUnion($1) } : trail.links[event.name]
            guard let links else { return }
            let place = join(trail.folder, event.name)
            // A new file is looked at when it has been written.
            if !isEnd, event.isCreation, !event.isAboutFolder, isFile(place), !hasOtherNames(place) { return }
            for link in links {
                follow(link)
                if SystemCalls.isFolder(join(core.folder.path, link)) {
                    forget(link)
                    try watchTree(link)
                }
                mark(link)
            }
        }
    }
#endif
