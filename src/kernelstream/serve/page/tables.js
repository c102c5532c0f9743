// Tables and small elements. Text is set as text, never as HTML: names and errors come from outside.
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export function shape(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// Changes what a place shows and keeps its elements: the focus, a click that has begun and a reader's position stay.
export function show(place, ...children) {
  children.forEach((child, i) => {
    if (i < place.childNodes.length) change(place.childNodes[i], child);
    else place.append(child);
  });
  while (place.childNodes.length > children.length) place.lastChild.remove();
}

function change(old, made) {
  if (old.nodeName !== made.nodeName) {
    old.replaceWith(made);
  } else if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== made.data) old.data = made.data;
  } else {
    for (const { name } of [...old.attributes]) if (!made.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of made.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    show(old, ...made.childNodes);
  }
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
  const most = Math.max(...values.map(([, value]) => value), 1e-12);
  const rows = values.map(([name, value, text]) => {
    const bar = shape("svg", { class: "bar" });
    bar.append(shape("rect", { width: `${Math.max((100 * value) / most, 1).toFixed(2)}%`, height: "100%", rx: 3 }));
    const cell = element("td", { className: "share" }, bar);
    cell.setAttribute("aria-hidden", "true");
    return element("tr", {}, element("th", { scope: "row" }, name), cell, element("td", { className: "number" }, text));
  });
  return show(place, element("table", {}, element("caption", { className: "hidden" }, caption), element("tbody", {}, ...rows)));
}
