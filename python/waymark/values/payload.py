"""Values as MessagePack. The table of extension types is in crates/ir/src/payload/mod.rs; both sides are tested
against it.

msgpack's C code writes and reads plain data by itself and asks here for everything else. It knows no places inside
a value, so when a value can't travel it is walked once more, slowly, to say where the trouble is.
"""

from __future__ import annotations

import datetime
import decimal
import uuid
import zoneinfo
from collections.abc import Callable
from typing import Any

import msgpack

from waymark.errors import CannotTravel, PayloadError
from waymark.values.forms import form_named, form_of
from waymark.values.standard import zone_key, zone_name

#: How deep values may be nested; every array, map and extension is a level (so a tuple is two).
MAX_DEPTH = 512

INT, TUPLE, SET, FROZENSET, OBJECT, EXCEPTION, DATE, TIME, DATETIME, TIMEDELTA, DECIMAL, UUID, ELLIPSIS = range(1, 14)

_MICROSECOND = datetime.timedelta(microseconds=1)
_KEPT_PACKERS = 16
_KEPT_BYTES = 1 << 20


def encode(value: Any, place: str = "value") -> bytes:
    """`place` begins the error's message when it can't travel: "result['users'][3].session: …"."""
    try:
        return pack(value)
    except Exception as error:
        # Codecs and `__getstate__` are users' code, and may raise anything.
        from waymark.values.trouble import explain

        raise explain(value, place, error) from None


def decode(data: bytes) -> Any:
    """Raises PayloadError where the bytes are no value, or where a class can't be loaded."""
    try:
        return unpack(data)
    except PayloadError:
        raise
    except Exception as error:
        raise PayloadError(f"a payload of {len(data)} bytes can't be read: {type(error).__name__}: {error}") from error


# ------------------------------------------------------------------------------------------------------------- writing

# A packer is not reentrant, and extensions are packed inside of others. What fails is not put back.
_packers: list[msgpack.Packer] = []


def pack(value: Any) -> bytes:
    try:
        packer = _packers.pop()
    except IndexError:
        packer = msgpack.Packer(default=_extend, strict_types=True, use_bin_type=True, buf_size=1024)
    data = packer.pack(value)
    if len(_packers) < _KEPT_PACKERS and len(data) < _KEPT_BYTES:
        _packers.append(packer)
    return data


def _extend(obj: Any) -> msgpack.ExtType:
    write = _WRITERS.get(type(obj))
    if write is not None:
        return write(obj)
    if isinstance(obj, BaseException):
        from waymark.values.exceptions import exception_parts

        return msgpack.ExtType(EXCEPTION, pack(exception_parts(obj)))
    if isinstance(obj, uuid.UUID) and type(obj).__module__.startswith("asyncpg."):
        return _write_uuid(obj)  # A driver's faster UUID, equal to the ordinary one.
    form = form_of(type(obj))
    return msgpack.ExtType(OBJECT, pack([form.name, form.fields(obj)]))


