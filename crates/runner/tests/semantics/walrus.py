if (n := len('abc')) > 2:
    result = n
# ---
result = [(y := x + 1), y * 2] if (x := 3) else 0
# ---
data = [1, 2, 3, 4]
it = iter(data)
out = []
while (chunk := next(it, None)) is not None:
    out.append(chunk)
result = (out, chunk)
# ---
result = [last := x for x in range(3)], last
# ---
result = (any((hit := x) > 2 for x in range(10)), hit)
# ---
result = (all((miss := x) < 2 for x in range(10)), miss)
# ---
x = (a := 1, b := 2)
result = (x, a, b)
# ---
def f(v): return v * 2
result = f(y := 5) + y
# ---
result = {(k := 'a'): (v := 1)}, k, v
# ---
x = 0
result = [x := x + i for i in range(4)] + [x]
# ---
def f():
    if any((found := w).startswith('b') for w in ['abc', 'bcd', 'bde']):
        return found
result = f()
# ---
result = f'{(x := 5):>3}{x}'
# ---
result = [(i, j) for i in range(3) if (j := i * 2) > 0]
# ---
a = [1, 2, 3]
result = (a[(i := 1)], i, a[(i := 0):(j := 2)], j)
# ---
def outer():
    total = 0
    def add(xs):
        nonlocal total
        return [total := total + x for x in xs]
    return add([1, 2]), add([3]), total
result = outer()
# ---
while (x := (await asyncio.sleep(0, 5))) and False:
    pass
result = x
# ---
result = (y := 1) + (y := y + 1) + y
# ---
result = (lambda: (z := 5) + z)()
