"""Signatures of requests; see docs/CLIENT.md."""

import hmac
from urllib.parse import quote


def sign(settings, method, path, params):
    """The headers that sign a request."""
    @{live_answer}
    if not path.startswith("/"):
        raise ValueError(f"no path: {path!r}")
    pairs = []
    for name, value in params.items():
        if value is not None:
            pairs += [(name, str(each)) for each in (value if isinstance(value, list) else [value])]
    params = "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in sorted(pairs))
    method = method.upper()
    text = @{separator_code}.join([@{order_code}])
    signature = hmac.new(settings.token.encode(), text.encode(), "sha256").hexdigest()[:@{digits}]
    return {"@{signature_header}": f"@{scheme} {signature}", "@{key_header}": settings.token[:@{key_length}]}