def _write_int(obj: int) -> msgpack.ExtType:
    # A leading zero bit for the sign.
    return msgpack.ExtType(INT, pack(obj.to_bytes((obj.bit_length() + 8) // 8, "big", signed=True)))


def _write_items(kind: int) -> Callable[[Any], msgpack.ExtType]:
    return lambda obj: msgpack.ExtType(kind, pack(list(obj)))


def _write_set(kind: int) -> Callable[[Any], msgpack.ExtType]:
    def write(obj: Any) -> msgpack.ExtType:
        # The same set is the same bytes in every process, where hashes of texts differ, however it was made.
        if all(isinstance(item, (int, float)) and item == item for item in obj):
            # The order that CPython has them in if they come in theirs.
            return msgpack.ExtType(kind, pack(list(set(sorted(obj)))))
        parts = sorted(map(pack, obj))
        return msgpack.ExtType(kind, msgpack.Packer(autoreset=True).pack_array_header(len(parts)) + b"".join(parts))

    return write


def _zone(zone: datetime.tzinfo | None) -> None | str | list[Any]:
    if zone is None:
        return None
    if type(zone) is datetime.timezone:
        return [zone.utcoffset(None) // _MICROSECOND, zone_name(zone)]
    if isinstance(zone, zoneinfo.ZoneInfo):
        return zone_key(zone)
    if type(zone).__module__ == "pydantic_core._pydantic_core":
        offset = zone.utcoffset(None)  # What pydantic parsed has a fixed zone of its own, equal to an ordinary one.
        if offset is not None:
            return [offset // _MICROSECOND, None]
    hint = "use datetime.timezone or zoneinfo.ZoneInfo, e.g. moment.astimezone(ZoneInfo('Europe/Berlin'))"
    raise CannotTravel(f"its time zone is a {type(zone).__name__} ({type(zone).__module__}); {hint}")


def _write_date(obj: datetime.date) -> msgpack.ExtType:
    return msgpack.ExtType(DATE, pack([obj.year, obj.month, obj.day]))


def _clock(obj: datetime.time | datetime.datetime) -> list[Any]:
    return [obj.hour, obj.minute, obj.second, obj.microsecond, bool(obj.fold), _zone(obj.tzinfo)]


def _write_time(obj: datetime.time) -> msgpack.ExtType:
    return msgpack.ExtType(TIME, pack(_clock(obj)))


def _write_datetime(obj: datetime.datetime) -> msgpack.ExtType:
    return msgpack.ExtType(DATETIME, pack([obj.year, obj.month, obj.day, *_clock(obj)]))


def _write_timedelta(obj: datetime.timedelta) -> msgpack.ExtType:
    return msgpack.ExtType(TIMEDELTA, pack([obj.days, obj.seconds, obj.microseconds]))


def _write_decimal(obj: decimal.Decimal) -> msgpack.ExtType:
    return msgpack.ExtType(DECIMAL, pack(str(obj)))


def _write_uuid(obj: uuid.UUID) -> msgpack.ExtType:
    return msgpack.ExtType(UUID, pack(obj.bytes))


_WRITERS: dict[type, Callable[[Any], msgpack.ExtType]] = {
    int: _write_int,
    tuple: _write_items(TUPLE),
    set: _write_set(SET),
    frozenset: _write_set(FROZENSET),
    datetime.date: _write_date,
    datetime.time: _write_time,
    datetime.datetime: _write_datetime,
    datetime.timedelta: _write_timedelta,
    decimal.Decimal: _write_decimal,
    uuid.UUID: _write_uuid,
    type(...): lambda obj: msgpack.ExtType(ELLIPSIS, b"\xc0"),
}

#: Types that have no identity worth keeping, and no parts that could change.
ATOMS = frozenset({type(None), bool, float, str, bytes, *_WRITERS}) - {tuple, set, frozenset}


# ------------------------------------------------------------------------------------------------------------- reading


def unpack(data: bytes) -> Any:
    return msgpack.unpackb(data, ext_hook=_read, strict_map_key=False, raw=False)


def _read(kind: int, data: bytes) -> Any:
    read = _READERS.get(kind)
    if read is None:
        raise PayloadError(f"extension type {kind} is not known here; use the same version of Waymark on both sides")
    return read(unpack(data))


def _read_zone(zone: Any) -> datetime.tzinfo | None:
    if zone is None:
        return None
    if isinstance(zone, str):
        return zoneinfo.ZoneInfo(zone)
    offset_us, name = zone
    if name is None:
        return datetime.timezone.utc if offset_us == 0 else datetime.timezone(offset_us * _MICROSECOND)
    return datetime.timezone(offset_us * _MICROSECOND, name)


def _read_time(body: list[Any]) -> datetime.time:
    *clock, fold, zone = body
    return datetime.time(*clock, fold=int(fold), tzinfo=_read_zone(zone))


def _read_datetime(body: list[Any]) -> datetime.datetime:
    *parts, fold, zone = body
    return datetime.datetime(*parts, fold=int(fold), tzinfo=_read_zone(zone))


def _read_object(body: list[Any]) -> Any:
    name, fields = body
    return load_form(name).build(fields)


def load_form(name: str) -> Any:
    try:
        return form_named(name)
    except Exception as error:
        raise PayloadError(f"an object of {name} can't be made here: {type(error).__name__}: {error}") from error


def _read_exception(body: list[Any]) -> BaseException:
    from waymark.values.exceptions import build_exception

    return build_exception(body)


_READERS: dict[int, Callable[[Any], Any]] = {
    INT: lambda body: int.from_bytes(body, "big", signed=True),
    TUPLE: tuple,
    SET: set,
    FROZENSET: frozenset,
    OBJECT: _read_object,
    EXCEPTION: _read_exception,
    DATE: lambda body: datetime.date(*body),
    TIME: _read_time,
    DATETIME: _read_datetime,
    TIMEDELTA: lambda body: datetime.timedelta(*body),
    DECIMAL: decimal.Decimal,
    UUID: lambda body: uuid.UUID(bytes=body),
    ELLIPSIS: lambda body: ...,
}
