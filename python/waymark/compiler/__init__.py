"""The compiler: a workflow's class → a program that the engine runs. The source is read once, when the workflow is used first."""

from waymark.compiler.diagnostics import CompileError, Problem
from waymark.compiler.program import Compiled, check_early, compile_workflow

__all__ = ["CompileError", "Compiled", "Problem", "check_early", "compile_workflow"]
