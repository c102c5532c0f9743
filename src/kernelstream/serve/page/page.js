// The page: a list of models, and the figures of the one that is chosen in the address (#model=NAME).
import { Chart } from "./charts.js";
import * as write from "./format.js";
import { Refused, listen, token } from "./stream.js";
import { bars, element, show, table } from "./tables.js";

const $ = (id) => document.getElementById(id);
const SAMPLES = 300; // moments in charts over time
const LISTED = 15; // bars
const WAIT = [1, 2, 5, 10]; // seconds before the next attempts to connect
const TITLES = { accuracy: "accuracy", rmse: "RMSE", mae: "mean absolute error" };
const METRICS = { accuracy: "Accuracy", rmse: "RMSE", mae: "Mean absolute error" };

const state = { chosen: null, last: null, rates: new Map(), samples: [], detail: null, drifts: null, stop: null };

// name of a figure, its title, and its value and text
const FIGURES = [
  ["rows", "Rows learned", (m) => [m.rows, write.count(m.rows)]],
  ["score", (m) => METRICS[m.metric] ?? "Score", (m) => [m.score, write.score(m.metric)(m.score)]],
  ["recent_score", (m) => (m.recent_rows ? `Last ${write.count(m.recent_rows)} rows` : "Recent rows"), (m) => [m.recent_score, write.score(m.metric)(m.recent_score)]],
  ["log_loss", "Log-loss", (m) => [m.log_loss, write.decimal(m.log_loss)]],
  ["rows_per_second", "Rows per second", (m) => [rateOf(m), write.rate(rateOf(m))]],
  ["support_vectors", "Support vectors", (m) => [m.support_vectors, write.count(m.support_vectors)]],
  ["bytes", "Model memory", (m) => [m.bytes, write.bytes(m.bytes)]],
  ["waiting_rows", "Rows waiting", (m) => [m.waiting_rows, write.count(m.waiting_rows)]],
  ["refused_rows", "Rows refused", (m) => [m.refused_rows, write.count(m.refused_rows)]],
  ["predictions", "Predictions", (m) => [m.predictions, write.count(m.predictions)]],
  ["predict_median", "Predict, median", (m) => [m.predict_seconds.median, write.seconds(m.predict_seconds.median)]],
  ["predict_p99", "Predict, 99 %", (m) => [m.predict_seconds.p99, write.seconds(m.predict_seconds.p99)]],
  ["commit_median", "Commit, median", (m) => [m.commit_seconds.median, write.seconds(m.commit_seconds.median)]],
  ["commit_p99", "Commit, 99 %", (m) => [m.commit_seconds.p99, write.seconds(m.commit_seconds.p99)]],
  ["drift_events", "Drift events", (m) => [m.drift_events, write.count(m.drift_events)]],
  ["errors", "Errors", (m) => [sum(m.errors), write.count(sum(m.errors))]],
];

const sum = (counts) => Object.values(counts).reduce((a, b) => a + b, 0);
const rateOf = (model) => state.rates.get(model.name)?.rate;

const overRows = { x: write.count, xTitle: "rows learned" };
const overTime = { x: write.clock, xTitle: "time" };
const charts = {
  score: new Chart($("charts"), "Score", { ...overRows, y: (v) => write.score(state.metric)(v), fromZero: false }),
  rate: new Chart($("charts"), "Rows per second", { ...overTime, y: write.rate }),
  latency: new Chart($("charts"), "Latency, mean of each second", { ...overTime, y: write.seconds }),
  support: new Chart($("charts"), "Support vectors", { ...overRows, y: write.count, least: 1 }),
  bytes: new Chart($("charts"), "Model memory", { ...overRows, y: write.bytes, unit: write.byteUnit }),
  waiting: new Chart($("charts"), "Rows waiting to be learned", { ...overTime, y: write.count, least: 1 }),
};

// Rows per second over the last seconds, from two figures of the server and its own clock.
function follow(models, time) {
  for (const { name, rows } of models) {
    const known = (state.rates.get(name)?.known ?? []).filter(([t]) => time - t < 5.5);
    known.push([time, rows ?? 0]);
    const [[t, r]] = known;
    state.rates.set(name, { known, rate: time > t ? Math.max(((rows ?? 0) - r) / (time - t), 0) : undefined });
  }
}

function mean(now, before) {
  const requests = now.count - before.count;
  return requests > 0 ? (now.sum - before.sum) / requests : NaN;
}

