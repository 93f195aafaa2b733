import sys

print("net", sum(float(x) for x in sys.argv[1:]))
