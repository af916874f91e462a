"""Python side of the FP8 compiler: graphs come in through `fp8.export`."""

__version__ = "0.1.0"
