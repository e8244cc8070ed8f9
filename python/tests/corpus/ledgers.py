"""Finance: ledgers, interest with Decimal, portfolios."""

from __future__ import annotations

import asyncio
import csv
import dataclasses
import decimal
import enum
import functools
import io
import itertools
import operator
import statistics
from collections import Counter, OrderedDict, defaultdict
from datetime import date, timedelta
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction

from corpus import Case, record
from waymark import NonRetryable, RetryPolicy, Workflow, action, workflow

CENT = Decimal("0.01")
RATES = {"EUR": Decimal("1"), "USD": Decimal("1.0825"), "JPY": Decimal("162.4")}
FEES = [(Decimal(0), Decimal("0.02")), (Decimal(1000), Decimal("0.015")), (Decimal(10000), Decimal("0.01"))]
WEEKEND = frozenset({5, 6})


class Side(enum.Enum):
    DEBIT = 1
    CREDIT = -1

    def __neg__(self) -> Side:
        return Side(-self.value)


@dataclasses.dataclass(frozen=True)
class Money:
    amount: Decimal
    currency: str = "EUR"

    def __post_init__(self) -> None:
        if self.currency not in RATES:
            raise ValueError(f"unknown currency {self.currency}")

    def __add__(self, other: Money) -> Money:
        if self.currency != other.currency:
            return NotImplemented
        return Money(self.amount + other.amount, self.currency)

    def __mul__(self, factor: int | Decimal) -> Money:
        return Money((self.amount * factor).quantize(CENT), self.currency)

    def __str__(self) -> str:
        return f"{self.amount:,.2f} {self.currency}"


@dataclasses.dataclass
class Entry:
    account: str
    amount: Decimal
    side: Side = Side.DEBIT
    memo: str | None = None

    @property
    def signed(self) -> Decimal:
        return self.amount * self.side.value


@dataclasses.dataclass
class Transaction:
    id: int
    entries: list[Entry] = dataclasses.field(default_factory=list)
    tags: set[str] = dataclasses.field(default_factory=set)

    def balance(self) -> Decimal:
        return sum((entry.signed for entry in self.entries), Decimal(0))


class LedgerError(Exception):
    pass


class Unbalanced(LedgerError):
    def __init__(self, transaction: int, by: Decimal) -> None:
        super().__init__(f"transaction {transaction} is off by {by}")
        self.transaction, self.by = transaction, by


class Overdrawn(LedgerError, NonRetryable):
    def __init__(self, account: str, short: Decimal) -> None:
        super().__init__(account, short)
        self.account = account
        self.short = short


@action
async def post(transaction: int, account: str, amount: Decimal) -> Decimal:
    record("post", transaction, account, str(amount))
    if account == "frozen":
        raise Overdrawn(account, -amount)
    return amount.copy_abs()


@action
async def quote(symbol: str) -> float:
    record("quote", symbol)
    return {"AAA": 10.5, "BBB": 99.25, "CCC": 0.125}[symbol]


@action
def store(*rows: object) -> int:
    record("store", *map(repr, rows))
    return len(rows)


def fee_for(amount: Decimal) -> Decimal:
    rate = next(rate for limit, rate in reversed(FEES) if amount >= limit)
    return (amount * rate).quantize(CENT, rounding=ROUND_HALF_UP)


@workflow
class PostTransactions(Workflow):
    """Double entry: all or nothing for each transaction, with the rest going on."""

    async def run(self, transactions: list[Transaction]) -> dict[str, object]:
        balances: dict[str, Decimal] = {}
        problems: list[Exception] = []
        for transaction in transactions:
            done: list[Entry] = []
            try:
                if (off := transaction.balance()) != 0:
                    raise Unbalanced(transaction.id, off)
                for entry in transaction.entries:
                    await post(transaction.id, entry.account, entry.signed)
                    done.append(entry)
                    balances[entry.account] = balances.get(entry.account, Decimal(0)) + entry.signed
            except Unbalanced as error:
                problems.append(error)
                continue
            except LedgerError as error:
                for entry in reversed(done):
                    entry.side = -entry.side
                    balances[entry.account] += entry.signed
                    await post(transaction.id, entry.account, entry.signed)
                transaction.tags.add("reversed")
                problems.append(error)
            else:
                transaction.tags |= {"posted", f"n{len(done)}"}
        return {
            "balances": {name: str(amount) for name, amount in sorted(balances.items())},
            "problems": [(type(problem).__name__, str(problem)) for problem in problems],
            "tags": [sorted(transaction.tags) for transaction in transactions],
        }


