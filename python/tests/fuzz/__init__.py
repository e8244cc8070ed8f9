"""Random workflows over the whole language that the compiler takes, each run twice: by CPython with asyncio, and compiled.

`python -m fuzz --count 1000 --seed 1` (in `python/tests`) runs the programs of a thousand seeds; a failure prints its seed and the reduced
source. A program is text, made from its seed alone (`programs.py`); what it can call stands in `world.py`. Both runs keep a journal
of calls, prints and the ending (`journal.py`), and the two must be the same, whatever the times at which the compiled one is put away.
"""
