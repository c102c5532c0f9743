// The figures of one model as text: each with its name, its title, and its value and how that is written.
import * as write from "./format.js";
import { element, show } from "./tables.js";

const METRICS = { accuracy: "Accuracy", rmse: "RMSE", mae: "Mean absolute error" };

const FIGURES = [
  ["rows", "Rows learned", (m) => [m.rows, write.count(m.rows)]],
  ["score", (m) => METRICS[m.metric] ?? "Score", (m) => [m.score, write.score(m.metric)(m.score)]],
  ["recent_score", (m) => (m.recent_rows ? `Last ${write.count(m.recent_rows)} rows` : "Recent rows"), (m) => [m.recent_score, write.score(m.metric)(m.recent_score)]],
  ["log_loss", "Log-loss", (m) => [m.log_loss, write.decimal(m.log_loss)]],
  ["rows_per_second", "Rows per second", (m, rate) => [rate, write.rate(rate)]],
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
  ["errors", "Errors", (m) => [write.sum(m.errors), write.count(write.sum(m.errors))]],
];

export function showFigures(place, model, rate) {
  show(place, ...FIGURES.map(([name, title, of]) => {
    const [value, text] = of(model, rate);
    const data = element("data", { value: value ?? "" }, text);
    data.dataset.figure = name;
    return element("div", {}, element("dt", {}, typeof title === "string" ? title : title(model)), element("dd", {}, data));
  }));
}

// What the model is doing, in a sentence.
export function phase(model) {
  const collected = model.needed_rows === undefined ? "."
    : `: ${write.count(model.collected_rows)} of ${write.count(model.needed_rows)} first rows. ${model.not_initialised ?? ""}`;
  const off = model.metrics ? "" : " Metrics are off: predictions, times, labels and errors are not counted.";
  return `State: ${model.phase}${collected}${off}`;
}
