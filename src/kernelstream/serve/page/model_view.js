// The chosen model: everything that the page shows of it.
import * as write from "./format.js";
import { ModelCharts } from "./model_charts.js";
import { phase, showFigures } from "./model_figures.js";
import { showDrift, showErrors, showLabels, showRelevance } from "./model_tables.js";
import { Samples } from "./running_rates.js";

const $ = (id) => document.getElementById(id);

export class ModelView {
  constructor() {
    this.charts = new ModelCharts($("charts"));
    this.forget();
  }

  // Another model has been chosen.
  forget() {
    this.samples = new Samples();
    this.detail = null; // relevance and learning curve, which come more rarely
    this.drifts = null; // how many drift events are known
  }

  show(model, time, rate) {
    this.samples.add(model, time);
    $("name").textContent = model.name;
    document.title = `${model.name} – kernelstream`;
    $("problem").hidden = !model.problem;
    if (model.problem && $("problem").textContent !== model.problem) $("problem").textContent = model.problem;
    $("phase").textContent = phase(model);
    showFigures($("figures"), model, rate);
    this.draw();
    showRelevance($("relevance"), this.detail?.relevance ?? {});
    showLabels($("labels"), model);
    showDrift($("drift"), model.drift ?? []);
    showErrors($("errors"), model);
    this.announceDrift(model);
  }

  // The charts, in the width that there is.
  draw() {
    const last = this.samples.last;
    if (last) this.charts.draw(last.model, this.detail?.curve ?? [], this.samples);
  }

  // A screen reader says that there is drift, once.
  announceDrift(model) {
    const count = model.drift_events ?? 0;
    if (this.drifts !== null && count > this.drifts) {
      const { row, action } = model.drift.at(-1);
      $("drift-news").textContent = `Drift noticed at row ${write.count(row)}: ${action}`;
    }
    this.drifts = count;
  }
}
