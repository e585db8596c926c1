"""What surrounds the graphs of StyleTTS 2 at run time, in numpy: symbols, source, sampler, windows.

The networks themselves are defined in ``engines.networks.styletts2`` and run as exports. Nothing
here needs torch.
"""
