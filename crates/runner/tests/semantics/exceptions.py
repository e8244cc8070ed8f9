try:
    1 / 0
except ZeroDivisionError as e:
    result = (str(e), repr(e), e.args, type(e).__name__, isinstance(e, ArithmeticError))
# ---
try:
    {}['k']
except KeyError as e:
    result = (str(e), repr(e), e.args)
# ---
try:
    [][1]
except LookupError as e:
    result = repr(e)
# ---
try:
    raise ValueError('a', 1)
except (TypeError, ValueError) as e:
    result = (str(e), repr(e), e.args)
# ---
raise ValueError
# ---
raise ValueError()
# ---
raise ValueError('one', 'two')
# ---
raise KeyError('k')
# ---
raise KeyError('a', 'b')
# ---
raise Exception(['x'])
# ---
raise 5
# ---
raise 'text'
# ---
raise None
# ---
raise int
# ---
raise ValueError('x') from 5
# ---
raise
# ---
try:
    raise ValueError('x')
except TypeError:
    result = 'wrong'
# ---
out = []
try:
    out.append('body')
except ValueError:
    out.append('except')
else:
    out.append('else')
finally:
    out.append('finally')
result = out
# ---
out = []
try:
    out.append('body')
    raise ValueError('x')
except ValueError:
    out.append('except')
else:
    out.append('else')
finally:
    out.append('finally')
result = out
# ---
out = []
try:
    try:
        raise ValueError('x')
    finally:
        out.append('inner')
except ValueError as e:
    out.append(str(e))
result = out
# ---
out = []
try:
    try:
        pass
    except ValueError:
        out.append('no')
    else:
        raise ValueError('from else')
    finally:
        out.append('finally')
except ValueError as e:
    out.append(str(e))
result = out
# ---
def f():
    try:
        return 'try'
    finally:
        return 'finally'
result = f()
# ---
def f():
    try:
        raise ValueError('lost')
    finally:
        return 'finally'
result = f()
# ---
def f():
    x = 1
    try:
        return x
    finally:
        x = 2
result = f()
# ---
def f():
    x = [1]
    try:
        return x
    finally:
        x.append(2)
result = f()
# ---
def f():
    try:
        raise ValueError('a')
    except ValueError:
        return 'except'
    finally:
        log.append('f')
log = []
result = (f(), log)
# ---
def f():
    try:
        try:
            return 1
        finally:
            log.append('inner')
    finally:
        log.append('outer')
log = []
result = (f(), log)
# ---
def f():
    try:
        try:
            raise KeyError('k')
        finally:
            raise ValueError('v')
    except ValueError as e:
        return (repr(e), repr(e.__context__), e.__cause__, e.__suppress_context__)
result = f()
# ---
try:
    try:
        raise KeyError('k')
    except KeyError as e:
        raise ValueError('v') from e
except ValueError as e:
    result = (repr(e.__cause__), repr(e.__context__), e.__suppress_context__, e.__cause__ is e.__context__)
# ---
try:
    try:
        raise KeyError('k')
    except KeyError:
        raise ValueError('v') from None
except ValueError as e:
    result = (e.__cause__, repr(e.__context__), e.__suppress_context__)
# ---
try:
    try:
        raise KeyError('k')
    except KeyError:
        raise ValueError('v')
except ValueError as e:
    result = (e.__cause__, repr(e.__context__), e.__suppress_context__)
# ---
try:
    raise ValueError('v') from TypeError
except ValueError as e:
    result = (repr(e.__cause__), e.__context__)
# ---
try:
    try:
        raise ValueError('first')
    except ValueError:
        raise
except ValueError as e:
    result = (repr(e), e.__context__)
# ---
try:
    try:
        raise ValueError('first')
    except ValueError as e:
        raise e
except ValueError as e:
    result = (repr(e), e.__context__)
# ---
def helper():
    raise
try:
    try:
        raise ValueError('handled')
    except ValueError:
        helper()
except ValueError as e:
    result = repr(e)
# ---
try:
    try:
        1 / 0
    except ZeroDivisionError:
        {}['a']
except KeyError as e:
    result = (repr(e.__context__), e.__context__.__context__)
# ---
try:
    try:
        try:
            1 / 0
        except ZeroDivisionError:
            [][0]
    except IndexError:
        {}['a']
except KeyError as e:
    chain = []
    while e is not None:
        chain.append(repr(e))
        e = e.__context__
    result = chain
# ---
try:
    raise ValueError('x')
except ValueError as e:
    pass
try:
    e
except UnboundLocalError as problem:
    result = str(problem)
# ---
e = 5
try:
    raise ValueError('x')
except ValueError as e:
    kept = e
try:
    result = e
except UnboundLocalError as problem:
    result = (str(problem), repr(kept))
# ---
try:
    raise ValueError('x')
except ValueError as e:
    del e
result = 'fine'
# ---
try:
    raise ValueError('x')
except ValueError as e:
    e = 'other'
result = 'fine'
# ---
log = []
def cls(c):
    log.append(c.__name__)
    return c
try:
    raise IndexError('i')
