"""What surrounds the graphs of DreamTalk at run time, in numpy: windows, noise, steps, poses.

The network itself is defined in ``engines.networks.dreamtalk`` and runs as exports. Nothing here
needs torch.
"""
