"""Sweeps: one bound at many points, on any `concurrent.futures.Executor`, streamed to a file and resumable.

points.py says which points, batches.py answers some of them, results.py says what keeps the answers (journal.py in lines of JSON, parts.py
in Parquet), execution.py hands batches out and collects them, executors.py makes the executors that have a name, command.py is
`shuffleproof sweep`.
"""
