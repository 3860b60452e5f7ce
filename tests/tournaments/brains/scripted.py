"""A brain that does what its arguments say, for tests: `scripted.py FAULT MOVE MOVE ...`.

It plays the moves in turn, without a look at the opponent's moves, and after the last one it commits the fault. START
begins the moves again. If the environment has TRANSCRIPT, every line that it reads goes to that file, with its time.
"""

import os
import subprocess
import sys
import time

fault, script = sys.argv[1], sys.argv[2:]
moves = list(script)
fault, _sign, argument = fault.partition("=")
starts = 0
asked = 0
proposed = 0
block = ""


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
    if "TRANSCRIPT" in os.environ:
        with open(f"{os.environ['TRANSCRIPT']}-{os.getpid()}", "a") as file:
            file.write(f"{time.monotonic()} {line.strip()}\n")
    if fault == "is-noisy":
        sys.stderr.write("12345678\n")
        say("MESSAGE thinking\r\nDEBUG 1,1\r\n\r\n")
        sys.stdout.buffer.write(b"message \xb5\xda\xd2\xbb 7,7\n")
        sys.stdout.flush()
    if word in ("START", "RECTSTART"):
        moves = list(script)
        starts += 1
        if starts == 2 and fault == "starts-once":
            say("ERROR once is enough\n")
            continue
        if starts == 2 and fault == "crashes-on-second-start":
            os._exit(7)
        say("ERROR too big\n" if fault == "refuses" else "OK - fine\r\n" if fault == "is-noisy" else "OK\n")
        if fault in ("repeats-ok", "only-says-ok"):
            time.sleep(float(argument or 0))
            say("OK\n")
    elif fault == "repeats-ok" and word == "INFO":
        say("OK\n")
    elif word == "END" and fault not in ("ignores-end", "leaves-a-child"):
        break
    elif word == "PLAY":
        say(line.split()[1] + "\n")
    if word in ("BOARD", "SWAP2BOARD"):
        block = word
    if word == "DONE" and block == "SWAP2BOARD":
        say(argument.split(";")[proposed].replace("_", " ") + "\n")
        proposed += 1
        continue
    if word not in ("BEGIN", "TURN", "DONE"):
        continue
    if fault == "only-says-ok":
        say("OK\n")
    if fault == "evaluates":
        say(f"MESSAGE depth 7-12 ev {argument.split(';')[asked % len(argument.split(';'))]} n 12K\n")
        asked += 1
    if fault == "complains":
        say("UNKNOWN key\nERROR Unknown command: TIME_LEFT\n")
    if fault == "sleeps" and moves:
        time.sleep(float(argument))
    if moves:
        move = moves.pop(0)
        say({"answers-twice": f"{move}\n{move}\n", "suggests": f"SUGGEST {move}\n"}.get(fault, f"{move}\n"))
    elif fault in ("crashes", "swap2"):
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
    elif fault == "floods-stderr":
        while True:
            sys.stderr.write("still thinking\n" * 100)
    elif fault == "is-binary":
        sys.stdout.buffer.write(bytes(range(256)) * 40 + b"\n")
        sys.stdout.flush()
    elif fault == "eats-memory":
        hoard = bytearray(os.urandom(1 << 20)) * int(argument)
        time.sleep(60)
    elif fault == "child-eats-memory":
        hoard = f"import os, time; hoard = bytearray(os.urandom(1 << 20)) * {argument}; time.sleep(60)"
        subprocess.Popen([sys.executable, "-S", "-c", hoard])
        time.sleep(60)
    elif fault == "forks":
        for _ in range(int(argument)):
            child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
            with open(os.environ["CHILD_FILE"], "a") as file:
                file.write(f"{child.pid}\n")
        time.sleep(60)
    elif fault == "escapes":
        # A daemon: a session of its own, and no parent that anybody knows.
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                with open(os.environ["CHILD_FILE"], "a") as file:
                    file.write(f"{os.getpid()}\n")
                os.execv(sys.executable, [sys.executable, "-S", "-c", "import time; time.sleep(60)"])
            os._exit(0)
        time.sleep(0.3)
        say("99,99\n")
    elif fault == "closes-input":
        os.close(0)
        time.sleep(60)
    elif fault == "closes-output":
        os.close(1)
        time.sleep(60)
while fault == "ignores-end":
    time.sleep(60)
