/* Making a game: a tapped card, and a changed answer, renew the page where it stands. Without this script every button
   loads the page, which does the same. */
"use strict";
(function () {
  var asked = 0, timer = null, taps = [];

  /* Ask what the page is now, and hand it to `done`, unless something newer was asked meanwhile; `lost` if nobody answers.
     Who asks too much at once (429) asks again. */
  function renew(form, name, value, done, lost) {
    var fields = new URLSearchParams(new FormData(form)), mine = asked += 1;
    clearTimeout(timer);
    fields.append(name, value);
    function ask() {
      return fetch(form.getAttribute("action"), { method: "POST", body: fields }).then(function (answer) {
        return answer.status !== 429 ? answer.text() : new Promise(function (later) { setTimeout(later, 1000); }).then(ask);
      });
    }
    ask().then(function (html) {
      if (mine === asked) { done(new DOMParser().parseFromString(html, "text/html")); }
    }).catch(lost || function () { /* the next tap says it */ });
  }

  /* Put parts of a page in the place of those that are there. */
  function replace(page, ids) {
    ids.forEach(function (id) {
      var fresh = page.getElementById(id), old = document.getElementById(id);
      if (fresh && old) { old.replaceWith(fresh); }
    });
  }

  /* Hide what means nothing by what is ticked: "bid:least bid:exact" wants one of these. */
  function sift() {
    document.querySelectorAll("#make [data-only]").forEach(function (one) {
      one.hidden = !one.dataset.only.split(" ").some(function (need) {
        var parts = need.split(":");
        return document.querySelector('#make [name="' + parts[0] + '"][value="' + parts[1] + '"]:checked');
      });
    });
  }

  function submitted(event) {
    var form = event.target, button = event.submitter;
    if (form.id !== "make" || !button || (button.name !== "lay" && ["see", "clear", "look"].indexOf(button.value) < 0)) { return; }
    event.preventDefault();
    taps.push([button.name, button.value]);
    if (taps.length === 1) { tap(); }
  }

  /* Do the taps one after the other: each begins with what the one before has made of the page. */
  function tap() {
    var form = document.getElementById("make"), name = taps[0][0], value = taps[0][1];
    renew(form, name, value, function (page) {
      replace(page, ["main"]);
      sift();
      var again = document.querySelector('#make [name="' + name + '"][value="' + CSS.escape(value) + '"]');
      if (again) { again.focus({ preventScroll: true }); }
      taps.shift();
      if (taps.length && document.getElementById("make")) { tap(); } else { taps = []; }
    }, function () { form.submit(); });
  }

  function changed(event) {
    var form = event.target.form;
    sift();
    if (!form || form.id !== "make" || taps.length) { return; }
    clearTimeout(timer);
    if (event.target.name === "place") {
      /* Which cards are elsewhere follows from the place that is chosen. */
      renew(form, "do", "look", function (page) {
        replace(page, ["main"]);
        document.querySelector("#make [name=place]:checked").focus({ preventScroll: true });
      });
      return;
    }
    timer = setTimeout(function () {
      renew(form, "do", "look", function (page) { replace(page, ["troubles", "points"]); });
    }, 300);
  }

  document.addEventListener("submit", submitted);
  document.addEventListener("change", changed);
  document.addEventListener("DOMContentLoaded", sift);
}());