@workflow
class CompoundInterest(Workflow):
    """Decimal rounding of several kinds, year by year."""

    async def run(self, principal: Decimal, rate: Decimal, years: int, *, monthly: bool = False) -> list[str]:
        periods = 12 if monthly else 1
        balance, interest_total = principal, Decimal(0)
        lines = [f"{'year':>4} {'interest':>12} {'balance':>14}"]
        for year in range(1, years + 1):
            before = balance
            for _ in range(periods):
                interest = (balance * rate / 100 / periods).quantize(CENT, ROUND_HALF_EVEN)
                balance += interest
            interest_total += balance - before
            lines.append(f"{year:>4d} {balance - before:>12,.2f} {balance:>14,.2f}")
            if year % 2 == 0:
                await store(year, balance)
        effective = ((balance / principal) ** (Decimal(1) / years) - 1) * 100
        return [*lines, f"{effective:.6f}%", str(interest_total), str(balance.quantize(Decimal(1), rounding=ROUND_DOWN))]


@workflow
class AmortizeLoan(Workflow):
    """A context of decimal inside of a block without awaits; the last payment mends the rounding."""

    async def run(self, amount: Decimal, rate: Decimal, months: int) -> dict[str, str]:
        with decimal.localcontext() as context:
            context.prec = 50
            monthly = rate / 1200
            payment = (amount * monthly / (1 - (1 + monthly) ** -months)).quantize(CENT)
        left, paid = amount, Decimal(0)
        for month in range(1, months + 1):
            interest = (left * rate / 1200).quantize(CENT)
            part = min(payment - interest, left) if month < months else left
            left -= part
            paid += part + interest
        await store(str(payment), str(paid))
        return {"payment": f"{payment}", "total": f"{paid:.2f}", "left": str(left), "cost": f"{(paid - amount) / amount:.3%}"}


@workflow
class ConvertCurrencies(Workflow):
    """Operators of one's own money, NotImplemented, `sum` with a start, and errors of `__post_init__`."""

    async def run(self, amounts: list[tuple[str, str]]) -> list[str]:
        lines: list[str] = []
        totals: dict[str, Money] = {}
        for text, currency in amounts:
            try:
                money = Money(Decimal(text), currency)
            except ValueError as error:
                lines.append(f"skipped: {error}")
                continue
            except decimal.InvalidOperation:
                lines.append(f"not a number: {text!r}")
                continue
            totals[currency] = totals[currency] + money if currency in totals else money
        for currency, total in totals.items():
            await store(str(total))
            lines.append(f"{total} = {(total.amount / RATES[currency]).quantize(CENT)}")
        try:
            first, second = list(totals.values())[:2]
            lines.append(str(first + second))
        except TypeError as error:
            lines.append(type(error).__name__)
        return [*lines, str(sum((money * 2 for money in totals.values() if money.currency == "EUR"), Money(Decimal(0))))]


@workflow
class PortfolioValue(Workflow):
    """Quotes at once, weights, statistics and a report in columns."""

    async def run(self, holdings: dict[str, float], *, base: str = "EUR") -> dict[str, object]:
        symbols = sorted(holdings)
        prices = dict(zip(symbols, await asyncio.gather(*map(quote, symbols))))
        values = {symbol: holdings[symbol] * price for symbol, price in prices.items()}
        total = sum(values.values())
        weights = {symbol: round(value / total, 4) for symbol, value in values.items()}
        spread = statistics.pstdev(weights.values())
        ranking = sorted(values, key=values.__getitem__, reverse=True)
        report = "\n".join(f"{symbol:<6}{prices[symbol]:>10.3f}{values[symbol]:>12,.2f}{weights[symbol]:>8.1%}" for symbol in ranking)
        return {"total": f"{total:.2f} {base}", "weights": weights, "spread": round(spread, 6), "report": report}


@workflow
class TieredFees(Workflow):
    """A native helper with next() over reversed(), zip and accumulate."""

    async def run(self, amounts: list[str]) -> dict[str, object]:
        numbers = [Decimal(amount) for amount in amounts]
        fees = [fee_for(number) for number in numbers]
        running = list(itertools.accumulate(fees))
        net = [number - fee for number, fee in zip(numbers, fees)]
        largest = max(zip(net, amounts), key=operator.itemgetter(0))
        product = functools.reduce(operator.mul, numbers, Decimal(1))
        await store(*running)
        return {"fees": fees, "running": running, "largest": largest, "product": product.normalize(), "net": sum(net)}


@workflow
class ReconcileStatements(Workflow):
    """csv in a string, counters that are subtracted, and what is left on either side."""

    async def run(self, bank: str, books: list[tuple[str, int]]) -> dict[str, object]:
        rows = list(csv.DictReader(io.StringIO(bank)))
        theirs = Counter((row["ref"], int(row["cents"])) for row in rows)
        ours = Counter(books)
        missing, extra = theirs - ours, ours - theirs
        if missing:
            await store("missing", *sorted(missing.elements()))
        both = sum((theirs & ours).values())
        return {"missing": sorted(missing), "extra": sorted(extra.items()), "both": both, "top": theirs.most_common(1)}


