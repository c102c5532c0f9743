"""Compiled parser of LIBSVM text: `label index:value index:value … # comment`.

Decimals must equal those of Python's `float`, so that a model does not depend on the file's format: hence no fast math
here. A mantissa below 2⁵³ times a power of ten up to 22 is exact; other decimals are left to Python.
"""

import math

import numpy as np

from ..core.numba.lowering import exact, exact_entry

_POWERS = 10.0 ** np.arange(23)
_EXACT_MANTISSA = 2**53
_DIGITS = 18  # that fit into 64 bits
_NEWLINE, _RETURN, _SPACE, _TAB, _HASH, _COLON = 10, 13, 32, 9, 35, 58
_PLUS, _MINUS, _POINT, _ZERO, _NINE, _E, _LOWER = 43, 45, 46, 48, 57, 101, 32
_LARGEST_INDEX = 2**31 - 2

EXACT, SLOW, WRONG = 0, 1, 2
NO_PAIR, NO_NUMBER, NOT_ASCENDING, TOO_SMALL, TOO_LARGE = range(5)


@exact
def _blank(code):
    return code in (_SPACE, _TAB)


@exact
def _skip_blanks(data, at, end):
    while at < end and _blank(data[at]):
        at += 1
    return at


@exact
def _token_end(data, at, end):
    while at < end and not _blank(data[at]) and data[at] != _HASH:
        at += 1
    return at


@exact
def _is_nan(data, at, end):
    return at + 3 <= end and data[at] | _LOWER == 110 and data[at + 1] | _LOWER == 97 and data[at + 2] | _LOWER == 110


@exact
def _is_query(data, at, end):
    """qid:7, the query of a row in ranking data."""
    return at + 4 <= end and data[at] == 113 and data[at + 1] == 105 and data[at + 2] == 100 and data[at + 3] == _COLON


@exact
def decimal(data, at, end):
    """The number at the start of data[at:end]: its value, its end, and whether the value is exact, left to Python, or
    not a number."""
    if _is_nan(data, at, end):
        return math.nan, at + 3, EXACT
    negative = at < end and data[at] == _MINUS
    if negative or (at < end and data[at] == _PLUS):
        at += 1
    mantissa, power, digits, begin = 0, 0, 0, at
    while at < end and _ZERO <= data[at] <= _NINE:
        if digits < _DIGITS:
            mantissa = mantissa * 10 + (data[at] - _ZERO)
        digits += mantissa > 0
        at += 1
    seen = at - begin
    if at < end and data[at] == _POINT:
        at, begin = at + 1, at + 1
        while at < end and _ZERO <= data[at] <= _NINE:
            if digits < _DIGITS:
                mantissa = mantissa * 10 + (data[at] - _ZERO)
                power -= 1
            digits += mantissa > 0
            at += 1
        seen += at - begin
    if seen == 0:
        return 0.0, at, WRONG
    if at < end and data[at] | _LOWER == _E:
        at += 1
        down = at < end and data[at] == _MINUS
        if down or (at < end and data[at] == _PLUS):
            at += 1
        exponent, begin = 0, at
        while at < end and _ZERO <= data[at] <= _NINE:
            exponent, at = min(exponent * 10 + (data[at] - _ZERO), 10_000), at + 1
        if at == begin:
            return 0.0, at, WRONG
        power += -exponent if down else exponent
    if digits > _DIGITS or mantissa > _EXACT_MANTISSA or (abs(power) > 22 and mantissa > 0):
        return 0.0, at, SLOW
    value = 0.0
    if mantissa > 0:
        value = mantissa * _POWERS[power] if power >= 0 else mantissa / _POWERS[-power]
    return -value if negative else value, at, EXACT


@exact_entry
def parse_pairs(data, base, rows, pairs, slow, bad):
    """Fill the arrays with the rows of whole lines; indices count from `base`. Returns the number of entries of each.

    `rows` is (line, label, start and end of the label, end of its pairs), `pairs` (index, value), `slow` (index of the
    value, start, end) for decimals left to Python, and `bad` (line, its start, position of the fault, fault).
    """
    lines, labels, begins, ends, stops = rows
    indices, values = pairs
    slow_which, slow_begins, slow_ends = slow
    bad_lines, bad_begins, bad_at, bad_what = bad
    n, m, s, b, line, following = 0, 0, 0, 0, -1, 0
    while following < len(data):
        line, start, end = line + 1, following, following
        while end < len(data) and data[end] != _NEWLINE:
            end += 1
        following = end + 1
        if end > start and data[end - 1] == _RETURN:
            end -= 1
        at = _skip_blanks(data, start, end)
        if at == end or data[at] == _HASH:
            continue
        first_pair, first_slow, last, wrong = m, s, base - 1, -1
        label, stop, verdict = decimal(data, at, end)
        token_end = _token_end(data, at, end)
        begins[n] = ends[n] = at
        labels[n] = math.nan
        if stop == end or data[stop] != _COLON:  # a row that begins with index:value has no label
            at = ends[n] = token_end
            labels[n] = label if verdict == EXACT and stop == token_end else math.nan
        while True:
            at = _skip_blanks(data, at, end)
            if at == end or data[at] == _HASH:
                break
            colon, index = at, 0
            while colon < end and _ZERO <= data[colon] <= _NINE:
                index, colon = min(index * 10 + (data[colon] - _ZERO), _LARGEST_INDEX + 1), colon + 1
            if not at < colon < end or data[colon] != _COLON:
                if _is_query(data, at, end):
                    at = _token_end(data, at, end)
                    continue
                wrong = NO_PAIR
                break
            if index <= last or index > _LARGEST_INDEX:
                wrong = TOO_LARGE if index > _LARGEST_INDEX else TOO_SMALL if index < base else NOT_ASCENDING
                break
            value, stop, verdict = decimal(data, colon + 1, end)
            if verdict == WRONG or (stop < end and not _blank(data[stop]) and data[stop] != _HASH):
                wrong = NO_NUMBER
                break
            if verdict == SLOW:
                slow_which[s], slow_begins[s], slow_ends[s] = m, colon + 1, stop
                s += 1
            indices[m], values[m], last, at = index - base, value, index, stop
            m += 1
        if wrong >= 0:
            bad_lines[b], bad_begins[b], bad_at[b], bad_what[b] = line, start, at, wrong
            m, s, b = first_pair, first_slow, b + 1
        else:
            lines[n], stops[n] = line, m
            n += 1
    return n, m, s, b
