/* Says aloud what happens, by the browser's own voice. A browser speaks only after a tap on the page. */
"use strict";
(function () {
  var voice = window.speechSynthesis, KEY = "companion-aloud", LEVELS = 4, said = null;

  function level() { try { return Number(localStorage.getItem(KEY)) || 0; } catch (error) { return 0; } }
  function keep(value) { try { localStorage.setItem(KEY, String(value)); } catch (error) { /* it lasts as long as the page */ } }

  function say(words, urgent) {
    if (urgent) { voice.cancel(); }
    var speech = new SpeechSynthesisUtterance(words);
    speech.lang = document.documentElement.lang;
    voice.speak(speech);
  }

  function lines(box) {
    return Array.from(box.querySelectorAll("li")).map(function (one) {
      return { kind: one.dataset.kind, level: Number(one.dataset.level), words: one.textContent.trim() };
    });
  }

  /* Say what is new; what was there when the page was opened, or the voice switched on, is old. */
  function look() {
    var box = document.querySelector("[data-aloud]"), now = {};
    if (!box) { return; }
    box.hidden = false;
    box.querySelectorAll("[data-aloud-is]").forEach(function (one) { one.hidden = Number(one.dataset.aloudIs) !== level(); });
    lines(box).forEach(function (line) {
      now[line.kind] = line.words;
      if (said && said[line.kind] !== line.words && line.level <= level()) { say(line.words, line.kind === "wrong"); }
    });
    said = now;
  }

  if (!voice || !window.SpeechSynthesisUtterance) { return; }
  document.addEventListener("click", function (event) {
    var button = event.target.closest("[data-aloud-level]");
    if (!button) { return; }
    keep((level() + 1) % LEVELS);
    voice.cancel();
    look();
    // A first word at the tap: only then does a browser let the page speak later.
    if (level()) { say(button.textContent.replace(/\s+/g, " ").trim() && button.querySelector("[data-aloud-is]:not([hidden])").textContent,
      true); }
  });
  document.addEventListener("companion:seconds", function (event) {
    if (level() >= 3 && event.detail) { say(spoken("{0} seconds left to bid.", event.detail), false); }
  });
  document.addEventListener("companion:painted", look);
  look();
}());
