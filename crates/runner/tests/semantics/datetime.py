# each line an expression
datetime.date(2024, 2, 29), datetime.datetime(2024, 1, 2, 3, 4, 5, 6), datetime.time(1, 2), datetime.timedelta(days=1, hours=2), datetime.timedelta(-1), datetime.timedelta(0), datetime.timedelta(seconds=-1), datetime.timedelta(weeks=1, minutes=1.5, milliseconds=1, microseconds=1)
str(datetime.date(2024, 2, 29)), str(datetime.datetime(2024, 1, 2, 3)), str(datetime.datetime(2024, 1, 2, 3, 4, 5, 6)), str(datetime.time(1, 2)), str(datetime.timedelta(1, 2, 3)), str(datetime.timedelta(-1)), str(datetime.timedelta(days=10, hours=5))
datetime.date(2024, 1, 31) + datetime.timedelta(1), datetime.date(2024, 3, 1) - datetime.date(2024, 2, 1), datetime.datetime(2024, 1, 1) - datetime.timedelta(seconds=1), datetime.datetime(2024, 1, 2) - datetime.datetime(2024, 1, 1, 12), datetime.timedelta(1) + datetime.date(2024, 1, 1)
datetime.timedelta(1) * 2, datetime.timedelta(1) / 2, datetime.timedelta(1) // 2, datetime.timedelta(1) / datetime.timedelta(hours=1), datetime.timedelta(1) // datetime.timedelta(hours=5), datetime.timedelta(1) % datetime.timedelta(hours=5), -datetime.timedelta(1, 1), abs(datetime.timedelta(-1)), datetime.timedelta(1) * 1.5, divmod(datetime.timedelta(1), datetime.timedelta(hours=7)), 3 * datetime.timedelta(2)
datetime.timedelta(1, 2, 3).days, datetime.timedelta(1, 2, 3).seconds, datetime.timedelta(1, 2, 3).microseconds, datetime.timedelta(1, 2).total_seconds(), datetime.timedelta(microseconds=-1).total_seconds()
datetime.date(2024, 13, 1)
datetime.date(2024, 2, 30)
datetime.date(0, 1, 1)
datetime.date('a', 1, 1)
datetime.date(2024)
datetime.datetime(2024, 1, 1, 24)
datetime.time(25)
datetime.timedelta(days=10**10)
datetime.date(9999, 12, 31) + datetime.timedelta(1)
datetime.date(2024, 1, 1) + 1
datetime.date(2024, 1, 1) < 5
datetime.datetime(2024, 1, 1) < datetime.date(2024, 1, 1)
datetime.datetime(2024, 1, 1) < datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
datetime.datetime(2024, 1, 1) - datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
datetime.datetime(2024, 1, 1) == datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc), datetime.datetime(2024, 1, 1) == datetime.date(2024, 1, 1), datetime.date(2024, 1, 1) == datetime.date(2024, 1, 1)
datetime.timedelta(1) / 0
datetime.timedelta(1) + 1
datetime.timedelta(1) * 'a'
datetime.date(2024, 1, 1).weekday(), datetime.date(2024, 1, 1).isoweekday(), tuple(datetime.date(2024, 1, 1).isocalendar()), tuple(datetime.date(2024, 12, 30).isocalendar()), datetime.date(2024, 1, 1).timetuple().tm_yday if 0 else 1, datetime.date(2024, 1, 1).toordinal(), datetime.date.fromordinal(738886), datetime.date(2024, 1, 1).isoformat(), datetime.date(2024, 5, 6).ctime()
datetime.date(2024, 1, 15).replace(day=1, month=2), datetime.datetime(2024, 1, 1).replace(hour=5, tzinfo=datetime.timezone.utc), datetime.time(1).replace(minute=5), datetime.date(2024, 1, 1).year, datetime.datetime(2024, 1, 2, 3, 4, 5, 6).microsecond, datetime.datetime(2024, 1, 2, 3).date(), datetime.datetime(2024, 1, 2, 3).time()
datetime.date(2024, 1, 31).replace(month=2)
datetime.date.fromisoformat('2024-02-29'), datetime.datetime.fromisoformat('2024-01-02T03:04:05'), datetime.datetime.fromisoformat('2024-01-02 03:04:05.123456+02:00'), datetime.datetime.fromisoformat('2024-01-02T03:04:05Z'), datetime.time.fromisoformat('03:04'), datetime.date.fromisoformat('20240229'), datetime.datetime.fromisoformat('2024-01-02')
datetime.date.fromisoformat('nope')
datetime.date.fromisoformat('2024-02-30')
datetime.datetime.fromisoformat('2024-13-01T00:00:00')
datetime.datetime.fromisoformat('')
datetime.datetime(2024, 1, 2, 3, 4, 5).isoformat(), datetime.datetime(2024, 1, 2, 3, 4, 5, 6).isoformat(' '), datetime.datetime(2024, 1, 2).isoformat(timespec='minutes'), datetime.datetime(2024, 1, 2, tzinfo=datetime.timezone.utc).isoformat(), datetime.time(1, 2, 3).isoformat(), datetime.datetime(2024, 1, 2, 3, 4, 5, 678901).isoformat(timespec='milliseconds')
datetime.datetime(2024, 1, 2, 3, 4, 5).strftime('%Y-%m-%d %H:%M:%S'), datetime.datetime(2024, 1, 2, 15).strftime('%a %A %b %B %d %j %p %I %y %%'), datetime.date(2024, 1, 2).strftime('%d/%m/%Y %H'), f'{datetime.date(2024, 1, 2):%d.%m.%y}', format(datetime.datetime(2024, 1, 2), '%H:%M'), f'{datetime.date(2024, 1, 2)}', datetime.datetime(2024, 1, 2, 3, 4, 5, 6).strftime('%f %U %w')
datetime.datetime.strptime('2024-01-02 03:04', '%Y-%m-%d %H:%M'), datetime.datetime.strptime('02/Jan/24', '%d/%b/%y'), datetime.datetime.strptime('2024-01-02T03:04:05+0200', '%Y-%m-%dT%H:%M:%S%z')
datetime.datetime.strptime('x', '%Y')
datetime.datetime.strptime('2024 1', '%Y')
datetime.datetime.strptime('2024-02-30', '%Y-%m-%d')
datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc), datetime.timezone.utc, datetime.timezone(datetime.timedelta(hours=2)), datetime.timezone(datetime.timedelta(hours=-5, minutes=-30)), str(datetime.timezone(datetime.timedelta(hours=2))), datetime.timezone(datetime.timedelta(hours=1), 'CET'), datetime.timezone.utc.utcoffset(None)
datetime.timezone(datetime.timedelta(hours=25))
datetime.timezone(5)
datetime.datetime(2024, 1, 1, 12, tzinfo=datetime.timezone.utc).astimezone(datetime.timezone(datetime.timedelta(hours=2))), datetime.datetime(2024, 1, 1, 12, tzinfo=datetime.timezone.utc) == datetime.datetime(2024, 1, 1, 14, tzinfo=datetime.timezone(datetime.timedelta(hours=2))), datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc).utcoffset(), datetime.datetime(2024, 1, 1).utcoffset(), datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc).tzname()
datetime.datetime.fromtimestamp(0, datetime.timezone.utc), datetime.datetime.fromtimestamp(1.5, tz=datetime.timezone.utc), datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc).timestamp(), datetime.datetime.fromtimestamp(-1, datetime.timezone.utc)
datetime.datetime(2024, 7, 1, 12, tzinfo=zoneinfo.ZoneInfo('Europe/Berlin')).utcoffset(), datetime.datetime(2024, 1, 1, 12, tzinfo=zoneinfo.ZoneInfo('America/New_York')).isoformat(), datetime.datetime(2024, 3, 31, 2, 30, tzinfo=zoneinfo.ZoneInfo('Europe/Berlin')).utcoffset(), datetime.datetime(2024, 10, 27, 2, 30, tzinfo=zoneinfo.ZoneInfo('Europe/Berlin'), fold=1).utcoffset(), str(zoneinfo.ZoneInfo('UTC')), datetime.datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo('Europe/Berlin')).tzname()
datetime.datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo('Europe/Berlin')).astimezone(zoneinfo.ZoneInfo('Asia/Tokyo')), (datetime.datetime(2024, 3, 30, 12, tzinfo=zoneinfo.ZoneInfo('Europe/Berlin')) + datetime.timedelta(days=1)).isoformat(), zoneinfo.ZoneInfo('Europe/Berlin').key
zoneinfo.ZoneInfo('Nope/Nope')
datetime.date.min, datetime.date.max, datetime.datetime.min, datetime.timedelta.max, datetime.timedelta.resolution, datetime.time.max
max(datetime.date(2024, 1, 1), datetime.date(2023, 1, 1)), sorted([datetime.timedelta(2), datetime.timedelta(1)]), sum([datetime.timedelta(1), datetime.timedelta(2)], datetime.timedelta()), {datetime.date(2024, 1, 1): 'x'}[datetime.date(2024, 1, 1)], datetime.date(2024, 1, 1) in [datetime.date(2024, 1, 1)], datetime.timedelta(hours=24) == datetime.timedelta(1), bool(datetime.timedelta()), hash(datetime.timedelta(1)) == hash(datetime.timedelta(hours=24))
datetime.datetime.combine(datetime.date(2024, 1, 2), datetime.time(3, 4)), datetime.date.fromisocalendar(2024, 1, 1), datetime.datetime(2024, 1, 2, 3).timetuple().tm_hour if 0 else 0, datetime.datetime(2024, 1, 2).weekday(), isinstance(datetime.datetime(2024, 1, 1), datetime.date), type(datetime.datetime(2024, 1, 1) - datetime.datetime(2023, 1, 1)), type(datetime.datetime(2024, 1, 1).date())
datetime.date(2024, 1, 1).foo
datetime.date(2024, 1, 1).year()
datetime.timedelta('a')
datetime.timedelta(foo=1)
datetime.datetime(2024, 1, 1, tzinfo=5)
datetime.datetime.fromtimestamp('a')
datetime.time(1) < datetime.time(2), datetime.time(1) == datetime.time(1), datetime.time(12, 30).hour, datetime.time(1, 2, 3, 4).microsecond, datetime.time(1, tzinfo=datetime.timezone.utc)
datetime.time(1) + datetime.timedelta(1)
datetime.time(1) - datetime.time(2)
# ---
a = datetime.datetime.now(datetime.timezone.utc)
b = datetime.datetime.now(datetime.timezone.utc)
result = (a <= b, a.tzinfo is datetime.timezone.utc, a.year > 2000, type(datetime.date.today()).__name__, datetime.datetime.now().tzinfo, isinstance(time.time(), float))
# ---
d = datetime.date(2024, 1, 28)
out = []
while d < datetime.date(2024, 3, 3):
    out.append(d.isoformat())
    d += datetime.timedelta(days=7)
result = out
# ---
start = datetime.datetime(2024, 2, 28, 23, 30)
result = [(start + datetime.timedelta(hours=h, minutes=m)).isoformat() for h in (-24, 0, 24) for m in (0, 45)]
# ---
result = [datetime.timedelta(seconds=s) for s in (0.1, -0.1, 1e-7, 0.5e-6, 1.5e-6, 2.5e-6, 86399.9999999, 1e6)]
# ---
d = datetime.date(2024, 1, 1)
d.year = 5
