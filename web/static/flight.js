/* A card that is seen in another place flies there from where the page showed it; one that is new to the page comes down. */
"use strict";
(function () {
  var LONG = 550, still = matchMedia("(prefers-reduced-motion: reduce)"), before = null;

  /* The cards that the page shows, by their pictures: where each is (px), and in which place. */
  function cards() {
    var found = new Map();
    document.querySelectorAll("main [data-part] .chip.face:not(.ghost) > img").forEach(function (img) {
      var box = img.getBoundingClientRect(), shelf = img.closest(".shelf"), name = shelf && shelf.querySelector("h2, h3");
      if (!box.width || img.closest(".offers, .log, .show")) { return; }
      var one = { img: img, box: box, place: img.closest("[data-part]").dataset.part + (name ? name.firstChild.textContent.trim() : "") };
      found.set(img.getAttribute("src"), (found.get(img.getAttribute("src")) || []).concat(one));
    });
    return found;
  }

  function fly(one, from) {
    var to = one.box, card = one.img.parentElement;
    card.style.zIndex = 5;
    card.animate([
      from ? { transform: "translate(" + (from.left - to.left) + "px," + (from.top - to.top) + "px) scale(" + from.width / to.width + ")", transformOrigin: "0 0" }
        : { transform: "translateY(-30px) scale(1.25)", opacity: 0 },
      { transform: "none", transformOrigin: from ? "0 0" : "50% 50%" }
    ], { duration: LONG, easing: "cubic-bezier(.2, .7, .3, 1)" }).onfinish = function () { card.style.zIndex = ""; };
  }

  document.addEventListener("companion:paints", function () { before = still.matches || document.hidden ? null : cards(); });

  document.addEventListener("companion:painted", function () {
    var was = before;
    before = null;
    if (!was || !was.size) { return; }
    cards().forEach(function (some, src) {
      var known = was.get(src) || [];
      some.forEach(function (one) {
        if (known.some(function (other) { return other.place === one.place; })) { return; }
        // Offered to be chosen, a card is where it was.
        if (one.img.closest("[data-command], [data-pick]")) { return; }
        fly(one, known.length ? known[0].box : null);
      });
    });
  });
})();
