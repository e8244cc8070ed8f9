"""User onboarding and accounts, permissions, caches."""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import enum
import functools
import hashlib
import hmac
import logging
import re
import secrets
import urllib.parse
import uuid
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from typing import Any, ClassVar, Protocol

from pydantic import BaseModel, Field, ValidationError, field_validator

from corpus import Case, record
from waymark import BackoffPolicy, NonRetryable, RetryPolicy, Workflow, action, workflow

log = logging.getLogger(__name__)
RESERVED = frozenset({"admin", "root", "support"})
EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[a-z]+")
NAMESPACE = uuid.UUID("12345678-1234-5678-1234-567812345678")
POLICY: dict[str, Any] = {"minimum": 8, "classes": [str.islower, str.isupper, str.isdigit], "banned": ("password", "letmein")}


class Plan(str, enum.Enum):
    FREE = "free"
    TEAM = "team"
    ENTERPRISE = "enterprise"

    def seats(self) -> int:
        return {"free": 1, "team": 10}.get(self.value, 10_000)


class Permission(enum.IntFlag):
    VIEW = enum.auto()
    EDIT = enum.auto()
    SHARE = enum.auto()
    OWN = VIEW | EDIT | SHARE


class Address(BaseModel):
    street: str
    city: str = "Berlin"
    postcode: str = Field(default="", max_length=5)


class SignUp(BaseModel):
    name: str
    email: str
    age: int | None = None
    addresses: list[Address] = []
    plan: Plan = Plan.FREE

    @field_validator("email")
    @classmethod
    def lower(cls, value: str) -> str:
        if not EMAIL.fullmatch(value.lower()):
            raise ValueError("not an address")
        return value.lower()

    @property
    def domain(self) -> str:
        return self.email.rpartition("@")[2]


@dataclasses.dataclass
class Account:
    id: str
    name: str
    roles: set[str] = dataclasses.field(default_factory=set)
    settings: dict[str, object] = dataclasses.field(default_factory=dict)
    created: datetime = datetime(2024, 1, 1, tzinfo=timezone.utc)
    kind: ClassVar[str] = "account"

    def __post_init__(self) -> None:
        self.name = self.name.strip().title()


@dataclasses.dataclass
class Admin(Account):
    level: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.roles.add("admin")


class AccountError(Exception):
    code = "E000"

    def __init__(self, message: str, **details: object) -> None:
        super().__init__(message)
        self.details = details


class NameTaken(AccountError):
    code = "E409"


class Forbidden(AccountError, NonRetryable):
    code = "E403"


@action
async def create(name: str, email: str) -> str:
    record("create", name, email)
    if name in RESERVED:
        raise NameTaken(f"{name} is taken", name=name, suggestions=[f"{name}{n}" for n in range(2)])
    return uuid.uuid5(NAMESPACE, name).hex[:8]


@action
async def mail(to: str, subject: str, body: str = "", *, html: bool = False) -> int:
    record("mail", to, subject, len(body), html)
    return len(body)


@action
async def load(key: str) -> dict[str, Any] | None:
    record("load", key)
    return None if key.startswith("missing") else {"key": key, "size": len(key)}


@action
def remove(*keys: str) -> int:
    record("remove", *sorted(keys))
    return len(keys)


@workflow
class OnboardUser(Workflow):
    """Validation by a model, an account, a mail; several errors with fields."""

    async def run(self, form: dict[str, Any]) -> dict[str, object]:
        try:
            sign_up = SignUp(**form)
        except ValidationError as error:
            wrong = sorted(".".join(map(str, each["loc"])) for each in error.errors())
            return {"invalid": wrong, "count": error.error_count()}
        log.info("signing up %s", sign_up.email)
        try:
            id = await create(sign_up.name, sign_up.email)
        except NameTaken as error:
            await mail(sign_up.email, f"{error} ({error.code})", ", ".join(error.details["suggestions"]))
            return {"taken": error.details, "domain": sign_up.domain}
        changed = sign_up.model_copy(update={"plan": Plan.TEAM}) if sign_up.domain == "example.com" else sign_up
        await mail(sign_up.email, "welcome", f"Hello {sign_up.name.title()}!", html=bool(sign_up.addresses))
        return {
            "id": id,
            "plan": changed.plan,
            "seats": changed.plan.seats(),
            "same": changed == sign_up,
            "cities": [address.city for address in sign_up.addresses],
            "dump": changed.model_dump(exclude={"addresses"}, mode="json"),
        }


