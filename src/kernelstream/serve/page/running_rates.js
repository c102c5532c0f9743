// Figures over time: the server tells running totals, and what happened per second is the difference of two of them.
const SECONDS = 5.5; // of the rates in the list of models
const SAMPLES = 300; // moments in charts over time

// Rows per second of every model over the last seconds, by the server's own clock.
export class Rates {
  constructor() {
    this.models = new Map();
  }

  follow(models, time) {
    for (const { name, rows } of models) {
      const known = (this.models.get(name)?.known ?? []).filter(([t]) => time - t < SECONDS);
      known.push([time, rows ?? 0]);
      const [[t, r]] = known;
      this.models.set(name, { known, rate: time > t ? Math.max(((rows ?? 0) - r) / (time - t), 0) : undefined });
    }
  }

  of(name) {
    return this.models.get(name)?.rate;
  }
}

// What one model did between each moment and the one before.
export class Samples {
  constructor() {
    this.kept = [];
    this.last = null;
  }

  add(model, time) {
    const before = this.last;
    this.last = { model, time };
    if (before === null) return;
    const perSecond = (now, then) => (time > before.time ? (now - then) / (time - before.time) : NaN);
    this.kept.push({
      time,
      rate: Math.max(perSecond(model.rows ?? 0, before.model.rows ?? 0), 0),
      predict: mean(model.predict_seconds, before.model.predict_seconds),
      commit: mean(model.commit_seconds, before.model.commit_seconds),
      predictions: perSecond(model.predictions, before.model.predictions),
      waiting: model.waiting_rows,
    });
    this.kept = this.kept.slice(-SAMPLES);
  }

  points(key) {
    return this.kept.map((sample) => [sample.time, sample[key]]);
  }
}

function mean(now, before) {
  const requests = now.count - before.count;
  return requests > 0 ? (now.sum - before.sum) / requests : NaN;
}
