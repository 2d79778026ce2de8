"""Work for swept batches that dies, once, and batches slow enough to be interrupted; importable by worker processes."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from shuffleproof.planning.sweep.points import Batch, answer_batch

FOLDER = "SWEEP_TEST_FOLDER"


def dying_once(batch: Batch) -> list[dict[str, Any]]:
    """The first process to begin the batch with n = 1003 is killed in the middle of it."""
    mark = Path(os.environ[FOLDER]) / "died"
    if batch.points[0].n == "1003" and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return answer_batch(batch)


def slow(batch: Batch) -> list[dict[str, Any]]:
    time.sleep(0.1)
    return answer_batch(batch)
