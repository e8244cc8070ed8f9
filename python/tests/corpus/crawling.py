"""Crawling and scraping: frontiers, robots, politeness, parsing with the standard library, deduplication."""

from __future__ import annotations

import asyncio
import base64
import bisect
import collections
import csv
import dataclasses
import hashlib
import heapq
import html
import io
import itertools
import json
import re
import urllib.parse
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from html.parser import HTMLParser
from typing import Any, NamedTuple

from corpus import Case, record
from waymark import RetryPolicy, Workflow, action, workflow

SITE: dict[str, str] = {
    "https://shop.test/": '<title>Shop</title><a href="/a">A</a> <a href="b?x=1&amp;y=2">B</a> <a href="https://other.test/">O</a>',
    "https://shop.test/a": '<title>Page &lt;A&gt;</title><a href="/">home</a><a href="/c#top">C</a><span class="price">€ 12,50</span>',
    "https://shop.test/b?x=1&y=2": '<title>B</title><a href="/missing">?</a><span class="price">€ 7,00</span>',
    "https://shop.test/c": "<p>no title, no links</p>",
}
ROBOTS = "User-agent: *\nDisallow: /private\nDisallow: /b\nCrawl-delay: 2\n# comment\n"
DENIED = re.compile(r"/(private|admin)(/|$)")


class FetchError(Exception):
    def __init__(self, url: str, status: int) -> None:
        super().__init__(f"{status} for {url}")
        self.url = url
        self.status = status

    @property
    def is_final(self) -> bool:
        return 400 <= self.status < 500


class NotFound(FetchError):
    pass


class Response(NamedTuple):
    url: str
    status: int
    body: str

    @property
    def size(self) -> int:
        return len(self.body)


@dataclasses.dataclass
class PageInfo:
    url: str
    title: str = ""
    links: list[str] = dataclasses.field(default_factory=list)
    depth: int = 0

    def __post_init__(self) -> None:
        self.title = self.title.strip() or "untitled"


@dataclasses.dataclass(order=True, frozen=True)
class Candidate:
    priority: int
    url: str


class LinkParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.title = ""
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag == "title"
        if tag == "a":
            self.links += [value for name, value in attrs if name == "href" and value]

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.title += data
        self._inside = False


def parse_page(url: str, body: str, depth: int) -> PageInfo:
    parser = LinkParser()
    parser.feed(body)
    links = [urllib.parse.urldefrag(urllib.parse.urljoin(url, link)).url for link in parser.links]
    return PageInfo(url, parser.title, links, depth)


def host_of(url: str) -> str:
    return urllib.parse.urlsplit(url).netloc


def normalize(url: str) -> str:
    """Native: nothing of a library."""
    url = url.strip().lower()
    if url.startswith("http://"):
        url = "https://" + url[len("http://") :]
    return url[:-1] if url.endswith("/") and url.count("/") > 3 else url


@action
async def fetch(url: str) -> Response:
    record("fetch", url)
    body = SITE.get(url)
    if body is None:
        raise NotFound(url, 404)
    return Response(url, 200, body)


@action
def save(key: str, value: Any) -> str:
    record("save", key, value)
    return hashlib.md5(key.encode()).hexdigest()[:6]


@workflow
class CrawlSite(Workflow):
    """Breadth first, one page after another, within one host and a depth."""

    async def run(self, start: str, depth_max: int = 2) -> dict[str, Any]:
        frontier: collections.deque[tuple[str, int]] = collections.deque([(start, 0)])
        seen = {start}
        pages: list[PageInfo] = []
        missing: list[str] = []
        home = host_of(start)
        while frontier:
            url, depth = frontier.popleft()
            try:
                response = await fetch(url)
            except NotFound as error:
                missing.append(f"{error.status} {urllib.parse.urlsplit(error.url).path}")
                continue
            page = parse_page(url, response.body, depth)
            pages.append(page)
            if depth >= depth_max:
                continue
            for link in page.links:
                if link not in seen and host_of(link) == home:
                    seen.add(link)
                    frontier.append((link, depth + 1))
        return {"titles": {page.url: page.title for page in pages}, "missing": missing, "deepest": max(page.depth for page in pages)}


