"""Offline: torch → ONNX → TensorRT plans, each with a manifest and a proof of parity."""
