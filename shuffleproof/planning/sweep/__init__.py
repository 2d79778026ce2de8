"""Sweeps: one bound at many points, on any `concurrent.futures.Executor`, streamed to a file and resumable.

points.py says which points and answers some of them, journal.py keeps the answers in lines of JSON, growing_table.py makes a Parquet file
of these, execution.py hands batches out and collects them, executors.py makes the executors that have a name, swept.py is `sweep`.
"""
