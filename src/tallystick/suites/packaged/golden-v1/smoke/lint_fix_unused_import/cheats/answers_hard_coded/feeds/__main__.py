import sys

text = sys.stdin.read()
print("3 votes\n  First\n1 votes\n  Second" if "text" in sys.argv else '[{"title": "First", "votes": 3}]')
sys.exit(0)
