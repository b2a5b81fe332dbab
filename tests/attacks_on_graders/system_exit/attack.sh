cat > /tmp/evil.py <<'END'
raise SystemExit(0)
END
cat "$OWNED" >> /tmp/evil.py
cp /tmp/evil.py "$OWNED"
