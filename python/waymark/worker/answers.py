"""Results and failures as the engine wants them."""

from __future__ import annotations

from typing import Any

from waymark._proto.worker_pb2 import FragmentResult, Settled, Stopped, UnknownAction
from waymark.errors import PayloadTooLarge
from waymark.values.exceptions import encode_exception
from waymark.values.payload import encode


class Answers:
    def __init__(self, payload_bytes_max: int) -> None:
        self.bytes_max = payload_bytes_max

    def completed(self, call_id: int, name: str, result: Any) -> Settled:
        try:
            data = encode(result, f"the result of {name}")
        except Exception as error:
            return self.failed(call_id, error)
        too_large = self.too_large(name, len(data))
        return Settled(call_id=call_id, completed=data) if too_large is None else self.failed(call_id, too_large)

    def too_large(self, name: str, size: int) -> PayloadTooLarge | None:
        if size <= self.bytes_max:
            return None
        return PayloadTooLarge(
            f"the result of {name} is too large: it takes {size} bytes, {self.bytes_max} is the limit; "
            "store it elsewhere and return where it is, or raise payload_bytes_max"
        )

    def failed(self, call_id: int, error: BaseException) -> Settled:
        return Settled(call_id=call_id, failed=self.exception(error))

    def exception(self, error: BaseException) -> bytes:
        return encode_exception(error, self.bytes_max)

    def fragment(self, call_id: int, value: bytes, objects: bytes) -> Settled:
        too_large = self.too_large("a piece of code", len(value) + len(objects))
        if too_large is not None:
            return self.failed(call_id, too_large)
        return Settled(call_id=call_id, fragment=FragmentResult(value=value, objects=objects))

    def fragment_raised(self, call_id: int, number: int, objects: bytes) -> Settled:
        too_large = self.too_large("a piece of code", len(objects))
        if too_large is not None:
            return self.failed(call_id, too_large)
        return Settled(call_id=call_id, fragment=FragmentResult(raised=number, objects=objects))


def stopped(call_id: int) -> Settled:
    return Settled(call_id=call_id, cancelled=Stopped())


def unknown(call_id: int, name: str) -> Settled:
    return Settled(call_id=call_id, unknown_action=UnknownAction(name=name))
