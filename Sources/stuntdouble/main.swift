import Command
import Platform

let parser = CommandLineParser(environment: SystemCalls.environment(), folderExists: SystemCalls.isFolder)
do throws(CommandLineError) {
    let invocation = try parser.parse(Array(CommandLine.arguments.dropFirst()))
    if let status = PrintedCommands.run(invocation) { SystemCalls.exit(status) }
} catch {
    SystemCalls.exit(PrintedCommands.report(error))
}
