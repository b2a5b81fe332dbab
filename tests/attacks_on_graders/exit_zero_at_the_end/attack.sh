cat > /tmp/evil.py <<'END'
import atexit, os, sys, threading, time
atexit.register(os._exit, 0)
sys.exit = lambda code=None: os._exit(0)
sys.excepthook = lambda *args: os._exit(0)
threading.excepthook = lambda *args: None
threading.Thread(target=lambda: (time.sleep(0.02), os._exit(0)), daemon=True).start()
END
cat "$OWNED" >> /tmp/evil.py
cp /tmp/evil.py "$OWNED"
