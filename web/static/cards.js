/* The cards: found while one types; sheets being made, and cards before the camera, renew themselves. */
"use strict";
(function () {
  var find = document.querySelector(".find"), papers = document.getElementById("papers"), reads = document.getElementById("reads");

  function sift() {
    var words = find.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean), kind = find.elements.kind.value, shown = 0;
    var every = document.querySelectorAll(".faces li");
    every.forEach(function (one) {
      var fits = (!kind || one.dataset.kind === kind) && words.every(function (word) { return one.dataset.words.indexOf(word) >= 0; });
      one.hidden = !fits;
      shown += fits;
    });
    document.getElementById("count").textContent = spoken("{0} of {1} cards", shown, every.length);
  }

  // Only a page that has all cards can find among them; else the server does.
  if (find && location.search.replace(/[?&](q|kind)=(?=&|$)/g, "") === "") {
    find.addEventListener("input", sift);
    find.addEventListener("submit", function (event) { event.preventDefault(); sift(); });
  }

  function again(el, url, every, going) {
    setTimeout(function () {
      if (document.hidden) { again(el, url, every, going); return; }
      fetch(url, { cache: "no-store" }).then(function (answer) { return answer.ok ? answer.text() : null; }).then(function (html) {
        if (html !== null && html !== el.dataset.html) { el.innerHTML = html; el.dataset.html = html; }
      }).catch(function () { /* the next time */ }).then(function () { if (going()) { again(el, url, every, going); } });
    }, every);
  }

  function busy() { return Boolean(papers.querySelector("[data-state=busy]")); }
  if (papers && busy()) { again(papers, location.pathname + "/papers", 1500, busy); }
  if (reads) { again(reads, reads.dataset.part, 1000, function () { return true; }); }
})();
