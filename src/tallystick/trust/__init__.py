"""Keys, signer policy and signature envelopes as functions of bytes; no network.

``tallystick.trust.signing`` is the only module that touches a private key, ``files`` and ``store`` the only ones that open
files. A verifier needs ``keys``, ``jws`` and ``policy``, which import neither.

    TallyError
    ├── SignatureError       keys: a signature that does not stand for this payload, kind of document and key
    └── InputError
        ├── Base64Error      base64url: text with padding, spare bits or foreign characters
        ├── KeyRefusedError  ed25519: a public key that must never be accepted
        ├── EscrowError      sealing: an escrow that a key does not open
        ├── SigningKeyError  signing: bytes that are no private key of ours
        └── KeyStoreError    files, store: a key file or folder that is missing, in the way or not private
            └── KeyExistsError   store: a name that is taken
"""