except cls(KeyError):
    pass
except cls(LookupError):
    log.append('caught')
except cls(Exception):
    pass
result = log
# ---
try:
    raise ValueError('x')
except 5:
    pass
# ---
try:
    raise ValueError('x')
except (ValueError, 5):
    result = 'matched before the bad one'
# ---
kinds = (KeyError, (IndexError, ValueError)) if 0 else (KeyError, ValueError)
try:
    raise ValueError('x')
except kinds as e:
    result = repr(e)
# ---
try:
    raise StopIteration(5)
except Exception as e:
    result = (repr(e), e.value, e.args)
# ---
result = [issubclass(a, b) for a, b in [(KeyError, LookupError), (TimeoutError, OSError), (UnboundLocalError, NameError), (asyncio.CancelledError, Exception), (RecursionError, RuntimeError), (UnicodeDecodeError, ValueError), (json.JSONDecodeError, ValueError), (NotImplementedError, RuntimeError), (ConnectionRefusedError, ConnectionError), (decimal.InvalidOperation, ArithmeticError)]]
# ---
e = ValueError('a')
e.add_note('n1')
e.add_note('n2')
result = (e.__notes__, str(e))
# ---
e = ValueError('a', 2)
f = ValueError('a', 2)
result = (e == f, e.args == f.args, e == e, str(ValueError()), repr(ValueError()), str(ValueError(None)), repr(KeyError()), bool(e))
# ---
e = ValueError('x')
e.extra = 5
result = (e.extra, hasattr(e, 'other'), getattr(e, 'other', 'none'))
# ---
e = ValueError('x')
e.missing
# ---
e = ValueError('x')
e.args = (1, 2)
result = (str(e), repr(e))
# ---
e = OSError(2, 'No such file')
result = (str(e), e.errno, e.strerror, e.args, type(e).__name__)
# ---
e = FileNotFoundError(2, 'gone', 'path')
result = (str(e), e.filename, repr(e))
# ---
result = [str(e) for e in (OSError('x'), OSError(), TimeoutError('t'), Exception(1, 2), Exception((1, 2)), AssertionError(5), NotImplementedError('later'), RuntimeError(None))]
# ---
def f(n):
    try:
        if n == 0: raise ValueError('bottom')
        f(n - 1)
    except ValueError as e:
        log.append(n)
        raise
    finally:
        log.append(-n)
log = []
try:
    f(3)
except ValueError as e:
    result = (str(e), log)
# ---
def f():
    try:
        yield 1
    finally:
        log.append('f')
log = []
for x in f():
    log.append(x)
result = log
# ---
def retry(action, times):
    for attempt in range(times):
        try:
            return action(attempt)
        except ValueError as e:
            last = e
    raise RuntimeError('gave up') from last
def action(n):
    if n < 2: raise ValueError(n)
    return f'ok {n}'
out = [retry(action, 3)]
try:
    retry(action, 2)
except RuntimeError as e:
    out.append((str(e), repr(e.__cause__)))
result = out
# ---
out = []
for i in range(3):
    try:
        try:
            if i == 0: raise KeyError(i)
            if i == 1: continue
            if i == 2: break
        finally:
            out.append(('inner', i))
    except KeyError:
        out.append('key')
    finally:
        out.append(('outer', i))
result = out
# ---
def f():
    try:
        raise ValueError('a')
    except ValueError:
        try:
            raise KeyError('b')
        except KeyError:
            pass
        raise
try:
    f()
except Exception as e:
    result = (repr(e), e.__context__)
# ---
try:
    try:
        raise ValueError('a')
    except ValueError as a:
        try:
            raise KeyError('b')
        except KeyError as b:
            raise a
except ValueError as e:
    result = (repr(e), repr(e.__context__), repr(e.__context__.__context__))
# ---
try:
    raise ExceptionGroup('many', [ValueError(1), KeyError('k')])
except ExceptionGroup as e:
    result = (str(e), repr(e), e.exceptions, e.message)
# ---
ExceptionGroup('m', [])
# ---
ExceptionGroup('m', 5)
# ---
class_names = [type(e).__name__ for e in (ValueError(), KeyError(1), OSError(2, 'x'))]
result = class_names
# ---
try:
    int('x')
except ValueError as e:
    first = e
try:
    raise first
except ValueError as e:
    result = (e is first, str(e))
# ---
try:
    raise ValueError('x').with_traceback(None)
except ValueError as e:
    result = repr(e)
# ---
x = 'before'
try:
    x = int('zz')
except ValueError:
    x = x + ' kept'
result = x
# ---
a = [1, 2, 3]
try:
    a[1], a[9], a[0] = 'x', 'y', 'z'
except IndexError:
    result = a
# ---
def f():
    try:
        pass
    finally:
        raise ValueError('in finally')
try:
    f()
except ValueError as e:
    result = (str(e), e.__context__)
# ---
def f():
    try:
        return 1
    finally:
        try:
            raise KeyError('x')
        except KeyError:
            pass
result = f()
# ---
def g():
    try:
        return log.append('value')
    finally:
        log.append('finally')
