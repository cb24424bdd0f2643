/* The table page's full-screen moments: shown once each, hidden by Escape, a tap, or by themselves. */
"use strict";
(function () {
  var hidden = "", shown = "", since = 0, first = true, BRIEF = 6000;

  function look() {
    var moment = document.querySelector(".moment"), key = moment ? moment.dataset.moment : "";
    if (!moment) { shown = ""; return; }
    if (key !== shown) {
      // A throw that was made before this page was opened is not thrown again.
      since = first && "brief" in moment.dataset ? -Infinity : Date.now();
      shown = key;
    }
    var left = document.querySelector("[data-left]"), counts = moment.dataset.last, seconds = left ? Number(left.textContent) : 0;
    var on = key !== hidden && !("brief" in moment.dataset && Date.now() - since > BRIEF);
    if (counts) {
      on = on && seconds > 0 && seconds <= Number(counts);
      var number = moment.querySelector("[data-count]");
      if (number.textContent !== String(seconds)) { number.textContent = String(seconds); }
    }
    moment.classList.toggle("on", on);
  }

  function hide() {
    var moment = document.querySelector(".moment.on");
    if (moment) { hidden = moment.dataset.moment; look(); }
  }

  document.addEventListener("keydown", function (event) { if (event.key === "Escape") { hide(); } });
  document.addEventListener("click", function (event) {
    if (event.target.closest(".moment") && !event.target.closest("a, [data-command]")) { hide(); }
  });
  /* A photograph that can't be had leaves its place to the scores. */
  document.addEventListener("error", function (event) {
    if (event.target.closest && event.target.closest(".moment .last")) { event.target.remove(); }
  }, true);
  /* How little there has to be beside the scores for every player's row to be whole: 0 (all of it) to 4. */
  function fit() {
    var narrow = document.querySelector(".narrow");
    if (!narrow) { return; }
    narrow.removeAttribute("data-tight");
    for (var level = 1; level <= 4 && narrow.scrollHeight > narrow.clientHeight + 1; level += 1) { narrow.dataset.tight = String(level); }
  }
  if (document.querySelector(".narrow")) { new ResizeObserver(fit).observe(document.querySelector(".narrow")); }

  /* The camera's picture is small in its corner: larger while something is wrong or a hand hides a place, large on a tap. */
  var camera = document.querySelector(".camera"), LINGERS = 2500, until = 0;

  function size(kind, on) {
    var was = camera.classList.contains(kind);
    if (was === on) { return; }
    camera.classList.toggle(kind, on);
    document.dispatchEvent(new CustomEvent("companion:grown"));
  }

  function watch() {
    if (!camera) { return; }
    if (document.querySelector(".alarm, .stage .covers rect, .columns.covered")) { until = Date.now() + LINGERS; }
    size("raised", until > Date.now());
  }

  document.addEventListener("click", function (event) {
    var see = event.target.closest(".see");
    if (!see) { return; }
    size("grown", !camera.classList.contains("grown"));
    see.setAttribute("aria-expanded", String(camera.classList.contains("grown")));
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && camera && camera.classList.contains("grown")) { camera.querySelector(".see").click(); }
  });

  document.addEventListener("companion:painted", watch);
  setInterval(watch, 500);
  document.addEventListener("companion:painted", look);
  document.addEventListener("companion:painted", fit);
  setInterval(look, 250);
  look();
  first = false;
})();
