"""An admission rule of your own: only rows unlike all support vectors."""

from kernelstream.admission import Admission
from kernelstream.extend import ADD, SKIP, Share, strategy


@strategy
class Novel(Admission):
    """Admit a row unless a support vector is closer than κ(x_j, x) > `most` (the novelty criterion of Platt, 1991)."""

    most: Share = 0.8

    def admit(self, own, r, st, loss, kxx):
        row = st.work.row
        for j in range(st.expansion.n[0]):
            if row[j] > self.most:
                return SKIP, 0.0
        return ADD, 1.0
