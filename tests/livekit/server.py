"""The real livekit-server of the tests: the one that the benchmark measures with."""

from rt_avatar.benchmarks.livekit.server import ROOT, LiveKitServer, ServerFailedError, find_server

__all__ = ["ROOT", "LiveKitServer", "ServerFailedError", "find_server"]
