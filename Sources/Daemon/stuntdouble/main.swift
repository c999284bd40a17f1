import SDCommand
import SDPlatform

let startedAt = MonotonicInstant.now
SystemCalls.growHeapInLargeSteps()
SystemCalls.openClosedStandardStreams()
let parser = CommandLineParser(
    environment: SystemCalls.environment(prefixes: CommandLineParser.variablePrefixes),
    folderExists: SystemCalls.isFolder, fileExists: SystemCalls.exists,
    foldersIn: SystemCalls.folderNames)
do throws(CommandLineError) {
    switch try parser.parse(SystemCalls.arguments) {
    case .serve(let options): SystemCalls.exit(Daemon.serve(options, startedAt: startedAt))
    case .validate(let options): SystemCalls.exit(Validate.run(options))
    case .explain(let options): SystemCalls.exit(Explain.run(options))
    case .routes(let options): SystemCalls.exit(Routes.run(options))
    case .authority(let options): SystemCalls.exit(AuthorityCommand.run(options))
    case .importArchive(let options): SystemCalls.exit(ImportCommand.run(options))
    case .record(let options): SystemCalls.exit(RecordCommand.run(options, startedAt: startedAt))
    case .run(let options): SystemCalls.exit(RunCommand.run(options, startedAt: startedAt))
    case .report(let options): SystemCalls.exit(ReportCommand.run(options))
    case .top(let options): SystemCalls.exit(TopCommand.run(options))
    case .wait(let options): SystemCalls.exit(WaitCommand.run(options))
    case .stop(let options): SystemCalls.exit(StopCommand.run(options))
    case .initialize(let folder): SystemCalls.exit(InitCommand.run(folder: folder))
    case .convert(let options): SystemCalls.exit(ConvertCommand.run(options))
    case .check(let options): SystemCalls.exit(CheckCommand.run(options))
    case .doctor(let options): SystemCalls.exit(DoctorCommand.run(options))
    case .mcp(let options): SystemCalls.exit(AgentCommand.run(options, startedAt: startedAt))
    case let invocation: SystemCalls.exit(PrintedCommands.run(invocation) ?? 0)
    }
} catch {
    Daemon.removeStalePortFile(namedIn: SystemCalls.arguments)
    SystemCalls.exit(PrintedCommands.report(error))
}