function sample(model, time) {
  const before = state.last;
  state.last = { model, time };
  if (before?.model.name !== model.name) return;
  state.samples.push({
    time,
    rate: time > before.time ? Math.max(((model.rows ?? 0) - (before.model.rows ?? 0)) / (time - before.time), 0) : NaN,
    predict: mean(model.predict_seconds, before.model.predict_seconds),
    commit: mean(model.commit_seconds, before.model.commit_seconds),
    predictions: time > before.time ? (model.predictions - before.model.predictions) / (time - before.time) : NaN,
    waiting: model.waiting_rows,
  });
  state.samples = state.samples.slice(-SAMPLES);
}

function showModels(models) {
  const rows = models.map((m) => {
    const link = element("a", { href: `#model=${m.name}` }, m.name);
    const chosen = m.name === state.chosen;
    if (chosen) link.setAttribute("aria-current", "true");
    const cells = [
      [m.problem ? "problem" : m.phase, m.problem ? "bad" : ""], [write.count(m.rows), "number"],
      [write.score(m.metric)(m.score), "number"], [write.rate(rateOf(m)), "number wide"],
      [write.count(m.support_vectors), "number wide"], [write.bytes(m.bytes), "number wide"],
      [write.count(m.waiting_rows), "number wide"],
    ];
    return element("tr", { className: chosen ? "chosen" : "" }, element("th", { scope: "row" }, link),
      ...cells.map(([text, className]) => element("td", { className }, text)));
  });
  show($("models"), ...rows);
}

function showFigures(model) {
  const made = FIGURES.map(([name, title, of]) => {
    const [value, text] = of(model);
    const data = element("data", { value: value ?? "" }, text);
    data.dataset.figure = name;
    return element("div", {}, element("dt", {}, typeof title === "string" ? title : title(model)), element("dd", {}, data));
  });
  show($("figures"), ...made);
}

