import Command
import Platform

let parser = CommandLineParser(environment: SystemCalls.environment(), folderExists: SystemCalls.isFolder)
do throws(CommandLineError) {
    let invocation = try parser.parse(Array(CommandLine.arguments.dropFirst()))
    if case .serve(let options) = invocation { Daemon.serve(options) }
} catch {
    print(error.message)
}