@workflow
class PasswordRules(Workflow):
    """A constant with functions in it, `any` and `all`, hashing with a salt."""

    async def run(self, name: str, password: str) -> dict[str, object]:
        problems: list[str] = []
        if (length := len(password)) < POLICY["minimum"]:
            problems.append(f"{POLICY['minimum'] - length} too short")
        missing = [check.__name__ for check in (str.islower, str.isupper, str.isdigit) if not any(map(check, password))]
        problems += [f"needs {kind[2:]}" for kind in missing]
        if any(word in password.lower() for word in (*POLICY["banned"], name.lower())):
            problems.append("guessable")
        if problems:
            raise AccountError("; ".join(problems), count=len(problems), name=name)
        salt = hashlib.md5(name.encode()).digest()
        key = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 10)
        stored = base64.b64encode(salt + key).decode()
        await mail(name, "password", stored)
        again = base64.b64decode(stored)
        good = hmac.compare_digest(again[16:], hashlib.pbkdf2_hmac("sha256", password.encode(), again[:16], 10))
        return {"stored": stored[:16], "good": good, "bytes": len(again), "hex": again[:4].hex(":"), "first": again[0]}


@workflow
class ConfirmAddress(Workflow):
    """A race between a confirmation and reminders, ended by an event."""

    async def run(self, email: str, confirms_after: float) -> dict[str, object]:
        confirmed = asyncio.Event()

        async def person() -> None:
            await asyncio.sleep(confirms_after)
            confirmed.set()

        task = asyncio.create_task(person())
        reminders = 0
        while reminders < 3:
            try:
                await asyncio.wait_for(confirmed.wait(), timeout=0.02)
                break
            except asyncio.TimeoutError:
                reminders += 1
                await mail(email, f"reminder {reminders}")
        else:
            task.cancel()
            return {"confirmed": False, "reminders": reminders, "cancelled": not confirmed.is_set()}
        await task
        link = "https://example.com/?" + urllib.parse.urlencode({"email": email, "n": reminders})
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)
        return {"confirmed": True, "reminders": reminders, "link": link, "query": query}


@workflow
class MergeAccounts(Workflow):
    """Inherited dataclasses, sets, dicts merged in depth by a recursive helper."""

    async def run(self, main: Account, *others: Account, keep: tuple[str, ...] = ()) -> Account:
        for other in others:
            if other is main:
                continue
            main.roles |= other.roles - {"guest"}
            main.settings = self.merged(main.settings, other.settings, keep)
            if other.created < main.created:
                main.created = other.created
            await mail(other.name, f"{other.kind} merged", other.id)
        if isinstance(main, Admin):
            main.level += sum(isinstance(other, Admin) for other in others)
        return main

    @classmethod
    def merged(cls, left: dict[str, Any], right: dict[str, Any], keep: tuple[str, ...]) -> dict[str, Any]:
        result = dict(left)
        for key, value in right.items():
            if key in keep and key in left:
                continue
            if isinstance(value, dict) and isinstance(left.get(key), dict):
                result[key] = cls.merged(left[key], value, keep)
            elif isinstance(value, list):
                result[key] = [*left.get(key, []), *value]
            else:
                result[key] = value
        return result


@workflow
class UniqueNames(Workflow):
    """Slugs, counters in a dict, for/else and a closure with a default that is kept."""

    async def run(self, names: list[str], limit: int = 3) -> dict[str, str]:
        taken: dict[str, int] = {}
        given: dict[str, str] = {}

        def slug(name: str, pattern: str = r"[^a-z0-9]+", _kept=taken) -> str:
            plain = re.sub(pattern, "-", name.lower()).strip("-")
            return plain if plain not in _kept else f"{plain}-{_kept[plain]}"

        for name in names:
            for attempt in range(limit):
                wanted = slug(name)
                base = re.sub(r"-\d+$", "", wanted)
                taken[base] = taken.get(base, 0) + 1
                try:
                    given[name] = f"{wanted}:{await create(wanted, name)}"
                except NameTaken as error:
                    taken[base] += len(error.details)
                    continue
                break
            else:
                given[name] = "?"
        return given


class Store(Protocol):
    def get(self, key: str) -> Any: ...


