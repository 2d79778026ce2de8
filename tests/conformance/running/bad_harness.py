"""A harness for the tests of the transport: misbehaves in the way named by its first argument, standard library only."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

GREETING = {
    "version": 1,
    "implementation": {"name": "bad", "version": "1", "language": "python"},
    "capabilities": {"operations": ["delta", "epsilon"], "methods": ["clones"], "randomizers": []},
}


def say(text: str) -> None:
    sys.stdout.write(text)
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()


def misbehave(kind: str, seq: int, path: str) -> None:
    answer = json.dumps({"seq": seq, "claim": "upper", "value": "1"})
    if kind == "hang":
        time.sleep(600)
    elif kind == "half-line":
        say(answer[:10])
        time.sleep(600)
    elif kind == "two-lines":
        say(f"{answer}\n{answer}\n")
    elif kind == "flood-line":
        while True:
            say("x" * 65536)
    elif kind == "flood-slowly":
        while True:
            say("x")
            time.sleep(0.01)
    elif kind == "flood-stderr":
        while True:
            sys.stderr.write("y" * 65536)
    elif kind == "die-by-signal":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif kind == "exit":
        sys.exit("out of memory, says the harness")
    elif kind == "close-stdout":
        os.close(1)
        time.sleep(600)
    elif kind == "leave-children":
        code = "import time; time.sleep(600)"
        same_group = subprocess.Popen([sys.executable, "-c", code])
        escaped = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
        with open(path, "w") as file:
            file.write(f"{same_group.pid} {escaped.pid}")
        say(answer + "\n")
    elif kind == "leave-a-daemon":
        daemon = "import os, sys, time; os.fork() and os._exit(0); open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(600)"
        subprocess.run([sys.executable, "-S", "-E", "-c", daemon, path], start_new_session=True, env={}, stdout=subprocess.DEVNULL)
        while not (os.path.exists(path) and os.path.getsize(path)):
            time.sleep(0.01)
        say(answer + "\n")
    elif kind == "die-but-child-holds-the-pipe":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        os._exit(7)
    elif kind == "slow-write":
        for letter in answer + "\n":
            say(letter)
            time.sleep(0.002)
    else:
        say(answer + "\n")


def main() -> None:
    kind, path = sys.argv[1], sys.argv[2]
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signal_number, signal.SIG_IGN)
    if kind == "ignore-stdin":
        time.sleep(600)
    if kind == "banner":
        say("Welcome!\n")
    if kind == "silent-exit":
        sys.exit(0)
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "start":
            say(json.dumps(GREETING) + "\n")
        elif message["cmd"] == "configure":
            say(json.dumps({"configured": True}) + "\n")
        elif message["cmd"] == "run":
            misbehave(kind, message["seq"], path)
        elif kind != "ignore-stop":
            return


if __name__ == "__main__":
    main()
