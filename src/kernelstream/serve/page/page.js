// The page: a list of models, and the figures of the one that is chosen in the address (#model=NAME).
import { Connection } from "./connection.js";
import { showModels } from "./model_list.js";
import { ModelView } from "./model_view.js";
import { Rates } from "./running_rates.js";

const $ = (id) => document.getElementById(id);

let chosen = null; // the name of a model
const rates = new Rates();
const view = new ModelView();
const address = () => (chosen === null ? "/events" : `/events?model=${encodeURIComponent(chosen)}`);

const connection = new Connection({
  hear(kind, content) {
    if (kind === "detail") view.detail = content;
    else showAll(content);
  },
  close() {
    $("content").hidden = $("none").hidden = true;
  },
  gone() {
    chosen = null;
    return address();
  },
});

function showAll({ version, models, model, time }) {
  $("version").textContent = version;
  $("content").hidden = !models.length;
  $("none").hidden = models.length > 0;
  rates.follow(models, time);
  if (models.length && !models.some(({ name }) => name === chosen)) {
    location.replace(`#model=${models[0].name}`);
    return;
  }
  showModels($("models"), models, chosen, rates);
  if (model) view.show(model, time, rates.of(model.name));
}

function choose() {
  const name = new URLSearchParams(location.hash.slice(1)).get("model");
  if (name === null && chosen !== null) return; // a link within the page
  if (name !== chosen) view.forget();
  chosen = name;
  connection.open(address());
}

$("example").textContent = `curl ${location.origin}/models -H 'content-type: application/json' \\
     -d '{"name": "clicks", "target": "clicked"}'
curl ${location.origin}/models/clicks/learn -H 'content-type: application/x-ndjson' --data-binary @clicks.jsonl`;
window.addEventListener("hashchange", choose);
window.addEventListener("resize", () => view.draw());
choose();
