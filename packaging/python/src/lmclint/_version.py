"""The version of the package. The build replaces this file."""

__version__ = "0.0.0.dev0"
