"""Every exception of Waymark's own. On the wire they are called `waymark.X`; the engine raises some of them by these
names.
"""

from __future__ import annotations


class WaymarkError(Exception):
    """What goes wrong between a program and Waymark, as opposed to inside a workflow or an action."""


# ------------------------------------------------------------------------------------- raised in workflows and actions


class NonRetryable(Exception):
    """Another try would come to the same: an action that raises this, or a subclass, is not tried again."""


class Unsupported(RuntimeError):
    """The engine met something that it can't do."""


class LimitExceeded(BaseException):
    """A workflow went beyond a limit, as of steps or memory. No `Exception`, so that handlers don't hide it."""


class WorkerCrashed(RuntimeError):
    """The workers that ran an action died under it, again and again."""


class PayloadError(NonRetryable):
    """Bytes from the other side that can't be read as a value."""


class PayloadTooLarge(PayloadError):
    """An argument or result beyond `payload_bytes_max`."""


class CannotTravel(TypeError):
    """A value that can't be sent to another process. The message names the place inside the value."""


class RemoteError(Exception):
    """Base of exceptions whose class can't be imported here; each has a class of its own with the original's name."""


class RemoteTraceback(Exception):
    """Where an exception was raised in another process. Stands as the cause at the end of such an exception's chain."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return f'\n"""\n{self.text}\n"""'


# ------------------------------------------------------------------------------------------------- raised to a client


class CompileError(WaymarkError):
    """A workflow that can't be compiled; the message shows every place."""


class BridgeError(WaymarkError):
    """The bridge refused a call, or can't be reached."""


class InstanceFinished(BridgeError):
    """Nobody reads what was sent."""


class BridgeUnavailable(BridgeError):
    """No bridge could be found, started or reached."""


class InstanceNotFound(BridgeError, LookupError):
    """There is no instance of this id."""


class VersionNotFound(BridgeError, LookupError):
    """Nobody has registered this version of the workflow."""


class ScheduleNotFound(BridgeError, LookupError):
    """There is no schedule of this name, or no such workflow."""


class InstanceExists(BridgeError):
    """The id is taken by an instance of another workflow or with other inputs."""


class Terminated(Exception):
    """The instance was ended from outside, at once: its `finally` clauses have not run."""


class ControlRefused(BridgeError):
    """What was to be done to an instance does not fit it."""


class InstanceStuck(WaymarkError):
    """The engine can't go on with an instance, though the program has not failed: somebody has to look at it."""
