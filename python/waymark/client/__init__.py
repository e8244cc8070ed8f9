"""How a program starts workflows and hears of them. What really runs them is a backend: the bridge, or one that
tests bring along."""

from waymark.client.handle import Handle, get_handle
from waymark.client.instance import Instance, Status

__all__ = ["Handle", "Instance", "Status", "get_handle"]