class Cache:
    """Least recently used, with statistics; `in`, `[]`, `len`, iteration and calls."""

    def __init__(self, size: int = 2) -> None:
        self.size = size
        self.items: OrderedDict[str, Any] = OrderedDict()
        self.hits = self.misses = 0

    def __contains__(self, key: str) -> bool:
        return key in self.items

    def __getitem__(self, key: str) -> Any:
        try:
            value = self.items[key]
        except KeyError:
            self.misses += 1
            raise
        self.items.move_to_end(key)
        self.hits += 1
        return value

    def __setitem__(self, key: str, value: Any) -> None:
        self.items[key] = value
        while len(self.items) > self.size:
            self.items.popitem(last=False)

    def __delitem__(self, key: str) -> None:
        del self.items[key]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self.items))

    def __call__(self, **options: int) -> str:
        return f"{self.hits}/{self.hits + self.misses}" + "".join(f" {name}={value}" for name, value in options.items())

    @property
    def is_full(self) -> bool:
        return len(self) >= self.size


@workflow
class ReadThrough(Workflow):
    """A cache object of one's own across awaits: every operator of it, and its state."""

    async def run(self, keys: list[str], size: int = 2) -> dict[str, object]:
        cache = Cache(size)
        values = []
        for key in keys:
            try:
                value = cache[key]
            except KeyError:
                value = await load(key)
                if value is None:
                    continue
                cache[key] = value
            values.append(value["size"])
        kept = list(cache)
        if "a" in cache:
            del cache["a"]
        return {"values": values, "kept": kept, "left": len(cache), "rate": cache(size=size), "full": cache.is_full, "hits": cache.hits}


@workflow
class ExpiringCache(Workflow):
    """Times to live by a clock that the workflow counts itself, and a decorator-like closure."""

    async def run(self, script: list[tuple[int, str]], ttl: int = 5) -> list[str]:
        entries: dict[str, tuple[int, Any]] = {}
        events: list[str] = []

        def cached(fetch: Callable[[str], Any]) -> Callable[..., Any]:
            async def get(key: str, /, *, now: int) -> Any:
                if key in entries and now - entries[key][0] < ttl:
                    events.append(f"hit {key}")
                    return entries[key][1]
                events.append(f"{'stale' if key in entries else 'miss'} {key}")
                entries[key] = now, await fetch(key)
                return entries[key][1]

            return get

        get = cached(load)
        for now, key in script:
            await get(key, now=now)
            if expired := [name for name, (at, _) in entries.items() if now - at >= ttl]:
                for name in expired:
                    del entries[name]
                await remove(*expired)
        return [*events, *sorted(entries)]


@workflow
class SingleFlight(Workflow):
    """Many want the same thing at once; it is loaded once."""

    async def run(self, wanted: list[str]) -> dict[str, object]:
        flying: dict[str, asyncio.Task[Any]] = {}
        lock = asyncio.Lock()
        joined = 0

        async def get(key: str) -> int:
            nonlocal joined
            async with lock:
                if key in flying:
                    joined += 1
                else:
                    flying[key] = asyncio.create_task(load(key))
            found = await flying[key]
            return found["size"] if found else -1

        sizes = await asyncio.gather(*map(get, wanted))
        return {"sizes": sizes, "joined": joined, "loads": sorted(flying)}


@workflow
class CheckPermissions(Workflow):
    """Roles that inherit from each other, wildcards, and denials that win."""

    roles: ClassVar[dict[str, dict[str, list[str]]]] = {
        "viewer": {"allow": ["doc:read"], "from": []},
        "editor": {"allow": ["doc:*"], "deny": ["doc:delete"], "from": ["viewer"]},
        "owner": {"allow": ["doc:delete", "team:*"], "from": ["editor"]},
    }

    async def run(self, user: Account, wanted: list[str]) -> dict[str, bool]:
        allowed = self.collect(user.roles, "allow")
        denied = self.collect(user.roles, "deny")
        decisions = {
            each: any(self.fits(rule, each) for rule in allowed) and not any(self.fits(rule, each) for rule in denied) for each in wanted
        }
        if not any(decisions.values()):
            raise Forbidden(f"{user.name} may do nothing", roles=sorted(user.roles), rules=len(allowed))
        if refused := [each for each, good in decisions.items() if not good]:
            await mail("audit", f"{user.name}: {len(refused)} refused", "\n".join(refused))
        return decisions

    def collect(self, roles: set[str], kind: str, seen: frozenset[str] = frozenset()) -> set[str]:
        found: set[str] = set()
        for role in sorted(roles - seen):
            rules = self.roles.get(role, {})
            found.update(rules.get(kind, ()))
            found |= self.collect(set(rules.get("from", ())), kind, seen | {role})
        return found

    @staticmethod
    def fits(rule: str, wanted: str) -> bool:
        kind, _, verb = rule.partition(":")
        return wanted.startswith(kind + ":") and verb in ("*", wanted[len(kind) + 1 :])