@workflow
class SplitBill(Workflow):
    """Fractions that add up to exactly one, and cents handed out to the largest remainders."""

    async def run(self, cents: int, shares: dict[str, int]) -> dict[str, object]:
        whole = sum(shares.values())
        if not whole:
            raise ZeroDivisionError("nobody pays")
        parts = {name: Fraction(share, whole) for name, share in shares.items()}
        exact = {name: part * cents for name, part in parts.items()}
        owed = {name: int(amount) for name, amount in exact.items()}
        left = cents - sum(owed.values())
        for name in sorted(exact, key=lambda name: (owed[name] - exact[name], name))[:left]:
            owed[name] += 1
        await store(*owed.values())
        return {"owed": owed, "one": sum(parts.values()) == 1, "parts": {name: str(part) for name, part in parts.items()}}


@workflow
class BusinessDays(Workflow):
    """Settlement dates: arithmetic with dates, weekends, holidays."""

    async def run(self, trade: date, days: int, holidays: list[date]) -> dict[str, object]:
        closed = set(holidays)
        at, left, skipped = trade, days, []
        while left:
            at += timedelta(days=1)
            if at.weekday() in WEEKEND or at in closed:
                skipped.append(at)
                continue
            left -= 1
        quarter = (at.month - 1) // 3 + 1
        await store(at.isoformat())
        return {
            "settles": at,
            "skipped": len(skipped),
            "quarter": f"{at:%Y}Q{quarter}",
            "days": (at - trade).days,
            "last": skipped[-1:] or None,
        }


@workflow
class MonthlyStatement(Workflow):
    """Grouping by month, an OrderedDict, and running balances through a nested generator."""

    async def run(self, opening: Decimal, movements: list[tuple[date, Decimal]]) -> list[str]:
        months: OrderedDict[str, list[Decimal]] = OrderedDict()
        for day, amount in sorted(movements):
            months.setdefault(f"{day:%Y-%m}", []).append(amount)

        def balances(start: Decimal, amounts: list[Decimal]):
            for amount in amounts:
                start += amount
                yield start

        lines, balance = [], opening
        for month, amounts in months.items():
            *_, balance = balances(balance, amounts)
            low = min(balances(balance - sum(amounts), amounts))
            lines.append(f"{month} {len(amounts):>2} {balance:>10} {low:>10}")
            if low < 0:
                await store(month, low)
        return lines


@workflow
class PaymentWithFallback(Workflow):
    """Policies, errors that are not tried again, chaining, and finally with a return value of its own."""

    async def run(self, accounts: list[str], amount: Decimal) -> str:
        attempts: defaultdict[str, int] = defaultdict(int)
        last: LedgerError | None = None
        try:
            for account in accounts:
                attempts[account] += 1
                try:
                    taken = await self.run_action(post(1, account, -amount), retry=RetryPolicy(attempts=3))
                except Overdrawn as error:
                    last = error
                    continue
                return f"{account} paid {taken}"
            raise LedgerError("nobody paid") from last
        finally:
            await store(sorted(attempts.items()))


_BALANCED = Transaction(1, [Entry("cash", Decimal("10.50")), Entry("sales", Decimal("10.50"), Side.CREDIT)])
_OFF = Transaction(2, [Entry("cash", Decimal("3")), Entry("sales", Decimal("2.99"), Side.CREDIT)])
_FROZEN = Transaction(3, [Entry("cash", Decimal("7")), Entry("frozen", Decimal("7"), Side.CREDIT, "odd")])

CASES = [
    Case(PostTransactions, ([_BALANCED, _OFF, _FROZEN],)),
    Case(CompoundInterest, (Decimal("1000"), Decimal("3.5"), 4)),
    Case(CompoundInterest, (Decimal("12345.67"), Decimal("5"), 3), {"monthly": True}, name="monthly"),
    Case(AmortizeLoan, (Decimal("25000"), Decimal("4.2"), 36)),
    Case(ConvertCurrencies, ([("10.10", "EUR"), ("5", "USD"), ("x", "EUR"), ("1", "XXX"), ("0.40", "EUR")],)),
    Case(PortfolioValue, ({"BBB": 3.0, "AAA": 10.0, "CCC": 400.0},), concurrent=True),
    Case(PortfolioValue, ({"ZZZ": 1.0},), name="unknown"),
    Case(TieredFees, (["12.50", "1000", "25000.99"],)),
    Case(SplitBill, (1000, {"ann": 1, "bob": 1, "cat": 1})),
    Case(SplitBill, (1000, {}), name="nobody"),
    Case(BusinessDays, (date(2024, 12, 23), 5, [date(2024, 12, 25), date(2024, 12, 26), date(2025, 1, 1)])),
    Case(
        MonthlyStatement,
        (Decimal("5"), [(date(2024, 2, 1), Decimal("-8")), (date(2024, 1, 5), Decimal("2")), (date(2024, 2, 9), Decimal("20"))]),
    ),
    Case(PaymentWithFallback, (["frozen", "cash"], Decimal("9.99"))),
    Case(PaymentWithFallback, (["frozen"], Decimal("9.99")), name="nobody"),
    Case(ReconcileStatements, ("ref,cents\na,100\nb,250\nb,250\n", [("a", 100), ("b", 250), ("c", 1)])),
]