@workflow
class CrawlLevels(Workflow):
    """A level at a time, all pages of a level at once."""

    async def run(self, start: str, limit: int) -> dict[str, Any]:
        semaphore = asyncio.Semaphore(2)
        seen: set[str] = {start}
        level, levels = [start], []

        async def visit(url: str) -> PageInfo | None:
            async with semaphore:
                try:
                    response = await fetch(url)
                except FetchError as error:
                    if not error.is_final:
                        raise
                    return None
            return parse_page(response.url, response.body, len(levels))

        while level and len(levels) < limit:
            visited = [page for page in await asyncio.gather(*map(visit, level)) if page is not None]
            levels.append([page.title for page in visited])
            level = sorted({link for page in visited for link in page.links} - seen)
            seen |= set(level)
        return {"levels": levels, "seen": len(seen)}


@workflow
class CrawlPriority(Workflow):
    """The frontier as a heap of candidates: the most promising first."""

    async def run(self, links: dict[str, int], budget: int) -> list[str]:
        heap = [Candidate(-score, url) for url, score in links.items()]
        heapq.heapify(heap)
        visited: list[str] = []
        while heap and budget > 0:
            best = heapq.heappop(heap)
            budget -= 1
            await save(best.url, best.priority)
            visited.append(f"{best.url}:{-best.priority}")
            if -best.priority > 5:
                heapq.heappush(heap, Candidate(best.priority + 5, best.url + "/more"))
        left = heapq.nsmallest(2, heap)
        return [*visited, *(f"left {candidate.url}" for candidate in left)]


@workflow
class ScrapePrices(Workflow):
    """Regular expressions and decimals; what does not parse is counted by its reason."""

    PRICE = re.compile(r'class="price">€ (?P<whole>\d+),(?P<cents>\d\d)<')

    async def run(self, urls: list[str]) -> dict[str, Any]:
        prices: dict[str, int] = {}
        reasons: dict[str, int] = {}
        for url in urls:
            try:
                response = await fetch(url)
                found = self.PRICE.search(response.body)
                if found is None:
                    raise LookupError("no price")
                prices[url] = int(found["whole"]) * 100 + int(found["cents"])
            except (FetchError, LookupError) as error:
                reason = type(error).__name__ if isinstance(error, FetchError) else str(error)
                reasons[reason] = reasons.get(reason, 0) + 1
        cheapest, *_ = sorted(prices.items(), key=lambda item: item[1]) or [("", 0)]
        return {"cheapest": cheapest, "total": sum(prices.values()), "reasons": reasons}


@workflow
class RobotsRules(Workflow):
    """robots.txt read by hand: a generator over lines, prefixes in a sorted list."""

    async def run(self, text: str, paths: list[str]) -> dict[str, Any]:
        rules = list(self.rules(text))
        denied = sorted(value for name, value in rules if name == "disallow")
        delays = [float(value) for name, value in rules if name == "crawl-delay"]
        allowed = []
        for path in paths:
            at = bisect.bisect_right(denied, path)
            if at and path.startswith(denied[at - 1]):
                continue
            allowed.append(path)
        await save("robots", allowed)
        return {"allowed": allowed, "delay": delays[0] if delays else None, "rules": len(rules)}

    def rules(self, text: str) -> Iterator[tuple[str, str]]:
        for line in text.splitlines():
            line = line.partition("#")[0].strip()
            if not line:
                continue
            name, _, value = line.partition(":")
            yield name.strip().lower(), value.strip()


