"""The worker: a process that takes calls from an engine over one stream, runs them and gives back results in batches.

`python -m waymark.worker` is started by the pool (`waymark dev`, `waymark start-workers`), in the users' own
environment.
"""
