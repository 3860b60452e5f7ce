"""A brain that does what its arguments say, for tests: `scripted.py FAULT MOVE MOVE ...`.

It plays the moves in turn, whatever the opponent does, and commits the fault where the next move is missing.
"""

import os
import subprocess
import sys
import time

fault, moves = sys.argv[1], sys.argv[2:]


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


if fault == "exits-at-once":
    sys.exit(3)
if fault == "complains-and-exits":
    sys.exit("cannot find my weights")
if fault == "never-starts":
    time.sleep(60)
if fault == "leaves-a-child":
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    with open(os.environ["CHILD_FILE"], "a") as file:
        file.write(f"{child.pid}\n")
for line in sys.stdin:
    word = line.split()[0] if line.strip() else ""
    if fault == "is-noisy":
        sys.stderr.write("12345678\n")
        say("MESSAGE thinking\r\nDEBUG 1,1\r\n\r\n")
        sys.stdout.buffer.write(b"message \xb5\xda\xd2\xbb 7,7\n")
        sys.stdout.flush()
    if word in ("START", "RECTSTART"):
        say("ERROR too big\n" if fault == "refuses" else "OK - fine\r\n" if fault == "is-noisy" else "OK\n")
    elif word == "END" and fault not in ("ignores-end", "leaves-a-child"):
        break
    elif word == "PLAY":
        say(line.split()[1] + "\n")
    if word not in ("BEGIN", "TURN", "DONE"):
        continue
    if moves:
        move = moves.pop(0)
        say({"answers-twice": f"{move}\n{move}\n", "suggests": f"SUGGEST {move}\n"}.get(fault, f"{move}\n"))
    elif fault == "crashes":
        os._exit(9)
    elif fault in ("hangs", "ignores-end"):
        time.sleep(60)
    elif fault == "is-late":
        time.sleep(1)
        say("0,0\n")
    elif fault == "babbles":
        say("lovely weather\n")
    elif fault == "says-error":
        say("ERROR I am lost\n")
    elif fault == "shouts":
        say("x" * 300_000 + "\n")
    elif fault == "floods":
        while True:
            say("MESSAGE still thinking\n" * 100)
    elif fault == "closes-output":
        os.close(1)
        time.sleep(60)
while fault == "ignores-end":
    time.sleep(60)
