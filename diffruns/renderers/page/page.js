"use strict";
// The list of cases: rows are made when they are scrolled to, details when a case is opened.
// Whatever a file says reaches the page as text only.
(() => {
  const read = (id) => {
    const block = document.getElementById(id);
    return block ? JSON.parse(block.textContent) : null;
  };
  const meta = read("meta");
  const rows = read("rows");
  const ID = 0, KIND = 1, SAYS = 2, GROUP = 3, TARGET = 4, TAGS = 5, A = 6, B = 7, CHECKS = 8, BY = 9, RUNG = 10;
  const two = meta.sides.length === 2;

  const make = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
      else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  };
  const count = (number) => number.toLocaleString("en");

  // ---- details, by chunk

  const chunks = new Map();
  const detail = (number) => {
    const chunk = Math.floor(number / meta.chunk);
    if (!chunks.has(chunk)) chunks.set(chunk, read(`details-${chunk}`));
    const held = chunks.get(chunk);
    return held ? held[number % meta.chunk] : null;
  };
  const both = ([a, b]) => {
    if (!a || !b || !b.same) return [a, b];
    return [a, { ...b, ...Object.fromEntries(b.same.map((key) => [key, a[key]])) }];
  };

  // ---- what is listed

  const picked = { kinds: new Set(), facet: null, words: [], order: "kind" };
  meta.kinds.forEach((kind, number) => kind[3] && picked.kinds.add(number));
  const counts = meta.kinds.map(() => 0);
  for (const row of rows) counts[row[KIND]] += 1;

  const said = [];
  const told = (number) => {
    if (said[number] === undefined) {
      const row = rows[number];
      const parts = [row[ID], meta.kinds[row[KIND]][0], row[SAYS], row[GROUP], row[TARGET], ...row[TAGS], ...row[CHECKS].map((check) => meta.checks[check])];
      const more = detail(number);
      if (more) {
        parts.push(...(more.in || []));
        for (const trials of more.trials) for (const trial of trials) if (trial) parts.push(trial.out, trial.why);
      }
      said[number] = parts.filter(Boolean).join("\n").toLowerCase();
    }
    return said[number];
  };

  const state = (row, side) => row[side] ? row[side][0] : null;
  const facets = {
    cell: (value) => {
      const [a, b] = value.split(".");
      const is = (row, side, wanted) => row[side] ? row[side][0] === wanted : wanted === "missing" || wanted === "unlisted";
      return { says: `${a} → ${b}`, holds: (row) => meta.kinds[row[KIND]][0] !== "ambiguous" && is(row, A, a) && is(row, B, b) };
    },
    check: (value) => {
      const number = meta.checks.indexOf(value);
      return { says: `fails ${value}`, holds: (row) => row[CHECKS].includes(number) };
    },
    by: (value) => {
      const [dimension, number] = value.split(".").map(Number);
      const [name, values] = meta.by[dimension];
      return { says: `${name}: ${values[number]}`, holds: (row) => row[BY][dimension].includes(number) };
    },
  };

  const score = (row) => {
    const a = row[A] ? row[A][3] : null, b = row[B] ? row[B][3] : null;
    if (!two) return a === null ? Infinity : a;
    return a === null || b === null ? Infinity : b - a;
  };
  const orders = {
    kind: null,
    name: (one, other) => (rows[one][ID] < rows[other][ID] ? -1 : rows[one][ID] > rows[other][ID] ? 1 : one - other),
    score: (one, other) => { const a = score(rows[one]), b = score(rows[other]); return a === b ? one - other : a < b ? -1 : 1; },
  };

  let shown = [];
  let active = -1; // place in `shown`
  let open = -1; // number of the case whose details are shown

  const select = () => {
    const { kinds, facet, words } = picked;
    const found = [];
    for (let number = 0; number < rows.length; number += 1) {
      const row = rows[number];
      if (facet ? !facet.holds(row) : kinds.size && !kinds.has(row[KIND])) continue;
      if (words.length) { const text = told(number); if (!words.every((word) => text.includes(word))) continue; }
      found.push(number);
    }
    const order = orders[picked.order];
    if (order) found.sort(order);
    shown = found;
    active = shown.indexOf(open);
    status.textContent = `${count(shown.length)} of ${count(rows.length)} cases`;
    for (const chip of chips.querySelectorAll("[data-kind]")) {
      chip.setAttribute("aria-pressed", String(!facet && kinds.has(Number(chip.dataset.kind))));
    }
    chips.querySelector(".only")?.remove();
    if (facet) {
      chips.prepend(make("button", { type: "button", class: "chip only", "aria-label": `Only ${facet.says}: show others again`, on: { click: () => { picked.facet = null; select(); search.focus(); } } }, `only ${facet.says} ✕`));
    }
    list.scrollTop = 0;
    drawn.clear();
    space.replaceChildren();
    list.hidden = !shown.length;
    nothing.hidden = Boolean(shown.length);
    space.style.height = `${shown.length * height()}px`;
    draw();
  };

  // ---- the list

  const height = () => parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row"));
  const drawn = new Map();
  const SPARE = 8;

  const went = (row) => {
    const one = (side) => side ? (side[2] > 1 || (side[2] && side[4]) ? `${side[0]} ${side[1]}/${side[2]}${side[4]}` : side[0]) : "absent";
    if (!two) return one(row[A]);
    const a = one(row[A]), b = one(row[B]);
    return a === b ? a : `${a} → ${b}`;
  };
  const item = (place) => {
    const number = shown[place], row = rows[number], kind = meta.kinds[row[KIND]];
    const under = [row[SAYS], row[GROUP] !== row[ID] && row[GROUP]].filter(Boolean).join(" · ");
    const right = two ? went(row) : row[A] && (row[A][2] > 1 || (row[A][2] && row[A][4])) ? `${row[A][1]}/${row[A][2]}${row[A][4]}` : row[A] && row[A][3] !== null ? figure(row[A][3]) : "";
    return make(
      "div",
      { class: "item", role: "option", id: `item-${number}`, "aria-selected": String(number === open), "aria-posinset": place + 1, "aria-setsize": shown.length, on: { click: () => go(place, true) } },
      make("span", { class: `badge ${kind[2]}` }, kind[0]),
      make("span", { class: "id", dir: "auto", title: row[ID] }, make("b", {}, row[ID]), under ? make("small", {}, under) : null),
      make("span", { class: "went" }, right),
    );
  };
  const draw = () => {
    const each = height();
    const first = Math.max(Math.floor(list.scrollTop / each) - SPARE, 0);
    const last = Math.min(Math.ceil((list.scrollTop + list.clientHeight) / each) + SPARE, shown.length);
    for (const [place, element] of drawn) if (place < first || place >= last) { element.remove(); drawn.delete(place); }
    for (let place = first; place < last; place += 1) {
      if (drawn.has(place)) continue;
      const element = item(place);
      element.style.transform = `translateY(${place * each}px)`;
      drawn.set(place, element);
      const next = drawn.get(place + 1);
      if (next) next.before(element); else space.append(element);
    }
    const current = drawn.get(active);
    if (current) list.setAttribute("aria-activedescendant", current.id); else list.removeAttribute("aria-activedescendant");
  };
  const reveal = (place) => {
    const each = height(), top = place * each;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + each > list.scrollTop + list.clientHeight) list.scrollTop = top + each - list.clientHeight;
  };
  const narrow = matchMedia("(max-width: 860px)");
  const go = (place, chosen) => {
    if (!shown.length) return;
    active = Math.min(Math.max(place, 0), shown.length - 1);
    open = shown[active];
    reveal(active);
    for (const [at, element] of drawn) element.setAttribute("aria-selected", String(at === active));
    draw();
    tell(open);
    history.replaceState(null, "", address(open));
    if (chosen && narrow.matches) enter();
  };
  const keys = {
    ArrowDown: () => active + 1, ArrowUp: () => active - 1, Home: () => 0, End: () => shown.length - 1,
    PageDown: () => active + Math.floor(list.clientHeight / height()), PageUp: () => active - Math.floor(list.clientHeight / height()),
  };
  const pressed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (active < 0) go(0);
      enter();
    } else if (keys[event.key]) {
      event.preventDefault();
      go(keys[event.key]());
    }
  };
  const enter = () => {
    const heading = pane.querySelector("h3");
    if (!heading) return;
    heading.focus({ preventScroll: true });
    if (narrow.matches) pane.scrollIntoView();
  };
  const leave = () => {
    list.focus({ preventScroll: true });
    if (narrow.matches) list.scrollIntoView({ block: "center" });
  };

  // ---- the address of a case

  const nth = (number) => { let before = 0; for (let at = 0; at < number; at += 1) if (rows[at][ID] === rows[number][ID]) before += 1; return before; };
  const address = (number) => {
    const before = nth(number);
    return `#case=${encodeURIComponent(rows[number][ID].toWellFormed ? rows[number][ID].toWellFormed() : rows[number][ID])}${before ? `&n=${before + 1}` : ""}`;
  };
  const follow = () => {
    const found = /^#case=([^&]*)(?:&n=(\d+))?$/.exec(location.hash);
    if (!found) return;
    let id;
    try { id = decodeURIComponent(found[1]); } catch { id = found[1]; }
    let left = Number(found[2] || 1);
    const number = rows.findIndex((row) => row[ID] === id && (left -= 1) === 0);
    if (number < 0) {
      status.textContent = `No case is called ${id}`;
    } else {
      if (!shown.includes(number)) { picked.facet = null; picked.kinds.clear(); picked.words = []; search.value = ""; select(); }
      go(shown.indexOf(number));
    }
    document.getElementById("cases").scrollIntoView();
    if (number >= 0) enter();
  };

  // ---- which words changed

  const TOKEN = /\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]/gu;
  const FARTHEST = 1200; // changed words that are looked for one by one
  const changed = (a, b) => {
    const left = a.match(TOKEN) || [], right = b.match(TOKEN) || [];
    let start = 0, end = 0;
    while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
    while (end < left.length - start && end < right.length - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
    const x = left.slice(start, left.length - end), y = right.slice(start, right.length - end);
    const middle = shortest(x, y) || [["del", x.join("")], ["ins", y.join("")]];
    return joined([["", left.slice(0, start).join("")], ...middle, ["", end ? left.slice(-end).join("") : ""]]);
  };
  // Myers' shortest edit script; null where the texts are too far apart for it.
  const shortest = (x, y) => {
    const trace = [], most = Math.min(x.length + y.length, FARTHEST), size = 2 * most + 3, middle = most + 1;
    let reach = new Int32Array(size);
    for (let d = 0; d <= most; d += 1) {
      trace.push(reach.slice(middle - d - 1, middle + d + 2));
      for (let k = -d; k <= d; k += 2) {
        let at = k === -d || (k !== d && reach[middle + k - 1] < reach[middle + k + 1]) ? reach[middle + k + 1] : reach[middle + k - 1] + 1;
        while (at < x.length && at - k < y.length && x[at] === y[at - k]) at += 1;
        reach[middle + k] = at;
        if (at >= x.length && at - k >= y.length) return steps(x, y, trace, d);
      }
    }
    return null;
  };
  const steps = (x, y, trace, last) => {
    const found = [];
    let i = x.length, j = y.length;
    for (let d = last; d >= 0; d -= 1) {
      const reach = trace[d], at = (k) => reach[k + d + 1], k = i - j;
      const from = d === 0 ? 0 : k === -d || (k !== d && at(k - 1) < at(k + 1)) ? k + 1 : k - 1;
      const i0 = d === 0 ? 0 : at(from), j0 = d === 0 ? 0 : i0 - from;
      while (i > i0 && j > j0 && (d === 0 || i > i0 && j > j0)) { i -= 1; j -= 1; found.push(["", x[i]]); }
      if (d === 0) break;
      if (i > i0) { i -= 1; found.push(["del", x[i]]); } else { j -= 1; found.push(["ins", y[j]]); }
    }
    return found.reverse();
  };
  // Stretches of one kind together; a space between two changes belongs to them.
  const joined = (pieces) => {
    const out = [];
    let gone = "", added = "";
    const flush = () => { if (gone) out.push(["del", gone]); if (added) out.push(["ins", added]); gone = added = ""; };
    pieces = pieces.filter((piece) => piece[1]);
    const runs = [];
    for (const [kind, text] of pieces) { const top = runs[runs.length - 1]; if (top && top[0] === kind) top[1] += text; else runs.push([kind, text]); }
    runs.forEach(([kind, text], at) => {
      if (kind === "del") gone += text;
      else if (kind === "ins") added += text;
      else if (/^\s+$/.test(text) && !text.includes("\n") && gone + added && at + 1 < runs.length) { gone += text; added += text; }
      else { flush(); out.push(["", text]); }
    });
    flush();
    return out;
  };
  const marked = (pieces, without) => pieces.filter((piece) => piece[0] !== without).map(([kind, text]) => (kind ? make(kind, {}, text) : document.createTextNode(text)));

  // ---- one case

  let trial = 0, beside = false;
  const figure = (value) => value === null || value === undefined ? "–" : Number.isInteger(value) ? count(value) : Math.abs(value) >= 1000 ? count(Math.round(value)) : String(Number(value.toPrecision(3)));
  const text = (value) => make("div", { class: "text", dir: "auto" }, value);
  const heading = (says, ...more) => make("h4", {}, says, ...more);

  const tell = (number) => {
    trial = 0;
    render(number);
    pane.scrollTop = 0;
  };
  const render = (number) => {
    const row = rows[number], kind = meta.kinds[row[KIND]], more = detail(number);
    const name = two && row[RUNG] ? `one case by ${row[RUNG]}` : null;
    const facts = [kind[1], row[TARGET], row[GROUP], row[TAGS].join(", "), name].filter(Boolean).join(" · ");
    pane.replaceChildren(
      make("button", { type: "button", class: "back", on: { click: leave } }, "← Back to the list"),
      make("h3", { tabindex: "-1", dir: "auto" }, row[ID]),
      make("p", { class: "meta" }, make("span", { class: `badge ${kind[2]}` }, kind[0]), facts),
    );
    if (!more) {
      pane.append(make("p", { class: "cut" }, `The texts of this case are not in the page: ${meta.more}.`));
      return;
    }
    if (more.trials.length > 1) pane.append(heading("Trial", choice(more.trials.map((_, at) => `${at + 1}`), trial, (at) => { trial = at; render(number); })));
    const held = both(more.trials[trial] || [null, null]).slice(0, meta.sides.length);
    pane.append(...verdicts(held), ...asked(more.in), ...outputs(held, number), ...checks(held), ...events(held));
    if (more.cut) pane.append(make("p", { class: "cut" }, `${count(more.cut)} characters or entries of this case are not in the page: ${meta.more}.`));
  };
  const choice = (names, chosen, act) => make(
    "span", { class: "switch" },
    ...names.map((name, at) => make("button", { type: "button", "aria-pressed": String(at === chosen), on: { click: (event) => { const place = [...event.target.parentNode.children].indexOf(event.target); const switches = [...pane.querySelectorAll(".switch")].indexOf(event.target.parentNode); act(at); pane.querySelectorAll(".switch")[switches]?.children[place]?.focus(); } } }, name)),
  );
  const grid = (names, lines) => make(
    "table", {},
    make("thead", {}, make("tr", {}, make("td", {}), ...names.map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, ...lines.map(([label, cells, moved]) => make("tr", { class: moved ? "moved" : null }, make("th", { scope: "row" }, label), ...cells.map((cell) => make("td", { dir: "auto" }, cell))))),
  );
  const names = () => (two ? meta.sides : ["Result"]);
  const FACTS = [["verdict", "verdict", (v) => v], ["score", "score", figure], ["reason", "why", (v) => v], ["latency", "ms", (v) => `${figure(v)} ms`], ["tokens", "tokens", figure], ["cost", "usd", (v) => `$${figure(v)}`]];
  const verdicts = (held) => {
    const lines = FACTS.filter(([, key]) => held.some((side) => side && side[key] !== undefined)).map(([label, key, of]) => {
      const cells = held.map((side) => (side && side[key] !== undefined ? of(side[key]) : "–"));
      return [label, cells, two && (key === "verdict" || key === "score") && cells[0] !== cells[1]];
    });
    return lines.length ? [heading("Outcome"), grid(names(), lines)] : [];
  };
  const asked = (inputs) => {
    if (!inputs) return [];
    const [a, b] = inputs;
    if (b === null || a === null) return [heading("Input"), text(a ?? b)];
    return [heading("Input, word by word"), make("div", { class: "text", dir: "auto" }, ...marked(changed(a, b)))];
  };
  const outputs = (held, number) => {
    const outs = held.map((side) => (side && side.out !== undefined ? side.out : null));
    if (outs.every((out) => out === null)) return [];
    if (!two) return [heading("Output"), text(outs[0])];
    if (outs[0] === outs[1]) return [heading("Output, the same in both"), text(outs[0])];
    if (outs.includes(null)) return [heading(`Output, in ${outs[0] === null ? "B" : "A"} only`), text(outs[0] ?? outs[1])];
    const pieces = changed(outs[0], outs[1]);
    const look = choice(["Word by word", "Side by side"], beside ? 1 : 0, (at) => { beside = at === 1; render(number); });
    if (!beside) return [heading("Output", look), make("div", { class: "text", dir: "auto" }, ...marked(pieces))];
    const column = (name, without) => make("div", {}, make("div", { class: "of" }, name), make("div", { class: "text", dir: "auto" }, ...marked(pieces, without)));
    return [heading("Output", look), make("div", { class: "pair" }, column("A", "ins"), column("B", "del"))];
  };
  const SIGNS = new Map([[true, "✓ passed"], [false, "✗ failed"], [null, "? undecided"]]);
  const checks = (held) => {
    const all = new Map();
    held.forEach((side, place) => {
      const seen = new Map();
      for (const [name, passed, hard, why] of (side && side.checks) || []) {
        const times = (seen.get(name) || 0) + 1;
        seen.set(name, times);
        const key = `${name}\n${times}`;
        if (!all.has(key)) all.set(key, [hard ? name : `${name} (soft)`, held.map(() => ["–", null])]);
        all.get(key)[1][place] = [SIGNS.get(passed) || SIGNS.get(null), why];
      }
    });
    if (!all.size) return [];
    const lines = [...all.values()].map(([name, cells]) => [
      name,
      cells.map(([sign, why], place) => make("span", {}, make("span", { class: `badge ${sign[0] === "✓" ? "good" : sign[0] === "✗" ? "bad" : "flat"}` }, sign), why && !(place === 1 && why === cells[0][1] && sign === cells[0][0]) ? ` ${why}` : "")),
      two && cells[0][0] !== cells[1][0],
    ]);
    return [heading("Checks"), grid(names(), lines)];
  };
  const events = (held) => {
    const known = held.map((side) => (side && side.events) || null);
    if (known.every((one) => !one)) return [];
    const column = (steps_, name) => make("div", {}, name ? make("div", { class: "of" }, name) : null, make("ol", { class: "events" }, ...(steps_ || []).map(([kind, tool, says]) => make("li", {}, make("span", {}, kind), make("span", { dir: "auto" }, `${tool || ""}${says || ""}`)))));
    const same = two && held[1] && (held[1].same || []).includes("events");
    const told_ = !two || same ? column(known[0], null) : make("div", { class: "pair" }, column(known[0], "A"), column(known[1], "B"));
    return [make("details", {}, make("summary", {}, same ? "Conversation, the same in both" : "Conversation"), told_)];
  };

  // ---- what is on the page

  const search = make("input", { type: "search", id: "search", placeholder: "Search cases and their texts", "aria-label": "Search cases and their texts", autocomplete: "off", spellcheck: "false" });
  const order = make("select", { id: "order" }, ...[["kind", two ? "what happened" : "verdict"], ["name", "name"], ["score", two ? "change of score" : "score"]].map(([value, says]) => make("option", { value }, says)));
  const chips = make("div", { class: "chips", role: "group", "aria-label": "Which cases" });
  const status = make("p", { class: "status", role: "status" });
  const space = make("div", { class: "space", role: "presentation" });
  const list = make("div", { class: "list", id: "list", role: "listbox", tabindex: "0", "aria-label": "Cases" }, space);
  const nothing = make("p", { class: "nothing", hidden: true }, "No case is like that.");
  const pane = make("div", { class: "detail", id: "detail", role: "region", tabindex: "0", "aria-label": "The chosen case" }, make("p", { class: "nothing" }, "Choose a case to see it in full."));
  const printed = make("div", { class: "printed" });

  meta.kinds.forEach((kind, number) => {
    if (!counts[number]) return;
    chips.append(make("button", { type: "button", class: "chip", "data-kind": number, title: kind[1], "aria-pressed": "false", on: { click: () => {
      if (picked.facet) { picked.facet = null; picked.kinds.clear(); }
      if (!picked.kinds.delete(number)) picked.kinds.add(number);
      select();
    } } }, kind[0], make("span", {}, count(counts[number]))));
  });
  document.getElementById("list-of-cases").append(
    make("div", { class: "tools" }, search, make("label", {}, "Order by", order)),
    chips, status, make("div", { class: "panes" }, make("div", { class: "list-side", role: "presentation" }), pane), printed,
  );
  const panes = pane.parentNode;
  panes.firstChild.replaceWith(list);
  panes.insertBefore(nothing, pane);

  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { picked.words = search.value.toLowerCase().split(/\s+/).filter(Boolean); select(); }, 120);
  });
  search.addEventListener("keydown", (event) => { if (event.key === "ArrowDown") { event.preventDefault(); list.focus(); if (active < 0) go(0); } });
  order.addEventListener("change", () => { picked.order = order.value; select(); });
  list.addEventListener("keydown", pressed);
  let asking = false;
  list.addEventListener("scroll", () => { if (!asking) { asking = true; requestAnimationFrame(() => { asking = false; draw(); }); } }, { passive: true });
  pane.addEventListener("keydown", (event) => { if (event.key === "Escape") leave(); });
  const resized = () => { drawn.clear(); space.replaceChildren(); space.style.height = `${shown.length * height()}px`; draw(); };
  addEventListener("resize", resized);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-facet]");
    if (!button) return;
    const { facet, value } = button.dataset;
    if (facet === "kind") { picked.facet = null; picked.kinds = new Set([Number(value)]); } else picked.facet = facets[facet](value);
    picked.words = [];
    search.value = "";
    select();
    document.getElementById("cases").scrollIntoView();
    list.focus({ preventScroll: true });
  });
  addEventListener("hashchange", follow);
  const PRINTED = 200;
  addEventListener("beforeprint", () => {
    const held = shown.slice(0, PRINTED);
    const lines = held.map((number) => make("tr", {}, make("th", { scope: "row" }, rows[number][ID]), make("td", {}, meta.kinds[rows[number][KIND]][0]), make("td", {}, went(rows[number])), make("td", {}, rows[number][SAYS])));
    printed.replaceChildren(make("p", { class: "status" }, `${count(held.length)} of the ${count(shown.length)} listed cases`), make("table", {}, make("tbody", {}, ...lines)));
  });
  addEventListener("afterprint", () => printed.replaceChildren());

  select();
  follow();
  document.documentElement.dataset.ready = "";
})();