@workflow
class DedupeContent(Workflow):
    """Pages that are alike: shingles, hashes, sets."""

    async def run(self, texts: dict[str, str], size: int = 2) -> list[tuple[str, str, float]]:
        def shingles(text: str) -> set[str]:
            words = text.lower().split()
            return {" ".join(words[at : at + size]) for at in range(max(1, len(words) - size + 1))}

        marks = {name: shingles(text) for name, text in texts.items()}
        alike = []
        for (left, one), (right, two) in itertools.combinations(marks.items(), 2):
            similarity = len(one & two) / len(one | two)
            if similarity >= 0.5:
                alike.append((left, right, round(similarity, 3)))
        for left, right, _ in alike:
            await save(left, right)
        return sorted(alike, key=lambda row: row[2], reverse=True)


@workflow
class NormalizeUrls(Workflow):
    """Native helpers and library helpers mixed, grouped by host."""

    async def run(self, urls: list[str]) -> dict[str, list[str]]:
        clean = [normalize(url) for url in urls if url.strip()]
        clean = list(dict.fromkeys(clean))
        by_host: dict[str, list[str]] = collections.defaultdict(list)
        for url in clean:
            parts = urllib.parse.urlsplit(url)
            query = urllib.parse.parse_qsl(parts.query)
            query = [(name, value) for name, value in query if not name.startswith("utm_")]
            by_host[parts.netloc].append(parts.path + ("?" + urllib.parse.urlencode(sorted(query)) if query else ""))
        for host, paths in sorted(by_host.items()):
            await save(host, paths)
        return dict(by_host)


@workflow
class SitemapReport(Workflow):
    """A report as CSV in memory, compressed to text."""

    async def run(self, rows: list[tuple[str, int, str]]) -> dict[str, Any]:
        output = io.StringIO()
        with output:
            writer = csv.writer(output, lineterminator="\n")
            writer.writerow(["url", "size", "title"])
            for url, size, title in rows:
                writer.writerow([url, size, html.unescape(title)])
            text = output.getvalue()
        back = [dict(row) for row in csv.DictReader(io.StringIO(text))]
        sizes = [int(row["size"]) for row in back]
        encoded = base64.b64encode(text.encode()).decode()
        await save("sitemap", encoded[:12])
        return {"lines": text.count("\n"), "sizes": sizes, "titles": [row["title"] for row in back], "length": len(encoded)}


@dataclasses.dataclass
class HostState:
    name: str
    next_at: datetime
    fetched: list[str] = dataclasses.field(default_factory=list)
    failures: int = 0

    @property
    def is_dead(self) -> bool:
        return self.failures >= 2


@workflow
class PoliteCrawl(Workflow):
    """A pause per host, on a clock of its own; dead hosts are skipped. State is shared and changed through helpers."""

    GAP = timedelta(seconds=2)

    async def run(self, urls: list[str], start: datetime) -> dict[str, Any]:
        hosts: dict[str, HostState] = {}
        now = start
        skipped: list[str] = []
        for url in urls:
            name = url.split("/")[2]
            state = hosts.setdefault(name, HostState(name, now))
            if state.is_dead:
                skipped.append(url)
                continue
            if state.next_at > now:
                now = state.next_at
            now += timedelta(milliseconds=250)
            state.next_at = now + self.GAP
            await self.visit(state, url)
        return {
            "elapsed": (now - start).total_seconds(), "skipped": skipped,
            "hosts": {name: (len(state.fetched), state.failures, state.next_at.isoformat()) for name, state in hosts.items()},
        }  # fmt: skip

    async def visit(self, state: HostState, url: str) -> None:
        try:
            await fetch(url)
        except NotFound:
            state.failures += 1
        else:
            state.fetched.append(url)
            state.failures = 0


@action(retry=RetryPolicy(attempts=3, backoff_seconds=0.01, retry_on=[ConnectionError]))
async def fetch_flaky(url: str) -> str:
    record("fetch_flaky", url)
    if "reset" in url:
        raise ConnectionResetError(url)
    if "gone" in url:
        raise NotFound(url, 410)
    return url[::-1]


