"""The daemon's costs compared with nginx and WireMock on this machine. See Benchmarks/README.md."""
