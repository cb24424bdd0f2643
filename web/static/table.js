/* The table page's rail: every player's row is whole. */
"use strict";
(function () {
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
    if (document.querySelector(".alarm, .tabletop .covers rect, .columns.covered")) { until = Date.now() + LINGERS; }
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
  document.addEventListener("companion:painted", fit);
})();
