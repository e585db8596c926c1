"""What surrounds the graphs of PIRenderer at run time, in numpy: windows of motion, colours.

The networks themselves are defined in ``engines.networks.pirender`` and run as exports. Nothing
here needs torch.
"""
