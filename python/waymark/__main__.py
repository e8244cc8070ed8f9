"""`python -m waymark` is `waymark`."""

from waymark._binary import main

main()
