// The charts of one model: over the rows that it has learned (its learning curve), and over the time that the page is open.
import { Chart } from "./charts.js";
import * as write from "./format.js";

const TITLES = { accuracy: "accuracy", rmse: "RMSE", mae: "mean absolute error" };
const OVER_ROWS = { x: write.count, xTitle: "rows learned" };
const OVER_TIME = { x: write.clock, xTitle: "time" };

export class ModelCharts {
  constructor(place) {
    const chart = (title, settings) => new Chart(place, title, settings);
    this.place = place;
    this.score = chart("Score", { ...OVER_ROWS, y: (value) => write.score(this.metric)(value), fromZero: false });
    this.rate = chart("Rows per second", { ...OVER_TIME, y: write.rate });
    this.latency = chart("Latency, mean of each second", { ...OVER_TIME, y: write.seconds });
    this.support = chart("Support vectors", { ...OVER_ROWS, y: write.count, least: 1 });
    this.bytes = chart("Model memory", { ...OVER_ROWS, y: write.bytes, unit: write.byteUnit });
    this.waiting = chart("Rows waiting to be learned", { ...OVER_TIME, y: write.count, least: 1 });
  }

  // curve: points of the learning curve; samples: what happened while the page was open
  draw(model, curve, samples) {
    this.metric = model.metric;
    this.place.hidden = model.rows === undefined; // it collects first rows
    const upTo = (key) => [...curve.map((point) => [point.rows, point[key]]), ...(model.rows ? [[model.rows, model[key]]] : [])];
    const drifts = (model.drift ?? []).map((event) => event.row);
    const now = (points) => [{ name: "now", points }];
    this.score.rename(`Progressive ${TITLES[model.metric] ?? "score"}`);
    this.score.draw([{ name: "all rows", points: upTo("score") }, { name: "last tenth", points: upTo("recent_score") }], drifts);
    this.rate.draw([{ name: "learned", points: samples.points("rate") }, { name: "predicted", points: samples.points("predictions") }]);
    this.latency.draw([{ name: "predict", points: samples.points("predict") }, { name: "commit", points: samples.points("commit") }]);
    this.support.draw(now(upTo("support_vectors")));
    this.bytes.draw(now(upTo("bytes")));
    this.waiting.draw(now(samples.points("waiting")));
  }
}
