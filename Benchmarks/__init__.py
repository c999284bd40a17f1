"""What the daemon costs, beside nginx and WireMock, on this machine. See Benchmarks/README.md."""
