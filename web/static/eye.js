/* What the camera sees: picture and list renew themselves; a tap in the picture asks what lies there. */
"use strict";
(function () {
  var picture = document.getElementById("picture"), now = document.getElementById("now"), spot = document.getElementById("spot");
  var here = document.getElementById("here"), n = 0, EVERY = 1500;

  function say(words) {
    spot.hidden = false;
    spot.replaceChildren(Object.assign(document.createElement("p"), { className: "message", textContent: spoken(words) }));
  }

  function part(url) {
    return fetch(url, { cache: "no-store" }).then(function (answer) {
      return answer.text().then(function (html) {
        if (answer.ok) { return html; }
        throw new Error(answer.status === 403 ? spoken("You are no longer the host here: load the page again.") :
          spoken("The companion has no answer now."));
      });
    });
  }

  function renew() {
    if (document.hidden) { setTimeout(renew, EVERY); return; }
    part("/host/eye/now").then(function (html) {
      // What somebody is about to tap must not be swapped under the finger.
      if (html !== now.dataset.html && !now.contains(document.activeElement)) { now.innerHTML = html; now.dataset.html = html; }
    }).catch(function () { /* the next time */ }).then(function () {
      var next = new Image(), done = function () { setTimeout(renew, EVERY); };
      next.onload = function () { picture.src = next.src; done(); };
      next.onerror = done;
      next.src = "/host/eye.jpg?n=" + n++;
    });
  }

  function show(url, focus) {
    return part(url).then(function (html) {
      spot.innerHTML = html;
      spot.hidden = false;
      var head = spot.querySelector("h2");
      if (head && focus) { head.focus({ preventScroll: true }); spot.scrollIntoView({ block: "nearest" }); }
    }).catch(function (error) { say(error.message); });
  }

  picture.addEventListener("click", function (event) {
    var box = picture.getBoundingClientRect(), u = (event.clientX - box.left) / box.width, v = (event.clientY - box.top) / box.height;
    here.hidden = false;
    here.style.left = 100 * u + "%";
    here.style.top = 100 * v + "%";
    show("/host/eye/spot?u=" + u.toFixed(5) + "&v=" + v.toFixed(5), true);
  });

  now.addEventListener("click", function (event) {
    var tap = event.target.closest("a[data-x]");
    if (!tap) { return; }
    event.preventDefault();
    here.hidden = true;
    tap.blur();
    show("/host/eye/spot?x=" + tap.dataset.x + "&y=" + tap.dataset.y, true);
  });

  /* Cards are found while their words are typed. */
  var typing = 0;
  spot.addEventListener("input", function (event) {
    var form = event.target.form;
    if (event.target.name !== "q") { return; }
    clearTimeout(typing);
    typing = setTimeout(function () {
      part("/host/eye/spot?" + new URLSearchParams(new FormData(form))).then(function (html) {
        var fresh = new DOMParser().parseFromString(html, "text/html").getElementById("found"), old = document.getElementById("found");
        if (fresh && old) { old.replaceWith(fresh); }
      }).catch(function () { /* the button is still there */ });
    }, 200);
  });

  if (location.hash === "#spot" && !spot.hidden) { spot.scrollIntoView({ block: "nearest" }); }
  setTimeout(renew, EVERY);
})();
