#if os(Linux)
    import SDJSON
    import SDTestSupport
    import Testing

    /// Files whose names are not UTF-8: they are not used, and everybody is told.
    @Suite struct ForeignNameTests {
        private static let stub = "GET /cafe: { body: coffee }"
        private static let fileMessage = #"/caf\xE9.yaml: warning: the name is not UTF-8, so its stubs are not read"#
        private static let folderMessage =
            #"/th\xE9: warning: the name is not UTF-8, so no stubs are read from this folder"#
        private static let bodyMessages = [
            #"/__files/caf\xE9.html: warning: the name is not UTF-8, so no response can use this file"#,
            #"/__files/in/th\xE9: warning: the name is not UTF-8, so no response can use the files in this folder"#,
        ]

        /// Makes such files, of which only a shell can write the names.
        private func make(in folder: TemporaryFolder) throws {
            let script = """
                cd "$1" && f=$(printf 'caf\\351') && d=$(printf 'th\\351') && mkdir "$d" &&
                echo '\(Self.stub)' > "$f.yaml" && echo x > "$f.png" && echo '\(Self.stub)' > "$d/a.yaml" &&
                echo '\(Self.stub)' > ".$f.yaml" && mkdir -p "__files/in/$d" && echo x > "__files/$f.html"
                """
            let shell = try ChildProcess("/bin/sh", ["-c", script, "sh", folder.path], outputsIn: folder)
            #expect(shell.wait() == .exited(0), "\(shell.errors)")
        }

        @Test func theyAreNamedAtTheStart() throws {
            let folder = try TemporaryFolder()
            try folder.write("a.yaml", "GET /a: {}")
            try make(in: folder)
            let daemon = try Daemon(serving: folder.path)
            for message in [Self.fileMessage, Self.folderMessage] + Self.bodyMessages {
                #expect(daemon.says(message.replacing("\\", with: "\\\\")), "\(message)")
            }
            let warnings = daemon.process.errors.split(separator: "\n").compactMap {
                (try? JSONValue(parsing: String($0)))?["message"]?.stringValue
            }
            #expect(warnings.contains { $0.hasSuffix(Self.fileMessage) }, "\(warnings)")
            #expect(warnings.contains { $0.hasSuffix(Self.folderMessage) }, "\(warnings)")
            #expect(!warnings.contains { $0.contains(".png") || $0.contains("/.caf") }, "\(warnings)")
            #expect(try daemon.get("/a").status == 200)
        }

        @Test func bodyFilesAreNamedWithoutAWatchToo() throws {
            let folder = try TemporaryFolder()
            try folder.write("a.yaml", "GET /a: {}")
            try make(in: folder)
            let daemon = try Daemon(serving: folder.path, ["--no-watch"])
            #expect(daemon.says(#"__files/caf\\xE9.html"#))
        }

        @Test func theyAreNamedOnceWhenTheyCome() throws {
            let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: one }"])
            try make(in: daemon.folder)
            #expect(daemon.says(#"caf\\xE9.yaml"#))
            #expect(daemon.says(#"th\\xE9"#))
            #expect(daemon.says(#"__files/caf\\xE9.html"#))
            try daemon.folder.write("a.yaml", "GET /a: { body: two }")
            #expect(try eventually { try daemon.get("/a").text == "two" ? true : nil } == true)
            daemon.process.signal(1)
            try daemon.folder.write("a.yaml", "GET /a: { body: three }")
            #expect(try eventually { try daemon.get("/a").text == "three" ? true : nil } == true)
            #expect(try daemon.get("/cafe").status == 404)
        }

        @Test func validateNamesThem() throws {
            let folder = try TemporaryFolder()
            let scratch = try TemporaryFolder()
            try folder.write("a.yaml", "GET /a: {}")
            try make(in: folder)
            for (options, status) in [([], 0), (["--strict"], 1)] as [([String], Int32)] {
                let process = try ChildProcess(Daemon.binary, ["validate", folder.path] + options, outputsIn: scratch)
                #expect(process.wait() == .exited(status))
                let lines = process.output.split(separator: "\n").filter { $0.contains("not UTF-8") }
                #expect(lines.count == 4, "\(process.output)")
                for message in [Self.fileMessage, Self.folderMessage] + Self.bodyMessages {
                    // With --strict it is an error.
                    let parts = message.split(separator: "warning")
                    let count = lines.count { line in parts.allSatisfy { line.contains($0) } }
                    #expect(count == 1, "\(message): \(process.output)")
                }
            }
        }
    }
#endif
