/// The classes of message stubs.
extension JavaClass {
    private static func message(_ name: String) -> JavaClass {
        JavaClass("com.github.tomakehurst.wiremock.message." + name)
    }

    package static let messageStub = message("MessageStubMapping")
    package static let onMessage = message("IncomingMessageTrigger")
    package static let onStub = message("HttpStubTrigger")
    package static let onRequest = message("HttpRequestTrigger")
    package static let messagePattern = message("MessagePattern")
    package static let webSocketPattern = message("RequestInitiatedChannelPattern")
    package static let fixedChannelPattern = message("FixedChannelPattern")
    package static let sendMessage = message("SendMessageAction")
    package static let messageDefinition = message("MessageDefinition")
    package static let originatingTarget = message("OriginatingChannelTarget")
    package static let initiatedTarget = message("RequestInitiatedChannelTarget")
    package static let fixedTarget = message("FixedChannelTarget")
    package static let fixedChannel = message("channel.FixedChannelDefinition")
    package static let channelProvider = message("channel.ChannelProvider")
    package static let channelPattern = message("ChannelPattern")
    package static let channelTarget = message("ChannelTarget")
    package static let messageAction = message("MessageAction")
    package static let sentMessage = JavaClass(
        "com.github.tomakehurst.wiremock.admin.model.SendChannelMessageRequest")
    package static let messageWait = JavaClass(
        "com.github.tomakehurst.wiremock.admin.model.WaitForMessageEventRequest")
}
