# each line an expression
decimal.Decimal('1.10') + decimal.Decimal('2.20'), decimal.Decimal('1.1') * 3, decimal.Decimal(1) / 3, decimal.Decimal('10') // 3, decimal.Decimal('-7') % 3, decimal.Decimal('-7') // 2, -decimal.Decimal('1.50'), abs(decimal.Decimal('-1')), decimal.Decimal(2) ** 10, decimal.Decimal(2) ** -1, decimal.Decimal('1E+3'), decimal.Decimal('0E-5'), decimal.Decimal('1e-10')
decimal.Decimal('1.10') == decimal.Decimal('1.1'), decimal.Decimal('1') == 1, decimal.Decimal('0.1') == 0.1, decimal.Decimal('1.5') == 1.5, decimal.Decimal('1') < 2, decimal.Decimal(1) < 1.5, decimal.Decimal('NaN') == decimal.Decimal('NaN'), hash(decimal.Decimal('1.0')) == hash(1), decimal.Decimal(1) in [1.0]
decimal.Decimal(1) + 1.5
decimal.Decimal(1) + 'a'
decimal.Decimal('abc')
decimal.Decimal('')
decimal.Decimal(None)
decimal.Decimal(1) / 0
decimal.Decimal(0) / 0
decimal.Decimal(1) % 0
decimal.Decimal(1) // 0
str(decimal.Decimal('1.10')), repr(decimal.Decimal('1.10')), decimal.Decimal(5), decimal.Decimal('-0'), decimal.Decimal(0.1), decimal.Decimal(1.5), decimal.Decimal('Infinity'), decimal.Decimal('NaN'), decimal.Decimal((1, (1, 2), -1)) if 0 else 0, decimal.Decimal(' 1.5 '), decimal.Decimal('1_000'), decimal.Decimal()
decimal.Decimal('1.255').quantize(decimal.Decimal('0.01')), decimal.Decimal('1.245').quantize(decimal.Decimal('0.01')), decimal.Decimal('1.245').quantize(decimal.Decimal('0.01'), rounding=decimal.ROUND_HALF_UP), decimal.Decimal('1.9').quantize(decimal.Decimal('1'), decimal.ROUND_DOWN), decimal.Decimal('-1.5').quantize(decimal.Decimal('1'), decimal.ROUND_CEILING)
round(decimal.Decimal('2.5')), round(decimal.Decimal('1.255'), 2), round(decimal.Decimal('-0.5')), int(decimal.Decimal('-1.9')), float(decimal.Decimal('1.5')), bool(decimal.Decimal('0.0')), math.floor(decimal.Decimal('-1.5')), math.ceil(decimal.Decimal('1.1'))
f'{decimal.Decimal("1234.567"):,.2f}', f'{decimal.Decimal("1.5"):>8}', f'{decimal.Decimal("0.5"):%}', format(decimal.Decimal('1.10')), f'{decimal.Decimal("1E+5")}', f'{decimal.Decimal("12.345"):.1e}', f'{decimal.Decimal("5"):05}', '%s' % decimal.Decimal('1.10'), '%.2f' % decimal.Decimal('1.005')
decimal.Decimal('1.10').normalize(), decimal.Decimal('100').normalize(), decimal.Decimal('123.45').adjusted(), decimal.Decimal('2').sqrt(), decimal.Decimal('1.5').to_integral_value(), decimal.Decimal('1.5').is_nan(), decimal.Decimal('-1').is_signed(), decimal.Decimal('0').is_zero(), decimal.Decimal('3').compare(decimal.Decimal('5')), decimal.Decimal('1.5').as_integer_ratio()
decimal.Decimal(-1).sqrt()
sum([decimal.Decimal('0.1')] * 10), max(decimal.Decimal('1'), 2), sorted([decimal.Decimal('2'), 1, decimal.Decimal('1.5')]), {decimal.Decimal('1'): 'x'}[1], divmod(decimal.Decimal(7), 2), pow(decimal.Decimal(2), 3), 2 - decimal.Decimal('0.5'), 1 / decimal.Decimal(4), 2 ** decimal.Decimal(3), True + decimal.Decimal(1)
decimal.Decimal('1') / decimal.Decimal('7'), decimal.Decimal('123456789012345678901234567890') + 1, decimal.Decimal('123456789012345678901234567890') * 1, decimal.Decimal(10) ** 30, decimal.Decimal('1e400') * decimal.Decimal('1e400'), decimal.Decimal('9' * 28) + decimal.Decimal('0.5')
decimal.Decimal('NaN') < 1
decimal.Decimal('1').foo
int(decimal.Decimal('NaN'))
int(decimal.Decimal('Infinity'))
round(decimal.Decimal('NaN'))
decimal.Decimal('Infinity') - decimal.Decimal('Infinity')
# ---
total = decimal.Decimal('0')
for price, count in [('19.99', 3), ('0.01', 7), ('100', 1)]:
    total += decimal.Decimal(price) * count
result = (total, total.quantize(decimal.Decimal('0.1')), str(total * decimal.Decimal('0.19')))
# ---
result = [decimal.Decimal(n) / 8 for n in range(-4, 5)] + [decimal.Decimal(1).exp() if 0 else 0]
