"""Graphs are made with torch, which only the extra ``train`` brings."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") and find_spec("onnx") else ["*"]
