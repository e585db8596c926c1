"""The tensors of official checkpoints, part by part: made from our modules, read without torch.

One JSON a checkpoint, ``{part: {key: shape}}``, in the names that the file has. Written by
``python -m rt_avatar.engines.key_tables.write`` and compared with the modules by a test.
"""
