"""What `make dist` makes of a binary: see __main__.py."""
