/* How a game is set up follows the number of players that is chosen. */
"use strict";
document.addEventListener("change", function (event) {
  var shown = document.getElementById("preparing"), chosen = event.target.value;
  if (event.target.name !== "seats" || !shown) { return; }
  fetch(location.pathname + "?seats=" + chosen, { cache: "no-store" }).then(function (answer) {
    return answer.ok ? answer.text() : "";
  }).then(function (html) {
    var fresh = new DOMParser().parseFromString(html, "text/html").getElementById("preparing");
    var now = document.querySelector("input[name=seats]:checked");
    // Of two taps the later one counts, whichever answer comes first.
    if (fresh && now && now.value === chosen) { shown.replaceChildren.apply(shown, Array.from(fresh.childNodes)); }
  }).catch(function () { /* it stays as it is; the number is chosen all the same */ });
});
