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

  document.addEventListener("companion:painted", fit);
})();
