"""Rows in random order: every row exactly once, wherever it was and however little memory there is."""

from pathlib import Path

import numpy as np
import pytest

from kernelstream.readers import BadLine, ChangedInput, FileStream, Options, RowReader, Shuffle, ShuffledReader, SkipBad
from kernelstream.readers import lines as chunked
from kernelstream.readers.shuffle_keys import LOWEST, shuffle_keys

ROWS = 5000


@pytest.fixture(scope="module", params=["csv", "libsvm"])
def files(request, tmp_path_factory):
    """Two files with bad lines; a row tells its file and line."""
    folder = tmp_path_factory.mktemp("files")
    names = []
    for part in range(2):
        text = ["f,l,c,y"] if request.param == "csv" else ["# rows"]
        for line in range(2, ROWS // 2 + 2):
            if line % 1000 == 500:
                text.append("what?,," if request.param == "csv" else "1 what?")
            elif request.param == "csv":
                text.append(f"{part},{line},{'abcdefg'[line % 7]},{'yes' if line % 3 else 'no'}")
            else:
                text.append(f"{line % 3} 1:{part} 2:{line}" + (" 3:1" if line % 2 else ""))
        names.append(str(folder / f"{part}.{request.param}"))
        (folder / names[-1]).write_text("\n".join(text) + "\n")
    return names


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    """So that there are many blocks."""
    monkeypatch.setattr(chunked, "CHUNK", 4000)


def stream(files):
    return FileStream(files, Options(target="y") if files[0].endswith("csv") else Options(), digests=True)


def read(files, shuffle, sizes=(1, 16, 700), **more):
    """All rows as (file, line), in order; what they contain must be what is in that line."""
    rows, found, turn = ShuffledReader(stream(files), shuffle, SkipBad(), **more), [], 0
    while (block := rows.take(sizes[turn % len(sizes)])) is not None:
        places = np.column_stack([block.files, block.lines])
        if isinstance(block.numeric, np.ndarray):
            np.testing.assert_array_equal(block.numeric, places)
            texts = [block.categorical[0].categories[code] for code in block.categorical[0].codes]
            assert texts == ["abcdefg"[line % 7] for line in block.lines]
            labels = [block.target.categories[code] for code in block.target.codes]
            assert labels == ["yes" if line % 3 else "no" for line in block.lines]
        else:
            ends = block.numeric.ends
            starts = np.concatenate([[0], ends[:-1]])
            np.testing.assert_array_equal(block.numeric.values[starts + 1], block.lines)
            np.testing.assert_array_equal(ends - starts, 2 + block.lines % 2)
            np.testing.assert_array_equal(block.target, block.lines % 3)
        found += map(tuple, places.tolist())
        turn += 1
    return found, rows


def in_order(files):
    block = RowReader(stream(files), policy=SkipBad()).take(10**6)
    return list(zip(block.files.tolist(), block.lines.tolist(), strict=True))


@pytest.mark.parametrize("memory", [1, 50_000, 1 << 30])
def test_every_row_comes_once_in_an_order_that_does_not_depend_on_memory(files, memory):
    whole, rows = read(files, Shuffle(7))
    assert sorted(whole) == in_order(files) and len(whole) == ROWS - 6 == rows.total
    assert whole != in_order(files)
    found, rows = read(files, Shuffle(7), memory=memory, least=400)
    assert found == whole
    assert rows.policy.count == 6  # bad lines are counted once, however often the files are read


def test_the_order_is_that_of_the_seed_and_the_epoch(files):
    orders = [read(files, Shuffle(seed, epoch))[0] for seed, epoch in ((0, 0), (0, 0), (1, 0), (0, 1))]
    assert orders[0] == orders[1]
    assert len({tuple(order) for order in orders}) == 3
    for other in orders[2:]:  # one position in 5,000 may agree by chance
        assert sum(a == b for a, b in zip(orders[0], other, strict=True)) < 10


def test_the_order_is_uniform():
    """Position in the file and position in the order are not correlated, and no number is in its place more often."""
    ranks = np.argsort(np.argsort(shuffle_keys(np.arange(100_000), 3)))
    assert abs(np.corrcoef(ranks, np.arange(100_000))[0, 1]) < 0.015
    assert len(np.unique(shuffle_keys(np.arange(100_000), 3))) == 100_000
    counts = np.bincount(ranks[:50_000] // 1000, minlength=100)  # of the first half, in each hundredth of the order
    assert abs(counts - 500).max() < 6 * np.sqrt(250)


@pytest.mark.parametrize("memory", [1, 1 << 30])
@pytest.mark.parametrize("taken", [1, 333, ROWS - 7])
def test_it_continues_after_any_row(files, memory, taken):
    whole, _ = read(files, Shuffle(7))
    rows = ShuffledReader(stream(files), Shuffle(7), SkipBad(), memory=memory, least=400)
    rows.take(taken)
    rest, _ = read(files, Shuffle(7, after=rows.where()["after"]), memory=memory, least=400, first=None)
    assert rest == whole[taken:]


@pytest.mark.parametrize("memory", [1, 1 << 30])
def test_rows_that_are_held_out_come_in_no_epoch(files, memory):
    whole, _ = read(files, Shuffle(7))
    rows = ShuffledReader(stream(files), Shuffle(7), SkipBad(), memory=memory, least=400)
    key = rows.hold(300)
    held = list(zip(rows.held.files.tolist(), rows.held.lines.tolist(), strict=True))
    assert held == whole[:300]
    for epoch in (0, 1, 2):
        found, rows = read(files, Shuffle(7, epoch, held=key), memory=memory, least=400)
        assert sorted(found) == sorted(whole[300:])
        assert list(zip(rows.held.files.tolist(), rows.held.lines.tolist(), strict=True)) == held


def test_a_sample_is_the_same_in_every_epoch(files):
    whole, _ = read(files, Shuffle(7))
    rows = ShuffledReader(stream(files), Shuffle(7), SkipBad())
    rows.take(1000)
    found, _ = read(files, Shuffle(7, 1, last=rows.after))
    assert sorted(found) == sorted(whole[:1000]) and found != whole[:1000]
    assert rows.after > LOWEST


def test_peeking_takes_nothing(files):
    whole, _ = read(files, Shuffle(7))
    rows = ShuffledReader(stream(files), Shuffle(7), SkipBad(), memory=1, least=400)
    assert list(rows.peek(700).lines) == [line for _, line in whole[:700]]
    assert list(rows.take(900).lines) == [line for _, line in whole[:900]]


def test_bad_lines_are_errors_before_any_row_is_given(files):
    with pytest.raises(BadLine, match="line 500"):
        ShuffledReader(stream(files), Shuffle(7)).take(1)


def test_a_file_that_changes_is_noticed(files, tmp_path):
    rows = ShuffledReader(stream(files), Shuffle(7), SkipBad())
    rows.take(1)
    digests = rows.digests
    changed = tmp_path / files[1].rpartition("/")[2]
    changed.write_text(Path(files[1]).read_text().replace(str(ROWS // 2 - 1), "1000000"))
    with pytest.raises(ChangedInput, match=r"the file differs, and rows that are shuffled come from all of it"):
        ShuffledReader(stream([files[0], str(changed)]), Shuffle(7), SkipBad(), digests=digests).take(1)


def test_many_categories_are_those_of_the_rows(tmp_path):
    """Blocks share a list of all categories; what is given out has those it needs."""
    path = tmp_path / "a.csv"
    path.write_text("c,y\n" + "".join(f"word{i},{i % 2}\n" for i in range(3000)))
    rows = ShuffledReader(FileStream([str(path)]), Shuffle(0), memory=1, least=500)
    while (block := rows.take(64)) is not None:
        column = block.categorical[0]
        assert [column.categories[code] for code in column.codes] == [f"word{line - 2}" for line in block.lines]
        assert len(column.categories) <= 128
