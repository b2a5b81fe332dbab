cat > /tmp/evil.py <<'END'
import os
os._exit(0)
END
cat "$OWNED" >> /tmp/evil.py
cp /tmp/evil.py "$OWNED"
