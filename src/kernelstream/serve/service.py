"""`Service`: the models of a folder, created, replaced, archived and deleted while others learn."""

import threading
from pathlib import Path
from typing import Any

from ..pipeline import column_relevance
from .data_folder import DataFolder, check_name
from .event_bus import EventBus
from .file_bytes import pipeline_from_bytes
from .first_rows import ModelPlan
from .hosted_model import HostedModel
from .limits import Limits
from .refused_request import RefusedRequest
from .row_checks import RowChecker


class Service:
    """All models of one folder of data.

    Parameters
    ----------
    path : path
        The folder of the models; one service at a time can use it.
    limits : Limits, default Limits()
        Bounds of memory, disk and requests.

    Examples
    --------
    >>> import tempfile
    >>> service = Service(Path(tempfile.mkdtemp()))
    >>> _ = service.create("signs", {"target": "sign", "columns": {"x": "number"}, "classes": ["+", "-"]})
    >>> service.model("signs").learn([{"x": 1.5, "sign": "+"}]).result()
    {'accepted': 1, 'duplicates': 0, 'refused': [], 'seq': 1}
    >>> service.names(), service.stats("signs")["phase"]
    (['signs'], 'collecting')
    >>> service.close()
    """

    def __init__(self, path: Path, limits: Limits = Limits()):
        self.limits, self.events = limits, EventBus()
        self.stopping = threading.Event()  #: whoever streams figures ends
        self.folder = DataFolder(path)
        self._models, self._changing = dict[str, HostedModel](), threading.RLock()
        try:
            for name in self.folder.names():
                self._models[name] = self._open(name)
        except BaseException:
            self.close()
            raise

    def names(self) -> list[str]:
        """The names of the models."""
        return sorted(self._models)

    def model(self, name: str) -> HostedModel:
        """A model; a refusal if there is none of this name."""
        found = self._models.get(name)
        if found is None:
            raise RefusedRequest(404, f"There is no model {name[:80]!r}. GET /models lists those that there are.")
        return found

    def create(self, name: str, plan: dict[str, Any], *, metrics: bool = True) -> HostedModel:
        """A model that will be initialised by its first rows."""
        ModelPlan(plan)  # or a refusal
        return self._create(name, plan, metrics)

    def set_metrics(self, name: str, on: bool) -> None:
        """Count predictions, times, labels and errors of a model, or do not, from now on and after the next start."""
        with self._changing:
            model = self.model(name)
            self.folder.set_metrics(name, on)
            model.tally.on = on

    def import_file(self, name: str, data: bytes) -> HostedModel:
        """A model from a model file; one of that name is replaced."""
        check_name(name)
        try:
            RowChecker.of(pipeline_from_bytes(data), self.limits)
        except ValueError as error:
            raise RefusedRequest(422, str(error)) from None
        with self._changing:
            model = self._models.get(name)
            if model is None:
                model = self._create(name, None)
        seq = model.replace(data).result()
        model.learner.learned(seq).result()
        return model

    def archive(self, name: str) -> Path:
        """Close a model and move its log and snapshots to the archive."""
        with self._changing:
            self._close(name)
            path = self.folder.set_aside(name)
        self.events.tell("archived", name, path=str(path))
        return path

    def delete(self, name: str) -> None:
        """Delete a model with everything that it has learned."""
        with self._changing:
            self._close(name)
            self.folder.delete(name)
        self.events.tell("deleted", name)

    def stats(self, name: str) -> dict[str, Any]:
        """The figures of a model at this moment."""
        return self.model(name).stats()

    def inspect(self, name: str) -> dict[str, Any]:
        """The figures of a model, its columns and their relevance."""
        model = self.model(name)
        found = model.stats() | {"created": model.created, "plan": None if model.plan is None else model.plan.asked}
        with model.learner.turns.reading():
            pipeline = model.learner.pipeline
            if pipeline is None:
                return found
            schema, classes = pipeline.intake.schema, pipeline.intake.target.as_dict().get("classes")
            return found | {
                "target": schema.target,
                "columns": dict.fromkeys(schema.numeric, "number") | dict.fromkeys(schema.categorical, "category"),
                "classes": classes,
                "settings": pipeline.settings.as_dict(),
                "relevance": column_relevance(pipeline.estimator, pipeline.intake.preparation),
                "notes": [*pipeline.intake.notes, *pipeline.intake.warnings],
            }

    @property
    def ready(self) -> bool:
        """Whether all models have learned what was in their logs at the start."""
        return all(model.learner.caught_up.is_set() for model in list(self._models.values()))

    def close(self) -> None:
        """Stop all models, at the same time."""
        self.stopping.set()
        with self._changing:
            threads = [threading.Thread(target=model.close) for model in self._models.values()]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self._models.clear()
            self.folder.close()

    def _create(self, name: str, plan: dict[str, Any] | None, metrics: bool = True) -> HostedModel:
        check_name(name)
        with self._changing:
            if name in self._models:
                raise RefusedRequest(
                    409, f"There is a model {name!r} already. Delete or archive it first, or choose another name."
                )
            if len(self._models) >= self.limits.models:
                raise RefusedRequest(
                    409, f"There are {len(self._models)} models, which is the maximum. Delete or archive one."
                )
            self.folder.create(name, plan, metrics=metrics)
            self._models[name] = self._open(name)
        self.events.tell("created", name)
        return self._models[name]

    def _open(self, name: str) -> HostedModel:
        return HostedModel(name, self.folder.models / name, self.limits, self.events)

    def _close(self, name: str) -> None:
        self.model(name)
        self._models.pop(name).close()
