import sys

from waymark.compiler.report import main

sys.exit(main())
