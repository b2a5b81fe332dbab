// What the page of `tally show --html` does: unpack what an attempt left behind when it is opened, find, filter, open all.
//
// Everything shown here was written by others, so it only ever becomes the text of a node. Each block of data is base64 of raw
// deflate of JSON: {verdict, finding?, note?, problem} or {verdict, finding?, note?, checks, files, excluded, refused,
// outputs, events, measured, hashes}.
"use strict";
(() => {
  const MANY_LINES = 400;

  // An element of a class (or "") with children: nodes, or texts.
  function el(tag, name, ...children) {
    const node = document.createElement(tag);
    if (name) node.className = name;
    node.append(...children);
    return node;
  }

  function bytesOf(base64) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
    return bytes;
  }

  async function unpack(id) {
    const data = document.getElementById(id);
    if (!data) throw new Error("this attempt is not in the file");
    if (!window.DecompressionStream) throw new Error("this browser cannot unpack it (no DecompressionStream); use a newer one");
    const packed = new Blob([bytesOf(data.textContent)]).stream();
    const text = await new Response(packed.pipeThrough(new DecompressionStream("deflate-raw"))).text();
    data.remove(); // what is laid out need not be held twice
    return JSON.parse(text);
  }

  // --- the parts of an attempt ---

  function part(title, ...children) {
    return el("section", "part", el("h4", "", title), ...children);
  }

  function origin(word) {
    return word ? el("span", `origin ${word.split(" ")[0]}`, word) : "";
  }

  function table(caption, heads, rows) {
    const head = el("tr", "", ...heads.map((text) => {
      const cell = el("th", "", text);
      cell.scope = "col";
      return cell;
    }));
    const whole = el("table", "", el("caption", "unseen", caption), el("thead", "", head), el("tbody", "", ...rows));
    return el("div", "wide", whole);
  }

  function row(first, ...cells) {
    const head = el("th", "", first);
    head.scope = "row";
    return el("tr", "", head, ...cells.map((cell) => (cell instanceof HTMLTableCellElement ? cell : el("td", "", cell))));
  }

  function block(text) {
    const pre = el("pre", "", text);
    pre.dir = "auto";
    return pre;
  }

  const MARKS = { pass: "✓ pass", fail: "✗ fail", error: "✗ error" };

  function checks(list) {
    const rows = list.map((check) => {
      const outcome = el("td", "", el("span", `outcome ${check.outcome.split(" ")[0]}`, MARKS[check.outcome] || `? ${check.outcome}`));
      const demand = el("td", "broad", el("div", "", check.demand));
      if (check.evidence) demand.append(el("div", "quiet", check.evidence));
      return row(check.id, outcome, demand, origin(check.from));
    });
    return part("Checks behind the verdict", table("Checks", ["Check", "Outcome", "Demand and evidence", "Where it comes from"], rows));
  }

  const KINDS = { "+": "add", "-": "del", "@": "hunk", "\\": "hunk" };

  function diff(text) {
    const pre = el("pre", "diff");
    for (const line of text.split("\n")) pre.append(el("span", KINDS[line[0]] || "same", line || " "));
    return pre;
  }

  function file(one) {
    const lines = one.text ? one.text.split("\n").length : 0;
    const name = [el("span", `change ${one.change}`, one.change), el("bdi", "path", one.path), el("span", "quiet", one.note)];
    if (!one.text) return el("p", "file", ...name);
    const held = el("details", "file", el("summary", "", ...name), diff(one.text));
    held.open = lines <= MANY_LINES;
    return held;
  }

  function changes(data) {
    const held = part("Changes to the workspace");
    if (!data.files.length) held.append(el("p", "quiet", "Nothing was changed."));
    held.append(...data.files.map(file));
    const lists = [["Left out of the check", data.excluded], ["Could not be recorded", data.refused]];
    for (const [title, paths] of lists) {
      if (paths.length) held.append(el("p", "", `${title}:`), el("ul", "paths", ...paths.map((path) => el("li", "", path))));
    }
    return held;
  }

  function outputs(list) {
    const held = part("Output");
    const shown = list.filter((one) => one.text.trim());
    if (!shown.length) held.append(el("p", "quiet", "Nothing was printed, or nothing of it is in the bundle."));
    for (const one of shown) {
      const each = el("details", "file", el("summary", "", el("bdi", "path", one.name)), block(one.text));
      each.open = one.text.length < 4000;
      held.append(each);
    }
    return held;
  }

  function events(list) {
    const rows = list.map((event) => row(String(event.seq), event.kind, event.lane, el("td", "broad facts", event.facts.join("\n"))));
    return part("Journal", table("Events of the journal", ["No.", "Event", "Lane", "What it records"], rows));
  }

  function measured(list) {
    if (!list.length) return "";
    const rows = list.map((each) => row(each.what, el("td", "", el("bdi", "", each.value)), origin(each.from)));
    return part("Time and resources", table("Time and resources", ["Measure", "Value", "Where it comes from"], rows));
  }

  function hashes(list) {
    const rows = list.map((each) => row(each.what, el("td", "broad hash", each.value)));
    return part("Documents", table("Digests", ["Document", "Digest"], rows));
  }

  function layOut(data) {
    const parts = [el("p", "", "The verdict is ", origin(data.verdict), ".")];
    if (data.note) parts.push(el("p", "", data.note));
    if (data.finding) parts.push(el("p", "finding bad", data.finding));
    if (data.problem) return [...parts, el("p", "finding bad", `The evidence of this attempt cannot be shown: ${data.problem}`)];
    parts.push(checks(data.checks), changes(data), outputs(data.outputs));
    return [...parts, events(data.events), measured(data.measured), hashes(data.hashes)];
  }

  // --- opening ---

  const parsed = new Promise((resolve) => {
    if (document.readyState !== "loading") resolve();
    else document.addEventListener("DOMContentLoaded", resolve, { once: true });
  });

  async function fill(attempt) {
    if (attempt.dataset.filled) return;
    attempt.dataset.filled = "yes";
    const body = attempt.querySelector(".body");
    body.setAttribute("aria-busy", "true");
    body.replaceChildren(el("p", "quiet", "Unpacking…"));
    await parsed;
    try {
      body.replaceChildren(...layOut(await unpack(attempt.dataset.chunk)));
    } catch (error) {
      body.replaceChildren(el("p", "finding bad", `Cannot be shown: ${error.message}`));
    }
    body.removeAttribute("aria-busy");
    watch(body);
  }

  document.addEventListener("toggle", (event) => {
    const at = event.target;
    if (at instanceof HTMLDetailsElement && at.open && at.dataset.chunk) fill(at);
  }, true);

  function goToHash() {
    const at = document.getElementById(location.hash.slice(1));
    if (!(at instanceof HTMLDetailsElement) || !at.dataset.chunk) return;
    at.closest(".task").hidden = false;
    at.open = true;
    at.scrollIntoView();
    at.querySelector("summary").focus({ preventScroll: true });
  }

  window.addEventListener("hashchange", goToHash);

  // --- finding ---

  function controls() {
    const bar = document.querySelector(".controls");
    const [find, attention, shown] = ["find", "attention", "shown"].map((id) => document.getElementById(id));
    const tasks = [...document.querySelectorAll("section.task")];
    const rows = new Map([...document.querySelectorAll("tr[data-task]")].map((each) => [each.dataset.task, each]));
    bar.hidden = false;

    function filter() {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      for (const task of tasks) {
        const fits = words.every((word) => task.dataset.find.includes(word)) && (!attention.checked || task.dataset.state === "attention");
        task.hidden = !fits;
        rows.get(task.id).hidden = !fits;
        count += fits ? 1 : 0;
      }
      shown.textContent = count === tasks.length ? `${count} task${count === 1 ? "" : "s"}` : `${count} of ${tasks.length} tasks`;
    }

    async function openAll() {
      for (const attempt of document.querySelectorAll("section.task:not([hidden]) details.attempt")) {
        attempt.open = true;
        await fill(attempt); // one after the other, so that the page stays usable
      }
    }

    function closeAll() {
      for (const attempt of document.querySelectorAll("details.attempt[open]")) attempt.open = false;
    }

    find.addEventListener("input", filter);
    attention.addEventListener("change", filter);
    document.getElementById("open").addEventListener("click", openAll);
    document.getElementById("close").addEventListener("click", closeAll);
    filter(); // a browser may keep what stood in the fields
  }

  // A table wider than the screen scrolls, so the keyboard must reach it.
  function reachable() {
    const watcher = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
        else target.removeAttribute("tabindex");
      }
    });
    return (root) => root.querySelectorAll(".wide").forEach((each) => watcher.observe(each));
  }

  const watch = reachable();

  parsed.then(() => {
    watch(document);
    controls();
    goToHash();
  });
})();
