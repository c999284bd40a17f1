// Re-exports the servers and the language of stubs, so that a test imports only this module.
@_exported public import StuntDoubleClient
