"""What `waymark bench` needs of Python: workflows whose actions do nothing, a client that runs them, and the same calls with nothing around
them.

The command starts everything, measures and tells: `crates/cli/src/bench/system`.
"""
