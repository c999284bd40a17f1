#if os(Linux)
    import Foundation
    import SDTestSupport
    import Testing

    private let entry = PackageFiles.root + "/packaging/image/entrypoint.sh"
    private let healthCheck = PackageFiles.root + "/packaging/image/healthcheck.sh"

    /// The scripts of the container image, outside of one: what commands start, and what the health check sees.
    @Suite struct ImageScriptTests {

        // MARK: The entry point

        /// A command, and the arguments that the daemon gets.
        static let commands: [([String], [String])] = [
            ([], []), ([""], []), (["", "--disable-banner"], ["--disable-banner"]),
            (["--keystore-password", ""], ["--keystore-password", ""]),
            (["--verbose", "--port", "9000"], ["--verbose", "--port", "9000"]),
            (["/docker-entrypoint.sh"], []),
            (["/docker-entrypoint.sh", "--verbose"], ["--verbose"]),
            (["/docker-entrypoint.sh", "java", "-jar", "wiremock.jar", "--verbose"], ["--verbose"]),
            (["wiremock", "--port", "9000"], ["--port", "9000"]),
            (["validate", "/mocks"], ["validate", "/mocks"]), (["help"], ["help"]), (["/tmp"], ["/tmp"]),
            (["wait", "http://wiremock:8080"], ["wait", "http://wiremock:8080"]),
            (["stuntdouble", "--port", "1"], ["--port", "1"]),
            (["java", "-jar", "wiremock-standalone.jar"], []),
            (["java", "-jar", "/var/wiremock/lib/wiremock-standalone.jar", "--port", "9000"], ["--port", "9000"]),
            (["java", "-Xmx1g", "-Xms64m", "-jar", "wiremock.jar", "--port=9000"], ["--port=9000"]),
            (
                [
                    "java", "-cp", "/var/wiremock/lib/*:/var/wiremock/extensions/*",
                    "com.github.tomakehurst.wiremock.standalone.WireMockServerRunner", "--global-response-templating",
                ], ["--global-response-templating"]
            ),
            (["java", "-classpath", "a.jar", "wiremock.Run", "a b"], ["a b"]),
            (["java", "--class-path=a.jar", "wiremock.Run", "-v"], ["-v"]),
            (
                [
                    "java", "-server", "-Dk=v", "-Dfile.encoding=UTF-8", "-XX:+UseG1GC", "-XX:MaxRAMPercentage=75",
                    "-ea",
                    "-javaagent:agent.jar", "-Djava.net.preferIPv4Stack=true", "-jar", "wiremock.jar", "--verbose",
                ], ["--verbose"]
            ),
            (
                [
                    "java", "--add-opens", "java.base/java.lang=ALL-UNNAMED",
                    "--add-opens=java.base/java.util=ALL-UNNAMED",
                    "--add-exports", "a/b=c", "--add-modules", "ALL-SYSTEM", "--add-reads", "a=b", "--patch-module",
                    "a=b",
                    "--limit-modules", "a", "--enable-native-access", "ALL-UNNAMED", "-jar", "wiremock.jar", "--port",
                    "1",
                ], ["--port", "1"]
            ),
            (["java", "-p", "mods", "-m", "org.wiremock/wiremock.Run", "--port", "1"], ["--port", "1"]),
            (["java", "--module-path", "mods", "--module=org.wiremock/wiremock.Run", "--port", "1"], ["--port", "1"]),
            (["/opt/java/openjdk/bin/java", "-jar", "wiremock.jar", "--port", "1"], ["--port", "1"]),
            (["java", "@ARGS", "--port", "1", "c d"], ["--verbose", "--root-dir", "/a b", "--port", "1", "c d"]),
            (["java", "-Xmx1g", "@JVM", "-jar", "wiremock.jar", "-v"], ["-v"]),
            (["java", "-version"], ["--version"]),
        ]

        @Test(arguments: commands) func aCommandStartsTheDaemonWithItsFlags(command: [String], given: [String]) throws {
            let place = try Place()
            try place.folder.write(
                "ARGS",
                "# for the JVM\n-Xmx1g -Dk=\"v w\"\n\t-cp '/a b/x.jar' # where\n-jar \"my wiremock.jar\"\n--verbose --root-dir '/a b'\n"
            )
            try place.folder.write("JVM", "-cp x\n")
            let result = try place.run(
                command.map { $0.hasPrefix("@") ? "@\(place.folder.path)/\($0.dropFirst())" : $0 })
            #expect(result.output == (["stuntdouble"] + given).map { "<\($0)>" }.joined() + "\n", "\(result.errors)")
            #expect(result.errors.isEmpty)
        }

        /// A file of arguments, and its words by the rules of the JVM.
        static let argumentFiles: [(String, [String])] = [
            ("\"--x=a #b\" c", ["--x=a #b", "c"]), ("'#a' b#c\nd", ["#a", "b", "d"]), ("a\"#\"b # it's", ["a#b"]),
            ("\"it's\" 'a \"b\"'", ["it's", "a \"b\""]), ("\"\" b", ["", "b"]), ("a\"b c\"d", ["ab cd"]),
            ("\"a\\tb\\\\c\\\"d\\n\" e\\tf \\", ["a\tb\\c\"d\n", "e\\tf", "\\"]),
            ("\"a \\\n   b\" c", ["a b", "c"]), ("a\r\nb\r\n", ["a", "b"]), ("'ä ö'", ["ä ö"]), ("# it's\n", []),
            ("'$(exit 3)' `id` $HOME * -k=x;y & >/z", ["$(exit 3)", "`id`", "$HOME", "*", "-k=x;y", "&", ">/z"]),
        ]

        @Test(arguments: argumentFiles) func aFileOfArgumentsIsReadAsTheJVMDoes(text: String, words: [String]) throws {
            let place = try Place()
            try place.folder.write("ARGS", "-jar wiremock.jar \(text)")
            let result = try place.run(["java", "@\(place.folder.path)/ARGS", "z", "q r"])
            let given = ["stuntdouble"] + words + ["z", "q r"]
            #expect(result.output == given.map { "<\($0)>" }.joined() + "\n", "\(result.errors)")
            #expect(result.errors.isEmpty)
        }

        @Test(arguments: ["\"abc", "-v it's a", "-v\n'a b\nc d'", "\"a \\", "\"a\\\""])
        func aQuoteWithoutAnEndIsTold(text: String) throws {
            let place = try Place()
            try place.folder.write("ARGS", "-jar wiremock.jar \(text)")
            let result = try place.run(["java", "@\(place.folder.path)/ARGS"])
            let quote = try #require(text.first { "\"'".contains($0) })
            let told = "stuntdouble: \(place.folder.path)/ARGS, a file of arguments for java: line "
            #expect(result.errors.hasPrefix(told), "\(result.errors)")
            #expect(result.errors.hasSuffix(": the quote \(quote) has no end\n"), "\(result.errors)")
            #expect(result.output.isEmpty)
        }

        /// In the image it is `java`, also within a command of a shell.
        @Test func itIsJavaByThatName() throws {
            let place = try Place()
            try FileManager.default.createSymbolicLink(
                atPath: place.folder.path + "/bin/java", withDestinationPath: entry)
            let result = try place.run(["sh", "-c", "java -Xmx1g -cp 'a:b' wiremock.Run --port 9000"])
            #expect(result.output == "<stuntdouble><--port><9000>\n", "\(result.errors)")
        }

        @Test(arguments: [
            (["java", "-jar", "app.jar", "--port", "1"], "no JVM here: what java was to run, app.jar, is not"),
            (["java", "-Xmx1g"], "no JVM here: what java was to run, nothing, is not"),
            (["java", "@/no/such/file"], "cannot read /no/such/file"),
            (["java", "@SELF"], "no JVM here: what java was to run, @SELF, is not"),
        ])
        func whatJavaWouldDoAndCannotIsSaid(command: [String], said: String) throws {
            let place = try Place()
            // A file of arguments names no other, nor itself.
            try place.folder.write("SELF", "@SELF")
            let words = command.map { $0.replacing("@SELF", with: "@\(place.folder.path)/SELF") }
            #expect(try place.run(words).errors.contains(said))
        }

        @Test func anotherProgramIsRun() throws {
            let result = try Place().run(["sh", "-c", "echo hi"])
            #expect(result.output == "hi\n" && result.errors.isEmpty)
        }

        /// Some mounts make all files executable.
        @Test(arguments: ["users.yaml", "users.yml", "users.json"]) func aStubFileIsServed(name: String) throws {
            let place = try Place()
            try place.folder.writeProgram(name, "GET /users: { json: [] }\n")
            let file = place.folder.path + "/" + name
            #expect(try place.run([file]).output == "<stuntdouble><\(file)>\n")
        }

        @Test func aUserThatIsNotRootIsToldWhatUidMeans() throws {
            let place = try Place()
            // As the user's number is 12345, whoever runs the test.
            try place.folder.writeProgram("bin/id", "#!/bin/sh\necho 12345\n")
            #expect(try place.run(["-v"], ["uid": "1000"]).errors.contains("write --user 1000 in its place"))
            #expect(try place.run(["-v"], ["uid": "12345"]).errors.isEmpty)
        }

        /// The address of a service called `stuntdouble`, which Kubernetes gives to all pods beside it, is no port to listen on.
        @Test(arguments: [[], ["java", "-jar", "wiremock.jar"], ["sh", "-c", "stuntdouble"]])
        func theAddressOfAServiceIsNoOption(command: [String]) throws {
            let place = try Place()
            try place.folder.writeProgram(
                "bin/stuntdouble", "#!/bin/sh\necho \"<${STUNTDOUBLE_PORT-}><${STUNTDOUBLE_HTTPS_PORT-}>\"\n")
            let service = [
                "STUNTDOUBLE_PORT": "tcp://10.96.0.7:8080", "STUNTDOUBLE_HTTPS_PORT": "tcp://10.96.0.8:443",
            ]
            #expect(try place.run(command, service).output == "<><>\n")
            let ports = ["STUNTDOUBLE_PORT": "9000", "STUNTDOUBLE_HTTPS_PORT": "0"]
            #expect(try place.run(command, ports).output == "<9000><0>\n")
        }

        // MARK: Health

        /// Options, and where the daemon then answers.
        static let healthy: [[String]] = [
            [], ["--bind-address", "0.0.0.0"], ["--bind-address", "127.0.0.2"],
            ["--bind-address", "127.0.0.1,127.0.0.3"],
            ["--https-port", "0"], ["--admin-token", "t"], ["--admin-api-basic-auth", "a:b"],
            ["--https-port", "0", "--admin-api-require-https"],
            ["--https-port", "0", "--https-require-client-cert", "--https-truststore", "CA"],
            ["--https-port", "0", "--https-require-client-cert", "--https-truststore", "CA", "--disable-http"],
            ["--https-port", "0", "--disable-http"],
            ["--https-port", "0", "--disable-http", "--bind-address", "127.0.0.2"],
        ]

        @Test(arguments: healthy) func aDaemonThatAnswersIsHealthy(options: [String]) throws {
            let folder = try TemporaryFolder()
            try folder.write("ca.pem", TestCertificates.authority)
            let file = folder.path + "/port"
            let arguments = options.map { $0 == "CA" ? folder.path + "/ca.pem" : $0 }
            let daemon = try ChildProcess(
                Daemon.binary,
                ["--port-file", file, "--log-format", "json"] + arguments
                    + (options.contains("--disable-http") ? [] : ["--port", "0"]),
                environment: ["XDG_STATE_HOME": folder.path + "/state"], folder: folder.path, outputsIn: folder)
            let isThere = eventually { FileManager.default.fileExists(atPath: file) ? true : nil }
            try #require(isThere == true, "\(daemon.errors)")
            // The script gives a call two seconds.
            let isHealthy = try eventually {
                try check(folder, ["STUNTDOUBLE_PORT_FILE": file]).wait() == .exited(0) ? true : nil
            }
            #expect(isHealthy == true, "\(daemon.errors)")
        }

        @Test func whereNobodyListensNothingIsHealthy() throws {
            let folder = try TemporaryFolder()
            let port = TestPort.free()
            try folder.write("port", "\(port)\n")
            let health = try check(folder, ["STUNTDOUBLE_PORT_FILE": folder.path + "/port"])
            #expect(health.wait() == .exited(1))
            #expect(health.errors.contains(":\(port)"), "\(health.errors)")
        }

        /// The text of a port file, and the ports that are asked where the system names no sockets.
        static let portFiles: [(String, [String])] = [
            ("8080\n", ["8080"]), ("8080\n8443\n", ["8080", "8443"]), ("*\n", ["9"]), ("", ["9"]), ("8080 *\n", ["9"]),
            ("8080\n*\n", ["8080"]), ("@127.0.0.2:23555\n", ["9"]), ("123456\n", ["9"]),
        ]

        @Test(arguments: portFiles) func onlyPortsOfThePortFileAreAsked(text: String, ports: [String]) throws {
            let place = try Place()
            try place.folder.writeProgram(
                "bin/curl",
                "#!/bin/sh\nfor word; do :; done; echo \"$word\" >>'\(place.folder.path)/asked'; echo ' 000 '\n")
            try place.folder.write("port", text)
            let health = try check(
                place.folder,
                [
                    "STUNTDOUBLE_PORT_FILE": place.folder.path + "/port", "PROC": place.folder.path + "/none",
                    "STUNTDOUBLE_PORT": "9", "PATH": place.path,
                ])
            #expect(health.wait() == .exited(1))
            let asked = try String(contentsOfFile: place.folder.path + "/asked", encoding: .utf8).split(separator: "\n")
            #expect(
                asked.map(String.init)
                    == ports.flatMap { port in
                        ["http", "https"].map { "\($0)://127.0.0.1:\(port)/__admin/health" }
                    })
        }

        @Test func theAddressOfAServiceIsNotAsked() throws {
            let place = try Place()
            try place.folder.writeProgram(
                "bin/curl",
                "#!/bin/sh\nfor word; do :; done; echo \"$word\" >>'\(place.folder.path)/asked'; echo ' 000 '\n")
            let health = try check(
                place.folder,
                [
                    "STUNTDOUBLE_PORT_FILE": place.folder.path + "/none", "PROC": place.folder.path + "/none",
                    "STUNTDOUBLE_PORT": "tcp://10.96.0.7:80", "PATH": place.path,
                ])
            #expect(health.wait() == .exited(1))
            let asked = try String(contentsOfFile: place.folder.path + "/asked", encoding: .utf8)
            #expect(asked == "http://127.0.0.1:8080/__admin/health\nhttps://127.0.0.1:8080/__admin/health\n")
        }

        /// What the system says of sockets, and the addresses that are asked: no one else answers at these ports.
        @Test(
            arguments: [
                ("0100007F", "127.0.0.1"), ("00000000", "127.0.0.1"), ("0200A8C0", "192.168.0.2"),
                ("0000000000000000FFFF00000100007F", "127.0.0.1"),
                ("00000000000000000000000001000000", "[0000:0000:0000:0000:0000:0000:0000:0001]"),
                ("00000000000000000000000000000000", "[::1]"),
                ("B80D01200000000000000000EFBEADDE", "[2001:0db8:0000:0000:0000:0000:dead:beef]"),
            ])
        func theAddressThatWasChosenIsAsked(socket: String, address: String) throws {
            let place = try Place()
            try place.folder.writeProgram(
                "bin/curl",
                "#!/bin/sh\nfor word; do :; done; echo \"$word\" >>'\(place.folder.path)/asked'; echo ' 000 '\n")
            try place.folder.write(
                "proc/net/tcp",
                "  sl  local_address rem_address   st\n   0: \(socket):1F90 00000000:0000 0A 0:0 0:0 0 0 0 77 1\n"
                    + "   1: 0100007F:1F91 00000000:0000 0A 0:0 0:0 0 0 0 78 1\n   2: 0100007F:1F90 0100007F:1000 01 0:0 0:0 0 0 0 79 1\n"
            )
            try place.folder.write("port", "8080\n")
            let health = try check(
                place.folder,
                [
                    "STUNTDOUBLE_PORT_FILE": place.folder.path + "/port", "PROC": place.folder.path + "/proc",
                    "PATH": place.path,
                ])
            #expect(health.wait() == .exited(1))
            let asked = try String(contentsOfFile: place.folder.path + "/asked", encoding: .utf8).split(separator: "\n")
                .map {
                    $0.lowercased()
                }
            #expect(asked == ["http", "https"].map { "\($0)://\(address):8080/__admin/health" })
        }

        private func check(_ folder: TemporaryFolder, _ environment: [String: String]) throws -> ChildProcess {
            try ChildProcess("/bin/sh", [healthCheck], environment: environment, outputsIn: folder)
        }

        /// A folder with a program `stuntdouble` that prints its arguments.
        private struct Place {
            let folder: TemporaryFolder
            private let scratch: TemporaryFolder

            init() throws {
                (folder, scratch) = (try TemporaryFolder(), try TemporaryFolder())
                try folder.writeProgram(
                    "bin/stuntdouble", "#!/bin/sh\nprintf '<%s>' stuntdouble \"$@\"\necho\n")
            }

            var path: String { folder.path + "/bin:/usr/bin:/bin" }

            /// Runs a command as the container does.
            func run(_ command: [String], _ environment: [String: String] = [:]) throws -> EndedCommand {
                let variables = ["PATH": path, "uid": ""].merging(environment) { $1 }
                return EndedCommand(
                    try ChildProcess("/bin/sh", [entry] + command, environment: variables, outputsIn: scratch))
            }
        }
    }
#endif
