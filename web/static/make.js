/* Making a game: a tap renews the page where it stands, and a changed field the troubles and the score. Without this
   script every button loads the page, which does the same. */
"use strict";
(function () {
  var asked = 0, timer = null;
  /* Fields of which others depend: the page is made anew, as by a tap. */
  var DECISIVE = ["mat", "play", "first"];
  /* Fields that say what the next tap does; nothing changes before it. */
  var FOR_A_TAP = ["place", "op", "over"];

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

  /* Put the whole page in, with what was open still open, but for blocks if they `moved`. */
  function replaceAll(page, moved) {
    var opened = Array.prototype.filter.call(document.querySelectorAll("details[id]"), function (one) { return one.open; });
    replace(page, ["main"]);
    opened.forEach(function (was) {
      var one = document.getElementById(was.id);
      if (one && !(moved && /^open-/.test(was.id))) { one.open = true; }
    });
  }

  function find(name, value) { return document.querySelector('#make [name="' + name + '"][value="' + CSS.escape(value) + '"]:not(:disabled)'); }

  function submitted(event) {
    var form = event.target, button = event.submitter;
    if (form.id !== "make" || !button || button.value === "keep" || button.value === "play") { return; }
    event.preventDefault();
    renew(form, button.name, button.value, function (page) {
      var added = button.value === "add", again;
      replaceAll(page, /^(up|down|drop):/.test(button.value));
      if (added) {
        again = document.querySelector(".block:last-child summary");
        if (again) { again.parentElement.open = true; }
      }
      again = again || find(button.name, button.value) || document.querySelector("#part-score summary");
      again.focus({ preventScroll: !added });
    }, function () { form.submit(); });
  }

  function changed(event) {
    var field = event.target, form = field.form;
    if (!form || form.id !== "make" || FOR_A_TAP.indexOf(field.name) >= 0) { return; }
    if (DECISIVE.indexOf(field.name) >= 0) {
      renew(form, "do", "look", function (page) {
        replaceAll(page, false);
        var again = (field.id && document.getElementById(field.id)) || find(field.name, field.value);
        if (again) { again.focus({ preventScroll: true }); }
      });
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(function () {
      renew(form, "do", "look", function (page) {
        var trial = document.getElementById("trial");
        replace(page, ["troubles", "points"]);
        /* Who sits at the trial may have changed, too; nothing is taken out of somebody's hands there. */
        if (trial && !trial.contains(field) && !trial.contains(document.activeElement)) { replace(page, ["trial"]); }
      });
    }, 300);
  }

  document.addEventListener("submit", submitted);
  document.addEventListener("change", changed);
}());
