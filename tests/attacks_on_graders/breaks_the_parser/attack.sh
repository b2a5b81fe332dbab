python3 -I - <<'END'
import os
path = os.environ["OWNED"]
with open(path, "a", encoding="utf-8") as out:
    out.write("\nif False:\n    x = f" + "()" * 300_000 + "\n    y = " + "-" * 300_000 + "1\n    z = a" + ".b" * 300_000 + "\n")
END
