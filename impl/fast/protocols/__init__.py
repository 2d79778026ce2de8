"""The protocols, simulated: vectorised over users with numpy, for experiments only.

Nothing here may be released from real data; `impl.release` draws for that.
"""
