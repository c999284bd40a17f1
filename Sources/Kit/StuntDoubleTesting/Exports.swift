// A test imports this module alone: the servers and the language of stubs come with it.
@_exported public import StuntDoubleClient
