/* How a game is set up follows the number of players that is chosen. */
"use strict";
document.addEventListener("change", function (event) {
  var shown = document.getElementById("preparing"), chosen = event.target.value;
  if (event.target.name !== "seats" || !shown) { return; }
  fetch(location.pathname + "?seats=" + chosen, { cache: "no-store" }).then(function (answer) {
    return answer.ok ? answer.text() : "";
  }).then(function (html) {
    var page = new DOMParser().parseFromString(html, "text/html"), fresh = page.getElementById("preparing");
    var now = document.querySelector("input[name=seats]:checked");
    // Of two taps the later one counts, whichever answer comes first.
    if (!fresh || !now || now.value !== chosen) { return; }
    shown.replaceChildren.apply(shown, Array.from(fresh.childNodes));
    // How far a number may go, too: a seat's is no higher than there are players.
    page.querySelectorAll("[id^=range-]").forEach(function (range) {
      document.getElementById(range.id).textContent = range.textContent;
    });
  }).catch(function () { /* it stays as it is; the number is chosen all the same */ });
});
