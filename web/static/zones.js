/* Zones over the picture of the board: dragged, made larger, moved with keys; the number fields say the same. */
"use strict";
(function () {
  var board = document.getElementById("board"), which = document.getElementById("which"), plan = JSON.parse(board.dataset.plan);
  var wrong = JSON.parse(board.dataset.wrong), form = document.querySelector("form.narrow"), fixed = "fixed" in board.dataset, zoom = 1,
    scale = 1, chosen = null, all = {};

  function field(name, key) { return form.elements[name + ":" + key]; }
  function round(value) { return Math.round(value * 10) / 10; }
  function size() { return { w: Number(form.elements.w.value) || plan.w, h: Number(form.elements.h.value) || plan.h }; }

  function fit() {
    var at = size();
    scale = zoom * board.parentElement.clientWidth / at.w;
    board.style.width = at.w * scale + "px";
    board.style.height = at.h * scale + "px";
    Object.keys(all).forEach(draw);
  }

  function at(name) {
    return { x: Number(field(name, "x").value), y: Number(field(name, "y").value), w: Number(field(name, "w").value), h:
      Number(field(name, "h").value) };
  }

  function draw(name) {
    var one = all[name], now = at(name);
    one.el.style.left = now.x * scale + "px";
    one.el.style.top = now.y * scale + "px";
    one.el.style.width = Math.max(4, now.w * scale) + "px";
    one.el.style.height = Math.max(4, now.h * scale) + "px";
    // A zone that is too narrow for its words has them in the list, and here when the board is shown larger.
    one.el.firstChild.hidden = now.w * scale < 40 || now.h * scale < 14;
    one.el.lastChild.style.width = one.el.lastChild.style.height = Math.min(22, now.w * scale / 2.5, now.h * scale / 2.5) + "px";
    one.el.classList.toggle("moved", ["x", "y", "w", "h"].some(function (key) { return now[key] !== one.was[key]; }));
    one.el.setAttribute("aria-label", spoken("{0}, {1} from left, {2} from top, {3} by {4} millimetres", one.words, now.x, now.y, now.w,
      now.h));
  }

  function put(name, to) {
    ["x", "y", "w", "h"].forEach(function (key) { if (key in to) { field(name, key).value = round(to[key]); } });
    draw(name);
  }

  function choose(name) {
    chosen = name;
    which.value = name;
    document.querySelectorAll(".zone-fields").forEach(function (one) { one.classList.toggle("only", one.dataset.zone !== name); });
    Object.keys(all).forEach(function (other) { all[other].el.classList.toggle("chosen", other === name); });
  }

  function within(now) {
    var edge = size();
    now.w = Math.min(edge.w, Math.max(10, now.w));
    now.h = Math.min(edge.h, Math.max(10, now.h));
    now.x = Math.min(edge.w - now.w, Math.max(0, now.x));
    now.y = Math.min(edge.h - now.h, Math.max(0, now.y));
    return now;
  }

  function handle(name) {
    var el = all[name].el, start = null;

    el.addEventListener("focus", function () { choose(name); });
    // Who is not the host only looks on. Safari does not focus a button that is tapped.
    if (fixed) { el.addEventListener("click", function () { choose(name); }); return; }

    el.addEventListener("pointerdown", function (event) {
      if (event.button) { return; }
      choose(name);
      start = { px: event.clientX, py: event.clientY, grow: event.target.classList.contains("corner"), was: at(name) };
      el.setPointerCapture(event.pointerId);
    });
    el.addEventListener("pointermove", function (event) {
      if (!start) { return; }
      var dx = (event.clientX - start.px) / scale, dy = (event.clientY - start.py) / scale, was = start.was;
      put(name, within(start.grow ? { x: was.x, y: was.y, w: was.w + dx, h: was.h + dy } :
        { x: was.x + dx, y: was.y + dy, w: was.w, h: was.h }));
    });
    function end() { start = null; }
    el.addEventListener("pointerup", end);
    el.addEventListener("pointercancel", end);

    el.addEventListener("keydown", function (event) {
      var way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key], by = event.shiftKey ? 10 : 1,
        now = at(name);
      if (event.key === "r" || event.key === "R") {
        var turn = field(name, "rotation");
        turn.value = String((Number(turn.value) + 90) % 360);
      } else if (way && !event.ctrlKey && !event.metaKey) {
        if (event.altKey) { now.w += way[0] * by; now.h += way[1] * by; } else { now.x += way[0] * by; now.y += way[1] * by; }
        put(name, within(now));
      } else { return; }
      event.preventDefault();
    });
  }

  plan.zones.forEach(function (zone) {
    var el = document.createElement("button"), words = document.createElement("span"), corner = document.createElement("i"), option =
      document.createElement("option");
    var legend = document.getElementById("f-" + zone.name).querySelector("legend").textContent;
    el.type = "button";
    el.className = "zone" + (wrong.indexOf(zone.name) >= 0 ? " bad" : "");
    el.dataset.zone = zone.name;
    if (!fixed) { el.setAttribute("aria-describedby", "keys"); }
    words.textContent = legend;
    corner.className = "corner";
    el.append(words, corner);
    board.appendChild(el);
    option.value = zone.name;
    option.textContent = legend;
    which.appendChild(option);
    all[zone.name] = { el: el, words: legend, was: { x: zone.x, y: zone.y, w: zone.w, h: zone.h } };
    handle(zone.name);
  });

  which.addEventListener("change", function () { choose(which.value); });
  form.addEventListener("input", function (event) {
    var name = event.target.name.split(":")[0];
    if (all[name]) { draw(name); } else if (name === "w" || name === "h") { fit(); }
  });
  document.addEventListener("click", function (event) {
    var tap = event.target.closest("[data-zoom]"), link = event.target.closest(".wrong a");
    if (tap) { zoom = Math.min(5, Math.max(1, zoom * (tap.dataset.zoom === "1" ? 1.4 : 1 / 1.4))); fit(); }
    if (link) {
      var name = link.getAttribute("href").slice(3), there = document.getElementById(link.getAttribute("href").slice(1));
      if (all[name]) { choose(name); } else if (there && there.closest("details")) { there.closest("details").open = true; }
    }
  });
  addEventListener("resize", fit);
  choose(wrong.find(function (name) { return all[name]; }) || plan.zones[0].name);
  fit();
})();
