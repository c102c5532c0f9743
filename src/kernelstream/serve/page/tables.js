// Tables and small elements. Text is set as text, never as HTML: names and errors come from outside.
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// Replaces what a place shows, unless it is the same already: a reader's position and selection stay.
export function show(place, ...children) {
  const made = element("div", {}, ...children);
  if (place.innerHTML !== made.innerHTML) place.replaceChildren(...made.childNodes);
}

// columns: [title, class]; rows: lists of texts. On narrow screens a stacked table has one line for each cell.
export function table(caption, columns, rows, stacked = false) {
  const head = columns.map(([title, kind = ""]) => element("th", { scope: "col", className: kind }, title));
  const body = rows.map((row) =>
    element("tr", {}, ...row.map((text, i) => {
      const cell = element("td", { className: columns[i][1] ?? "" }, text);
      cell.dataset.label = columns[i][0];
      return cell;
    })));
  return element("table", { className: stacked ? "stacked" : "" },
    element("caption", { className: "hidden" }, caption),
    element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body));
}

// A table of names and numbers with a bar for each; values: [name, number, text].
export function bars(place, caption, values, empty) {
  if (!values.length) return show(place, element("p", { className: "small" }, empty));
  const key = JSON.stringify(values);
  if (place.dataset.shown === key) return undefined;
  place.dataset.shown = key;
  const most = Math.max(...values.map(([, value]) => value), 1e-12);
  const rows = values.map(([name, value, text]) => {
    const bar = element("div", { className: "bar" });
    bar.style.width = `${Math.max((100 * value) / most, 0)}%`;
    const cell = element("td", { className: "share" }, bar);
    cell.setAttribute("aria-hidden", "true");
    return element("tr", {}, element("th", { scope: "row" }, name), cell, element("td", { className: "number" }, text));
  });
  place.replaceChildren(element("table", {}, element("caption", { className: "hidden" }, caption),
    element("tbody", {}, ...rows)));
  return undefined;
}
