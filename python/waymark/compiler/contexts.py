"""What `contextlib` makes of a user's generator, written so that the compiler can read it: the generator stays in the workflow, and a block
that it stands around may wait. In a worker the originals are used.
"""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import types
from typing import Any


@dataclasses.dataclass
class Context:
    generator: Any

    def __enter__(self) -> Any:
        try:
            return next(self.generator)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, error: Any) -> bool:
        """The runner gives just the exception, as to contexts of its own."""
        if error is None:
            try:
                next(self.generator)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        try:
            self.generator.throw(error)
        except StopIteration as stopped:
            return stopped is not error
        except RuntimeError as raised:
            if raised is error or isinstance(error, StopIteration) and raised.__cause__ is error:
                return False
            raise
        except BaseException as raised:
            if raised is not error:
                raise
            return False
        raise RuntimeError("generator didn't stop after throw()")


@dataclasses.dataclass
class AsyncContext:
    generator: Any

    async def __aenter__(self) -> Any:
        try:
            return await self.generator.__anext__()
        except StopAsyncIteration:
            raise RuntimeError("generator didn't yield") from None

    async def __aexit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        if error is None:
            try:
                await self.generator.__anext__()
            except StopAsyncIteration:
                return False
            raise RuntimeError("generator didn't stop")
        try:
            await self.generator.athrow(error)
        except StopAsyncIteration as stopped:
            return stopped is not error
        except RuntimeError as raised:
            if raised is error or isinstance(error, (StopIteration, StopAsyncIteration)) and raised.__cause__ is error:
                return False
            raise
        except BaseException as raised:
            if raised is not error:
                raise
            return False
        raise RuntimeError("generator didn't stop after athrow()")


#: What a decorated function is: always the same code around another generator.
_DECORATED = {
    contextlib.contextmanager(lambda: None).__code__: Context,  # type: ignore[arg-type, return-value]
    contextlib.asynccontextmanager(lambda: None).__code__: AsyncContext,  # type: ignore[arg-type, return-value]
}


def made_of(live: Any) -> tuple[type, types.FunctionType] | None:
    """The class here that stands for what calling this function gives, and the generator function that it was made of."""
    cls = _DECORATED.get(live.__code__) if isinstance(live, types.FunctionType) else None
    wrapped = getattr(live, "__wrapped__", None)
    if cls is None or not isinstance(wrapped, types.FunctionType):
        return None
    is_generator = inspect.isasyncgenfunction(wrapped) if cls is AsyncContext else inspect.isgeneratorfunction(wrapped)
    return (cls, wrapped) if is_generator else None


def methods(cls: type) -> dict[str, types.FunctionType]:
    """Which the program has itself."""
    names = {Context: ("__enter__", "__exit__"), AsyncContext: ("__aenter__", "__aexit__")}.get(cls, ())
    return {name: vars(cls)[name] for name in names}
