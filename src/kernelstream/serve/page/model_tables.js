// The tables of one model: relevance of columns, class balance, drift events and last errors.
import * as write from "./format.js";
import { bars, element, show, table } from "./tables.js";

const LISTED = 15; // bars

const note = (text) => element("p", { className: "small" }, text);

export function showRelevance(place, relevance) {
  const all = write.sum(relevance) || 1;
  const shares = Object.entries(relevance).map(([name, value]) => [name, value / all, write.percent(value / all)]);
  bars(place, "Relevance of columns", shares.slice(0, LISTED), "Not known for this model yet.");
}

export function showLabels(place, model) {
  const rows = write.sum(model.labels) || 1;
  const labels = Object.entries(model.labels).map(([name, n]) => [name, n, `${write.count(n)} (${write.percent(n / rows)})`]);
  const none = !model.metrics ? "Metrics are off."
    : model.metric && model.metric !== "accuracy" ? "A regression model has no classes."
    : "No rows learned since the server started.";
  bars(place, "Class balance of the rows learned since the server started", labels.slice(0, LISTED), none);
}

export function showDrift(place, events) {
  const columns = [["At row", "number"], ["Error before", "number"], ["Error after", "number"], ["Since", "number"], ["What was done"]];
  const lines = events.map((event) =>
    [write.count(event.row), write.percent(event.before), write.percent(event.after), `${write.count(event.since)} rows`, event.action]);
  show(place, lines.length ? table("Drift events", columns, lines.reverse(), true) : note("None noticed."));
}

export function showErrors(place, model) {
  const columns = [["Last", "keep"], ["Times", "number"], ["Status", "keep"], ["Request", "keep"], ["Answer"]];
  const lines = grouped(model.last_errors).map((error) =>
    [write.moment(error.time), write.count(error.times), String(error.status), error.request, error.error]);
  const none = model.metrics ? "None since the server started." : "Metrics are off.";
  show(place, lines.length ? table("Last errors", columns, lines, true) : note(none));
}

// The same error several times is one line; the latest is first.
function grouped(errors) {
  const found = new Map();
  for (const error of errors) {
    const key = JSON.stringify([error.status, error.request, error.error]);
    const times = 1 + (found.get(key)?.times ?? 0);
    found.delete(key);
    found.set(key, { ...error, times });
  }
  return [...found.values()].reverse();
}