@workflow
class FetchRetries(Workflow):
    """Retries of the decorator for some errors, overridden for a call; others are raised at once."""

    async def run(self, urls: list[str]) -> list[str]:
        results = []
        for number, url in enumerate(urls):
            try:
                if number == 0:
                    results.append(await self.run_action(fetch_flaky(url), retry=RetryPolicy(attempts=1)))
                else:
                    results.append(await fetch_flaky(url))
            except ConnectionError as error:
                results.append(f"reset {error.args[0]}")
            except FetchError as error:
                results.append(f"{error.status} {error.is_final}")
        return results


@workflow
class PaginatedApi(Workflow):
    """Pages of an API by cursors in JSON, with a check of what is already known."""

    async def run(self, total: int, page_size: int, known: set[int]) -> dict[str, Any]:
        def page(cursor: int) -> str:
            items = list(range(cursor, min(cursor + page_size, total)))
            following = cursor + page_size if cursor + page_size < total else None
            return json.dumps({"items": [{"id": item, "even": item % 2 == 0} for item in items], "next": following})

        cursor: int | None = 0
        fresh: list[int] = []
        pages = 0
        while cursor is not None:
            match json.loads(page(cursor)):
                case {"items": [], **_rest}:
                    break
                case {"items": list(items), "next": following}:
                    pages += 1
                    ids = {item["id"] for item in items if item["even"]}
                    fresh.extend(sorted(ids - known))
                    cursor = following
                    if ids <= known:
                        await save("stop", pages)
                        break
        else:
            await save("end", pages)
        return {"fresh": fresh, "pages": pages}


@workflow
class DeniedPaths(Workflow):
    """A compiled pattern of the module, flags and substitutions."""

    async def run(self, paths: list[str]) -> dict[str, Any]:
        kept = [path for path in paths if not DENIED.search(path)]
        slugs = [re.sub(r"[^a-z0-9]+", "-", path.lower()).strip("-") for path in kept]
        numbers = [int(found.group()) for path in kept if (found := re.search(r"\d+", path))]
        for slug in slugs:
            await save(slug, len(slug))
        return {"kept": kept, "slugs": slugs, "numbers": numbers}


CASES = [
    Case(CrawlSite, ("https://shop.test/",)),
    Case(CrawlSite, ("https://shop.test/", 0), name="shallow"),
    Case(CrawlLevels, ("https://shop.test/", 3), concurrent=True),
    Case(CrawlPriority, ({"a": 3, "b": 11, "c": 7}, 4)),
    Case(ScrapePrices, ([*SITE, "https://shop.test/nowhere"],)),
    Case(ScrapePrices, (["https://shop.test/c"],), name="none"),
    Case(RobotsRules, (ROBOTS, ["/", "/a", "/b", "/bb", "/private/x", "/public"])),
    Case(RobotsRules, ("", ["/"]), name="empty"),
    Case(DedupeContent, ({"a": "the quick brown fox", "b": "The quick brown fox jumps", "c": "lazy dog", "d": "lazy dog"},)),
    Case(NormalizeUrls, (["http://A.test/x/", "https://a.test/x", " ", "https://b.test/?b=2&utm_source=z&a=1"],)),
    Case(SitemapReport, ([("/", 10, "Home &amp; more"), ("/a,b", 20, 'say "hi"')],)),
    Case(
        PoliteCrawl,
        (
            ["https://shop.test/", "https://dead.test/1", "https://shop.test/a", "https://dead.test/2", "https://dead.test/3"],
            datetime(2024, 1, 1, 12, tzinfo=timezone.utc),
        ),
    ),  # fmt: skip
    Case(FetchRetries, (["a/reset", "b/reset", "c/gone", "d"],)),
    Case(PaginatedApi, (10, 3, {0, 2})),
    Case(PaginatedApi, (7, 3, set()), name="all"),
    Case(DeniedPaths, (["/a 1", "/private/b", "/Admin", "/x/admin", "/C_3/d"],)),
]
