/* Making a game: a tapped card, and a changed answer, renew the page where it stands. Without this script every button
   loads the page, which does the same. */
"use strict";
(function () {
  var asked = 0, timer = null;

  /* Ask what the page is now, and hand it to `done`, unless something newer was asked meanwhile; `lost` if nobody answers. */
  function renew(form, name, value, done, lost) {
    var fields = new URLSearchParams(new FormData(form)), mine = asked += 1;
    clearTimeout(timer);
    fields.append(name, value);
    fetch(form.getAttribute("action"), { method: "POST", body: fields }).then(function (answer) { return answer.text(); }).then(function (html) {
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
    renew(form, button.name, button.value, function (page) {
      replace(page, ["main"]);
      var again = document.querySelector('#make [name="' + button.name + '"][value="' + CSS.escape(button.value) + '"]');
      if (again) { again.focus({ preventScroll: true }); }
    }, function () { form.submit(); });
  }

  function changed(event) {
    var form = event.target.form;
    sift();
    if (!form || form.id !== "make") { return; }
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
