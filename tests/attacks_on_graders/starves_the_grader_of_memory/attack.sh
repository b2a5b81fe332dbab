python3 -I - <<'END'
import os
path = os.environ["OWNED"]
text = open(path, encoding="utf-8").read()
with open(path, "w", encoding="utf-8") as out:
    out.write(text)
    for _ in range(60):
        out.write("\n#" + "x" * (1 << 20))
    out.write("\n")
END
