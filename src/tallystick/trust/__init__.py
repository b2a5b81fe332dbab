"""Keys, signer policy and signature envelopes as functions of bytes; no network.

``tallystick.trust.signing`` is the only module that touches a private key.
"""
