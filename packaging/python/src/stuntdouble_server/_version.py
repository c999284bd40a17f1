__version__ = "0.0.0"
"""The version of the package and of the daemon in it; the build of the wheel writes it here."""
