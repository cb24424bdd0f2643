/* Aiming the camera: its picture more than twice a second, and what to do once. */
"use strict";
(function () {
  var picture = document.getElementById("picture"), now = document.getElementById("now"), n = 0;

  function see() {
    var next = new Image(), again = function (pause) { setTimeout(see, document.hidden ? 2000 : pause); };
    next.onload = function () { picture.src = next.src; picture.hidden = false; again(320); };
    next.onerror = function () { again(1500); };
    next.src = "/host/eye.jpg?n=" + n++;
  }

  function hear() {
    fetch("/host/eye/now", { cache: "no-store" }).then(function (answer) { return answer.ok ? answer.text() : ""; }).then(function (html) {
      // A match has begun, and the page is another: its part says so no more.
      if (html && html !== now.dataset.html && !now.contains(document.activeElement)) { now.innerHTML = html; now.dataset.html = html; }
    }).catch(function () { /* the next time */ }).then(function () { setTimeout(hear, document.hidden ? 3000 : 1000); });
  }

  see();
  setTimeout(hear, 1000);
})();
