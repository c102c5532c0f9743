// The list of all models, each with a link that chooses it.
import * as write from "./format.js";
import { element, show } from "./tables.js";

export function showModels(place, models, chosen, rates) {
  show(place, ...models.map((model) => line(model, model.name === chosen, rates.of(model.name))));
}

function line(model, chosen, rate) {
  const link = element("a", { href: `#model=${model.name}` }, model.name);
  if (chosen) link.setAttribute("aria-current", "true");
  const cells = [
    [model.problem ? "problem" : model.phase, model.problem ? "bad" : ""], [write.count(model.rows), "number"],
    [write.score(model.metric)(model.score), "number"], [write.rate(rate), "number wide"],
    [write.count(model.support_vectors), "number wide"], [write.bytes(model.bytes), "number wide"],
    [write.count(model.waiting_rows), "number wide"],
  ];
  return element("tr", { className: chosen ? "chosen" : "" }, element("th", { scope: "row" }, link),
    ...cells.map(([text, className]) => element("td", { className }, text)));
}
