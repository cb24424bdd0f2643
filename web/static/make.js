/* Making a game: a tap renews the page where it stands, and a changed field the troubles and the score. Without this
   script every button loads the page, which does the same. */
"use strict";
(function () {
  var asked = 0, timer = null;

  function ask(form, name, value) {
    var fields = new URLSearchParams(new FormData(form)), mine = asked += 1;
    if (name) { fields.append(name, value); }
    return fetch(form.getAttribute("action"), { method: "POST", body: fields }).then(function (answer) { return answer.text(); }).then(function (html) {
      return mine === asked ? new DOMParser().parseFromString(html, "text/html") : null;
    });
  }

  function open() {
    return Array.prototype.filter.call(document.querySelectorAll("details[id]"), function (one) { return one.open; }).map(function (one) { return one.id; });
  }

  function submitted(event) {
    var form = event.target, button = event.submitter;
    if (form.id !== "make" || !button || button.value === "keep" || button.value === "play") { return; }
    event.preventDefault();
    clearTimeout(timer);
    var opened = open();
    ask(form, button.name, button.value).then(function (page) {
      var main = page && page.getElementById("main");
      if (!main) { return; }
      document.getElementById("main").replaceWith(main);
      var blocks = main.querySelectorAll(".block"), moved = /^(up|down|drop):/.test(button.value);
      opened.forEach(function (id) {
        var one = document.getElementById(id);
        if (one && !(moved && /^open-/.test(id))) { one.open = true; }
      });
      if (button.value === "add" && blocks.length) { blocks[blocks.length - 1].querySelector("details").open = true; }
      var again = main.querySelector('button[name="' + button.name + '"][value="' + button.value + '"]:not(:disabled)');
      if (button.value === "add") { again = blocks[blocks.length - 1].querySelector("summary"); }
      (again || main.querySelector("#part-score summary")).focus({ preventScroll: button.value !== "add" });
    }).catch(function () { form.submit(); });
  }

  /* Fields of which others depend: the page is made anew, as by a tap. */
  function changed(event) {
    var field = event.target, form = field.form;
    if (!form || form.id !== "make") { return; }
    clearTimeout(timer);
    if (["mat", "play", "first"].indexOf(field.name) >= 0) {
      var id = field.id, name = field.name, value = field.value, opened = open();
      ask(form, "do", "look").then(function (page) {
        var main = page && page.getElementById("main");
        if (!main) { return; }
        document.getElementById("main").replaceWith(main);
        opened.forEach(function (one) { var there = document.getElementById(one); if (there) { there.open = true; } });
        var again = (id && document.getElementById(id)) || main.querySelector('[name="' + name + '"][value="' + value + '"]');
        if (again) { again.focus({ preventScroll: true }); }
      }).catch(function () { /* the next tap says it */ });
      return;
    }
    if (field.name === "place" || field.name === "op" || field.name === "over") { return; }
    timer = setTimeout(function () {
      ask(form, "do", "look").then(function (page) {
        ["troubles", "points"].forEach(function (part) {
          var fresh = page && page.getElementById(part), old = document.getElementById(part);
          if (fresh && old) { old.replaceWith(fresh); }
        });
      }).catch(function () { /* the next tap says it */ });
    }, 300);
  }

  document.addEventListener("submit", submitted);
  document.addEventListener("change", changed);
}());