function showCharts(model) {
  const curve = state.detail?.curve ?? [];
  const upTo = (key, now) => [...curve.map((p) => [p.rows, p[key]]), ...(model.rows ? [[model.rows, now]] : [])];
  const drifts = (model.drift ?? []).map((event) => event.row);
  const over = (key) => state.samples.map((s) => [s.time, s[key]]);
  charts.score.rename(`Progressive ${TITLES[model.metric] ?? "score"}`);
  charts.score.draw([{ name: "all rows", points: upTo("score", model.score) },
    { name: "last tenth", points: upTo("recent_score", model.recent_score) }], drifts);
  charts.rate.draw([{ name: "learned", points: over("rate") }, { name: "predicted", points: over("predictions") }]);
  charts.latency.draw([{ name: "predict", points: over("predict") }, { name: "commit", points: over("commit") }]);
  charts.support.draw([{ name: "now", points: upTo("support_vectors", model.support_vectors) }]);
  charts.waiting.draw([{ name: "now", points: over("waiting") }]);
  charts.bytes.draw([{ name: "now", points: upTo("bytes", model.bytes) }]);
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

function showTables(model) {
  const shares = Object.entries(state.detail?.relevance ?? {});
  const all = shares.reduce((total, [, value]) => total + value, 0) || 1;
  bars($("relevance"), "Relevance of columns",
    shares.slice(0, LISTED).map(([name, value]) => [name, value / all, write.percent(value / all)]), "Not known for this model yet.");
  const labels = Object.entries(model.labels), rows = sum(model.labels) || 1;
  bars($("labels"), "Class balance of the rows learned since the server started",
    labels.slice(0, LISTED).map(([name, n]) => [name, n, `${write.count(n)} (${write.percent(n / rows)})`]),
    !model.metrics ? "Metrics are off." : model.metric && model.metric !== "accuracy" ? "A regression model has no classes."
      : "No rows learned since the server started.");
  const drift = [...(model.drift ?? [])].reverse();
  show($("drift"), drift.length
    ? table("Drift events", [["At row", "number"], ["Error before", "number"], ["Error after", "number"], ["Since", "number"], ["What was done"]],
      drift.map((e) => [write.count(e.row), write.percent(e.before), write.percent(e.after), `${write.count(e.since)} rows`, e.action]), true)
    : element("p", { className: "small" }, "None noticed."));
  const errors = grouped(model.last_errors);
  show($("errors"), errors.length
    ? table("Last errors", [["Last", "keep"], ["Times", "number"], ["Status", "keep"], ["Request", "keep"], ["Answer"]],
      errors.map((e) => [write.moment(e.time), write.count(e.times), String(e.status), e.request, e.error]), true)
    : element("p", { className: "small" }, model.metrics ? "None since the server started." : "Metrics are off."));
  if (state.drifts !== null && (model.drift_events ?? 0) > state.drifts)
    $("drift-news").textContent = `Drift noticed at row ${write.count(drift[0].row)}: ${drift[0].action}`;
  state.drifts = model.drift_events ?? 0;
}

function showModel(model) {
  state.metric = model.metric;
  $("name").textContent = model.name;
  document.title = `${model.name} – kernelstream`;
  $("problem").hidden = !model.problem;
  if (model.problem && $("problem").textContent !== model.problem) $("problem").textContent = model.problem;
  const collected = model.needed_rows === undefined ? ""
    : `: ${write.count(model.collected_rows)} of ${write.count(model.needed_rows)} first rows. ${model.not_initialised ?? ""}`;
  const off = model.metrics ? "" : " Metrics are off: predictions, times, labels and errors are not counted.";
  $("phase").textContent = `State: ${model.phase}${collected}${collected ? "" : "."}${off}`;
  showFigures(model);
  $("charts").hidden = model.rows === undefined; // it collects first rows
  showCharts(model);
  showTables(model);
}

function hear(kind, content) {
  if (kind === "detail") {
    state.detail = content;
    return;
  }
  status("Connected");
  $("login").hidden = true;
  $("version").textContent = content.version;
  $("content").hidden = !content.models.length;
  $("none").hidden = content.models.length > 0;
  follow(content.models, content.time);
  if (content.models.length && !content.models.some((m) => m.name === state.chosen)) {
    location.replace(`#model=${content.models[0].name}`);
    return;
  }
  showModels(content.models);
  if (content.model) {
    sample(content.model, content.time);
    showModel(content.model);
  }
}

function status(text, lost = false) {
  if ($("status").textContent !== text) $("status").textContent = text;
  $("status").classList.toggle("lost", lost);
  $("forget").hidden = !token.get();
}

function askForToken(sentence) {
  $("content").hidden = $("none").hidden = true;
  $("login-why").textContent = token.get() ? "The server refused this token. It needs one with the scope read." : sentence;
  token.forget();
  $("login").hidden = false;
  status("A token is needed", true);
  $("token").focus();
}

async function connect() {
  state.stop?.abort();
  const stop = (state.stop = new AbortController());
  for (let attempt = 0; !stop.signal.aborted; attempt += 1) {
    try {
      const query = state.chosen ? `?model=${encodeURIComponent(state.chosen)}` : "";
      await listen(`/events${query}`, (kind, content) => { attempt = 0; if (!stop.signal.aborted) hear(kind, content); }, stop.signal);
    } catch (error) {
      if (stop.signal.aborted) return;
      if (error instanceof Refused && error.status === 401) return askForToken("This server needs a token with the scope read.");
      if (error instanceof Refused && error.status === 404) state.chosen = null;
      else status(error instanceof Refused ? error.message : "Connection lost; trying again", true);
    }
    await new Promise((done) => setTimeout(done, 1000 * WAIT[Math.min(attempt, WAIT.length - 1)]));
  }
  return undefined;
}

function choose() {
  const name = new URLSearchParams(location.hash.slice(1)).get("model");
  if (name === null && state.chosen !== null) return; // a link within the page
  if (name !== state.chosen) Object.assign(state, { chosen: name, last: null, samples: [], detail: null, drifts: null });
  connect();
}

$("login").addEventListener("submit", (event) => {
  event.preventDefault();
  token.set($("token").value.trim());
  $("token").value = "";
  $("login").hidden = true;
  status("Connecting…");
  connect();
});
$("forget").addEventListener("click", () => {
  token.forget();
  connect();
});
$("example").textContent = `curl ${location.origin}/models -H 'content-type: application/json' \\
     -d '{"name": "clicks", "target": "clicked"}'
curl ${location.origin}/models/clicks/learn -H 'content-type: application/x-ndjson' --data-binary @clicks.jsonl`;
window.addEventListener("hashchange", choose);
window.addEventListener("resize", () => state.last && showCharts(state.last.model));
choose();
