/* The wall's stage. What has just happened is shown large, one event after another: each waits for its turn, three at
   most, then they are merged ("2 → 4"); each is held, outlives its record, and yields to an alarm, a question, an auction. */
"use strict";
(function () {
  var HOLD = 4000, LONGER = 2000, LEAVES = 350, MOST = 3;
  var YIELDS = '[data-part="alarm"] .alarm, [data-part="alarm"] .question, .lot-stage, .finale:not([hidden]), .moment.on';
  var still = matchMedia("(prefers-reduced-motion: reduce)"), place = document.getElementById("on-stage");
  var seen = null, waiting = [], since = 0, timer = 0, hidden = "";

  function clear() {
    clearTimeout(timer);
    since = 0;
    place.hidden = true;
    place.className = "";
    place.replaceChildren();
  }

  function leave() {
    clearTimeout(timer);
    if (!since) { return; }
    since = 0;
    place.className = "leaves";
    timer = setTimeout(function () { clear(); next(); }, still.matches ? 0 : LEAVES);
  }

  /* With others waiting an event goes after its time; alone it may stay a little longer. */
  function due() {
    if (waiting.length || Date.now() - since >= HOLD + LONGER) { leave(); } else { timer = setTimeout(due, LONGER); }
  }

  function next() {
    if (since || !waiting.length) { return; }
    clearTimeout(timer);
    place.replaceChildren(waiting.shift());
    place.hidden = false;
    place.className = "on";
    since = Date.now();
    timer = setTimeout(due, HOLD);
  }

  /* Let the later of two events on one track tell of both. */
  function merge(first, later) {
    var was = first.querySelector("[data-before]"), now = later.querySelector("[data-before]"), from = Number(was.dataset.before);
    var to = Number(now.parentElement.querySelector("b").textContent);
    now.dataset.before = now.textContent = String(from);
    later.querySelectorAll("[data-rung]").forEach(function (one) {
      var rung = Number(one.dataset.rung);
      one.classList.toggle("on", rung <= Math.min(from, to));
      one.classList.toggle("step", rung > from && rung <= to);
      one.classList.toggle("left", rung > to && rung <= from);
    });
  }

  /* Make room: merge what goes on on one track, else leave out the oldest that changed nothing, else the oldest. */
  function crowd() {
    for (var n = 0; n < waiting.length; n += 1) {
      var track = waiting[n].dataset.track, later =
        waiting.slice(n + 1).find(function (one) { return track && one.dataset.track === track; });
      if (later && later.querySelector("[data-before]")) {
        merge(waiting[n], later);
        waiting.splice(n, 1);
        return;
      }
    }
    var plain = waiting.findIndex(function (one) { return !one.dataset.track; });
    waiting.splice(Math.max(0, plain), 1);
  }

  function look() {
    var now = Array.from(document.querySelectorAll('[data-part="events"] [data-event]'));
    // What happened before this page was opened is not shown again.
    if (!seen) { seen = new Set(now.map(function (one) { return one.dataset.event; })); }
    now.forEach(function (one) {
      if (seen.has(one.dataset.event)) { return; }
      seen.add(one.dataset.event);
      waiting.push(one.cloneNode(true));
      if (waiting.length > MOST) { crowd(); }
    });
    moments();
    if (document.querySelector(YIELDS)) {
      waiting = [];
      clear();
    } else if (since && waiting.length && Date.now() - since >= HOLD) { leave(); } else { next(); }
  }

  /* What lasts (the end, a stop by the host) can be hidden, by Escape or a tap. */
  function moments() {
    var moment = document.querySelector("[data-moment]"), on = moment && moment.dataset.moment !== hidden;
    if (!moment) { return; }
    moment.classList.toggle("on", on);
    if (moment.matches(".finale")) { moment.hidden = !on; }
  }

  function hide() {
    var moment = document.querySelector("[data-moment]");
    if (since) { leave(); } else if (moment) { hidden = moment.dataset.moment; moments(); }
  }

  document.addEventListener("keydown", function (event) { if (event.key === "Escape") { hide(); } });
  document.addEventListener("click", function (event) {
    if (event.target.closest("#on-stage, .moment, [data-hide]") && !event.target.closest("a, [data-command]")) { hide(); }
  });
  /* A photograph that can't be had leaves its place. */
  document.addEventListener("error", function (event) {
    if (event.target.closest && event.target.closest(".finale .last")) { event.target.remove(); }
  }, true);
  document.addEventListener("companion:painted", look);
  look();
})();