log = []
g()
result = log
# ---
try:
    try:
        raise ValueError('a')
    except ValueError:
        undefined = [][0]
    finally:
        result = 'finally ran'
except IndexError as e:
    result += ' ' + repr(e.__context__)
# ---
result = BaseException('x'), GeneratorExit(), KeyboardInterrupt('k'), SystemExit(3)
# ---
try:
    raise asyncio.CancelledError('stop')
except Exception:
    result = 'no'
except BaseException as e:
    result = repr(e)
# ---
raise asyncio.TimeoutError('late')
# ---
try:
    await asyncio.sleep(0.1)
    raise ValueError('after sleep')
except ValueError as e:
    await asyncio.sleep(0.1)
    kept = repr(e)
finally:
    await asyncio.sleep(0.1)
result = kept
# ---
def f(): raise ValueError('in f')
try:
    try:
        f()
    finally:
        await asyncio.sleep(0.1)
except ValueError as e:
    result = repr(e)
# ---
try:
    try:
        raise ValueError('a')
    except ValueError:
        await asyncio.sleep(0.1)
        raise
except ValueError as e:
    result = (repr(e), e.__context__)
# ---
try:
    try:
        raise ValueError('a')
    except ValueError:
        await asyncio.sleep(0.1)
        raise KeyError('b')
except KeyError as e:
    result = (repr(e), repr(e.__context__))
# ---
try:
    'a'.foo
except AttributeError as e:
    result = (str(e), e.name, e.obj)
# ---
def f():
    raise NameError('custom')
try:
    f()
except NameError as e:
    result = str(e)
# ---
x = 5
x.y = 1
# ---
x = [1]
x.y = 1
# ---
None.foo
# ---
(5).foo
# ---
len.foo
# ---
int.foo
# ---
async def work(n):
    await asyncio.sleep(0.1)
    if n: raise ValueError(n)
    return 'fine'
out = []
for n in (0, 1):
    try:
        out.append(await work(n))
    except ValueError as e:
        out.append(repr(e))
result = out
# ---
async def inner():
    try:
        await asyncio.sleep(0.1)
        raise KeyError('k')
    finally:
        await asyncio.sleep(0.1)
        log.append('finally')
async def outer():
    try:
        await inner()
    except KeyError as e:
        raise ValueError('v') from e
log = []
try:
    await outer()
except ValueError as e:
    result = (repr(e), repr(e.__cause__), log)
# ---
async def f():
    try:
        return await asyncio.sleep(0.1, 'try')
    finally:
        await asyncio.sleep(0.1)
        log.append('finally')
log = []
result = (await f(), log)
# ---
async def f(n):
    for i in range(n):
        try:
            await asyncio.sleep(0.1)
            if i == 1: continue
            if i == 3: break
            log.append(i)
        finally:
            await asyncio.sleep(0.1)
            log.append(f'f{i}')
    else:
        log.append('else')
log = []
await f(5)
await f(2)
result = log
# ---
async def f(): return 1
f() + 1
# ---
async def f(a): return a
await f()
# ---
async def fact(n): return 1 if n < 2 else n * await fact(n - 1)
result = await fact(20)
# ---
async def f(): raise StopIteration(5)
try:
    await f()
except RuntimeError as e:
    result = (str(e), repr(e.__cause__))
# ---
g = ExceptionGroup('g', [ValueError(1), ExceptionGroup('inner', [TypeError(2), ValueError(3)]), KeyError('k')])
g.add_note('a note')
a, b = g.split(ValueError)
c, d = g.split((TypeError, KeyError))
result = (a, b, c, d, a.__notes__, b.message, a.exceptions, type(a) is ExceptionGroup, a.__suppress_context__)
# ---
g = ExceptionGroup('g', [ValueError(1), TypeError(2)])
a, b = g.split(lambda e: not isinstance(e, ExceptionGroup) and e.args[0] == 2)
result = (a, b, g.split(Exception)[0] is g, g.split(Exception)[1], g.split(OSError)[0], g.subgroup(OSError), g.subgroup(ValueError))
# ---
result = ExceptionGroup('g', [ValueError(1)]).derive([KeyError('k'), OSError()])
# ---
ExceptionGroup('g', [ValueError(1)]).split(5)
# ---
ExceptionGroup('g', [ValueError(1)]).subgroup(int)
# ---
ExceptionGroup('g', [ValueError(1), KeyboardInterrupt()])
# ---
result = (BaseExceptionGroup('g', [ValueError(1)]), BaseExceptionGroup('g', [ValueError(1), KeyboardInterrupt()]).split(ValueError))
# ---
try:
    try:
        raise ExceptionGroup('g', [ValueError(1), KeyError(2)]) from OSError('cause')
    except ExceptionGroup as group:
        raise group.split(KeyError)[1]
except ExceptionGroup as rest:
    result = (rest.exceptions, rest.__cause__, str(rest))
# ---
result = ([c.__name__ for c in type(KeyError('k')).__mro__], KeyError.__bases__, ExceptionGroup.__bases__, bool.__mro__, object.__bases__, datetime.datetime.__mro__)
