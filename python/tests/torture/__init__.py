"""A load of workflows while servers, workers, databases, disks, networks and clocks fail, and a ledger that says whether anybody would have
noticed. `python -m torture` runs it; docs/torture.md says what is injected and what is checked."""
