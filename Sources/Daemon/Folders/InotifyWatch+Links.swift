#if os(Linux)
    internal import SDPlatform

    /// Links in the stub folder with targets elsewhere: the targets' folders are watched too.
    extension InotifyWatch {
        /// A folder that contains a link or a target of a chain.
        struct LinkFolder {
            let folder: String
            /// The paths of the stub folder's links, by the name in this folder on which they depend.
            var links: [String: Set<String>] = [:]
        }

        /// Watches the folders on which a link's target depends: changing the target, or a link in the chain, changes
        /// the link. Folders that cannot be watched are checked in the periodic full scans.
        mutating func follow(_ link: String) {
            for place in LinkChain(link, in: core.folder.path).places {
                do throws(SystemError) {
                    let number = try inotify.add(place.folder)
                    linkFolders[number, default: LinkFolder(folder: place.folder)].links[place.name, default: []]
                        .insert(
                            link)
                } catch {
                    if !error.isNotFound { isIncomplete = true }
                }
            }
        }

        /// Records that links have another target, or their target another content.
        mutating func handleLinkFolder(_ event: Inotify.Event) throws(SystemError) {
            guard let linkFolder = linkFolders[event.folder] else { return }
            if event.isIgnored { linkFolders.removeValue(forKey: event.folder) }
            let isEnd = event.isIgnored || event.isEndOfFolder
            let links =
                isEnd ? linkFolder.links.values.reduce(into: []) { $0.formUnion($1) } : linkFolder.links[event.name]
            guard let links else { return }
            let place = join(linkFolder.folder, event.name)
            // A new file is reported when it has been written.
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
