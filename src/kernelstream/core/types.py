"""The arguments of compiled functions and methods, explained once.

numba infers the types of compiled code from the values it is called with and ignores annotations: these names are for
readers and type checkers. The same argument has the same name everywhere.

| name | what it is |
|---|---|
| `own` | the state of the strategy itself, as its `init` returned it: `()` or a NamedTuple of arrays |
| `r` | the composition: `r.kernel`, `r.step`, `r.norm`, …; its type decides what is compiled |
| `st` | the `State` of the whole learner: `st.expansion`, `st.work`, `st.run`, and every strategy's own state |
| `ex` | `st.expansion`: support vectors, coefficients and their common scale |
| `x`, `xx`, `kxx` | a row, ‖x‖² and κ(x, x) |
| `n`, `j`, `c` | the number of support vectors, one of their slots, an output |
| `a` | a coefficient, one number per output |

Only what is called before an update, such as `admit`, finds `r.loss` and `r.admission`: see `entry_points.py`.
"""

from typing import Any

import numpy as np

Own = Any
Parts = Any
Array = np.ndarray
Row = Any  # a dense vector or a `SparseRow`
