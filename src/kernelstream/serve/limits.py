"""What a server takes at most, and how often it saves."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Bounds that keep memory and disk finite, whatever is sent."""

    body: int = 16 << 20  #: bytes of a request
    file: int = 64 << 20  #: bytes of a model file that is imported
    rows: int = 20_000  #: of a request
    columns: int = 2_000  #: of a row
    text: int = 1_000  #: characters of a value, a column name or an id
    models: int = 100
    rate: float = 0.0  #: requests a second of each token, or of each address without one; 0 is no limit
    waiting: int = 20_000  #: rows of a model that are not learned yet; more are refused until some are
    waiting_bytes: int = 128 << 20  #: the same in bytes
    collected: int = 65_536  #: first rows that are kept at most while a model cannot be initialised
    pending: int = 100_000  #: predictions of a model that wait for their label, and labels for their prediction
    label_deadline: float = 24 * 3600.0  #: seconds that they wait
    remembered: int = 1_000_000  #: events whose ids are known, so that a repeated one is noticed
    snapshot_rows: int = 100_000  #: learned between two snapshots
    snapshot_seconds: float = 300.0  #: between two snapshots, if anything was learned
    snapshots: int = 2  #: kept
    keep_events: bool = False  #: also those that all kept snapshots have learned, for audit
    stop_seconds: float = 4.0  #: that a stop waits for rows to be learned; the others are learned after the next start