@workflow
class ShareDocument(Workflow):
    """IntFlag arithmetic, kept in a dict of dicts, with a fold over grants."""

    async def run(self, grants: list[tuple[str, str, int]]) -> dict[str, object]:
        table: defaultdict[str, dict[str, Permission]] = defaultdict(dict)
        for document, who, bits in grants:
            before = table[document].get(who, Permission(0))
            table[document][who] = before | Permission(bits)
            if Permission.OWN in table[document][who] and before != Permission.OWN:
                await mail(who, f"you own {document}")
        union = functools.reduce(lambda left, right: left | right, (each for row in table.values() for each in row.values()), Permission(0))
        return {
            "table": {document: {who: int(each) for who, each in sorted(row.items())} for document, row in sorted(table.items())},
            "union": int(union),
            "editors": sorted(who for row in table.values() for who, each in row.items() if each & Permission.EDIT),
        }


@workflow
class RotateTokens(Workflow):
    """Chance and ids belong to the instance: only their shapes are compared."""

    async def run(self, users: list[str], *, size: int = 8) -> dict[str, object]:
        token = secrets.token_hex(size)
        ids = [uuid.uuid4() for _ in users]
        now = datetime.now(timezone.utc)
        expires = [now + timedelta(days=30 * (at + 1)) for at, _ in enumerate(users)]
        for user, before in zip(users, expires):
            await self.run_action(
                mail(user, "rotated", ""),
                retry=RetryPolicy(attempts=2, backoff=BackoffPolicy(base_delay=0.01)),
                timeout=timedelta(minutes=1),
            )
        return {
            "length": len(token),
            "unique": len({*ids}) == len(users),
            "versions": {each.version for each in ids},
            "ordered": all(left < right for left, right in zip(expires, expires[1:])),
            "hex": set(token) <= set("0123456789abcdef"),
        }


_FORM = {"name": "ann", "email": "Ann@Example.com", "addresses": [{"street": "A 1"}, {"street": "B 2", "city": "Bonn"}]}
_ANN = Account("1", " ann ", {"viewer"}, {"theme": {"dark": True, "size": 1}, "tags": ["a"]})
_BOB = Account(
    "2", "bob", {"editor", "guest"}, {"theme": {"size": 2}, "tags": ["b"], "lang": "de"}, datetime(2020, 1, 1, tzinfo=timezone.utc)
)

CASES = [
    Case(OnboardUser, (_FORM,)),
    Case(OnboardUser, ({"name": "root", "email": "r@x.org", "plan": "enterprise"},), name="taken"),
    Case(OnboardUser, ({"name": 3, "email": "nowhere", "addresses": [{}, {"street": "x", "postcode": "1234567"}]},), name="invalid"),
    Case(PasswordRules, ("ann", "Tr0ubadour")),
    Case(PasswordRules, ("ann", "annpass"), name="weak"),
    Case(ConfirmAddress, ("a@b.org", 0.03), concurrent=True),
    Case(ConfirmAddress, ("a b@b.org", 5.0), name="never", concurrent=True),
    Case(MergeAccounts, (_ANN, _BOB)),
    Case(MergeAccounts, (Admin("9", "zed"), _BOB, Admin("8", "yve", level=3)), {"keep": ("lang",)}, name="admin"),
    Case(UniqueNames, (["Ann Lee", "ann lee!", "Root", "root", "Bob"],)),
    Case(ReadThrough, (["a", "b", "a", "missing", "c", "b", "a"],)),
    Case(ReadThrough, (["a", "b", "a"], 3), name="roomy"),
    Case(ExpiringCache, ([(0, "a"), (1, "b"), (3, "a"), (6, "a"), (7, "c")],)),
    Case(SingleFlight, (["a", "bb", "a", "missing", "a"],), concurrent=True),
    Case(CheckPermissions, (Account("1", "ann", {"owner"}), ["doc:read", "doc:delete", "team:add", "bill:pay"])),
    Case(CheckPermissions, (Account("1", "ann", {"viewer"}), ["doc:write"]), name="nothing"),
    Case(ShareDocument, ([("d1", "ann", 1), ("d1", "ann", 6), ("d2", "bob", 2), ("d1", "cat", 7)],)),
    Case(RotateTokens, (["a", "b"],)),
]
