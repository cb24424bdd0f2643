/* A seat's phone: what it keeps for itself. Settings, sounds, and the cards in one's hand stay in this browser. */
"use strict";
(function () {
  function kept(name, otherwise) {
    try { return JSON.parse(localStorage.getItem(name)) || otherwise; } catch (error) { return otherwise; }
  }
  function keep(name, value) {
    try { localStorage.setItem(name, JSON.stringify(value)); } catch (error) { /* it lasts as long as the page */ }
  }
  function say(words, bad) { document.dispatchEvent(new CustomEvent("companion:say", { detail: { words: words, bad: bad } })); }
  function all(query, where) { return Array.from((where || document).querySelectorAll(query)); }

  /* ------------------------------------------------------------------------------------------------ settings */

  var off = kept("companion-phone-off", {});

  function settings() {
    ["coach", "hand"].forEach(function (name) { document.body.classList.toggle("no-" + name, Boolean(off[name])); });
    all("[data-setting][role=switch]").forEach(function (one) {
      one.setAttribute("aria-checked", off[one.dataset.setting] ? "false" : "true");
      if (one.dataset.setting === "buzz") { one.hidden = !navigator.vibrate; }
    });
  }

  document.addEventListener("click", function (event) {
    var one = event.target.closest("[data-setting]");
    if (!one) { return; }
    var name = one.dataset.setting;
    if (one.dataset.value === "off" || !off[name]) { off[name] = true; } else { delete off[name]; }
    if (name === "coach") { tips = {}; keep("companion-tips", tips); }
    keep("companion-phone-off", off);
    settings();
    mark();
    if (name === "sound" && !off.sound) { play([660]); }
    if (one.dataset.value === "off") { say("No more tips. They come back in the menu at the end of the page.", false); }
  });

  /* A tip goes once what it is about was done twice: a record came while it was there. {tip: how often} */
  var tips = kept("companion-tips", {}), shown = [], record = null;

  function tip() {
    var log = document.querySelector("[data-record]"), now = log ? Number(log.dataset.record) : 0;
    if (record !== null && now > record) {
      shown.forEach(function (words) { tips[words] = (tips[words] || 0) + 1; });
      if (shown.length) { keep("companion-tips", tips); }
    }
    record = now;
    shown = [];
    all("[data-tip]").forEach(function (one) {
      one.hidden = tips[one.dataset.tip] >= 2;
      if (!one.hidden && document.querySelector("[data-mine]")) { shown.push(one.dataset.tip); }
    });
  }

  /* ------------------------------------------------------------------------------ the way back to what can be done */

  function look() {
    var parts = all('[data-part="may"], [data-part="auction"]').map(function (part) { return part.getBoundingClientRect().bottom; });
    document.documentElement.classList.toggle("below", parts.length > 0 && Math.max.apply(null, parts) < 120);
  }
  addEventListener("scroll", look, { passive: true });
  document.addEventListener("companion:painted", look);

  /* -------------------------------------------------------------------------------------- sound and vibration */

  var audio = null;

  /* A browser lets a page sound only after somebody has touched it. */
  function wake() {
    var Audio = window.AudioContext || window.webkitAudioContext;
    if (!audio && Audio) { audio = new Audio(); }
    if (audio && audio.state === "suspended") { audio.resume(); }
  }
  document.addEventListener("pointerdown", wake);
  document.addEventListener("keydown", wake);

  function play(notes) {
    if (off.sound || !audio || audio.state !== "running") { return; }
    notes.forEach(function (pitch, n) {
      var tone = audio.createOscillator(), loud = audio.createGain(), at = audio.currentTime + n * 0.16;
      tone.frequency.value = pitch;
      loud.gain.setValueAtTime(0, at);
      loud.gain.linearRampToValueAtTime(0.16, at + 0.02);
      loud.gain.exponentialRampToValueAtTime(0.001, at + 0.15);
      tone.connect(loud).connect(audio.destination);
      tone.start(at);
      tone.stop(at + 0.16);
    });
  }
  function buzz(pattern) {
    var touched = !navigator.userActivation || navigator.userActivation.hasBeenActive;
    if (!off.buzz && touched && navigator.vibrate) { try { navigator.vibrate(pattern); } catch (error) { /* not allowed yet */ } }
  }
  document.addEventListener("companion:mine", function () { play([523, 784]); buzz([60, 60, 60]); });
  document.addEventListener("companion:seconds", function () { play([880]); buzz(80); });

  /* ---------------------------------------------------------------------------------------- sets of cards

     Cards are tapped until those that are meant are chosen; the button is there for a set that the rules allow. */

  function choose(box) {
    var cards = all("[data-piece]", box), button = box.querySelector("[data-settle]"), chosen = [];
    cards.forEach(function (one, n) { if (one.getAttribute("aria-pressed") === "true") { chosen.push(n); } });
    /* Sets that have all that is chosen: one of them may be just that; without any, something chosen does not fit. */
    var open = JSON.parse(box.dataset.ways).filter(function (some) { return chosen.every(function (n) { return some.indexOf(n) >= 0; }); });
    var some = open.find(function (one) { return one.length === chosen.length; }), total = chosen.length;
    button.disabled = !some;
    box.querySelector("[data-none]").hidden = Boolean(open.length);
    button.querySelector("[data-chosen]").textContent = total === 1 ? spoken("{0} card", total) : spoken("{0} cards", total);
    if (!some) { button.removeAttribute("data-command"); return; }
    var wish = JSON.parse(box.dataset.set);
    wish.action[box.dataset.field] = some.map(function (n) { return cards[n].dataset.piece; });
    button.dataset.command = JSON.stringify(wish);
  }

  document.addEventListener("click", function (event) {
    var card = event.target.closest("[data-set] [data-piece]");
    if (!card) { return; }
    card.setAttribute("aria-pressed", card.getAttribute("aria-pressed") === "true" ? "false" : "true");
    choose(card.closest("[data-set]"));
  });

  /* An open card lies over the page: it closes by its ✕, by Escape, and when the focus goes on; a tap beside it closes it without this. */
  function shut() {
    var open = document.querySelector("details.card-of[open]");
    if (open) { open.open = false; open.querySelector("summary").focus({ preventScroll: true }); }
  }
  document.addEventListener("click", function (event) { if (event.target.closest(".card-of .shut")) { shut(); } });
  document.addEventListener("keydown", function (event) { if (event.key === "Escape") { shut(); } });
  document.addEventListener("focusin", function (event) {
    var kept = event.target.closest("details.card-of");
    all("details.card-of[open]").forEach(function (one) { if (one !== kept) { one.open = false; } });
  });

  /* ------------------------------------------------------------------------------------------------- my hand

     {cards: {key: how many}, since: the record from which on cards that are laid leave it, laid: {record: [keys]}} */

  var box = null, name = "", hand = null, faces = null;

  function empty() { return { cards: {}, since: newest(), laid: {} }; }
  function newest() {
    return Math.max.apply(null, [0].concat(all(".log li[value]").map(function (one) { return one.value; })));
  }
  function count() { return Object.keys(hand.cards).reduce(function (sum, key) { return sum + hand.cards[key]; }, 0); }
  function add(key, by) {
    hand.cards[key] = (hand.cards[key] || 0) + by;
    if (hand.cards[key] <= 0) { delete hand.cards[key]; }
  }
  function store() { keep(name, hand); mark(); }

  /* What the log says was laid out of this hand leaves it; what was taken back comes again. */
  function follow() {
    var changed = false;
    all(".log li[data-laid]").forEach(function (line) {
      var n = line.value, undone = line.classList.contains("undone");
      if (line.dataset.seat !== box.dataset.seat || n <= hand.since) { return; }
      if (undone && hand.laid[n]) {
        hand.laid[n].forEach(function (key) { add(key, 1); });
        delete hand.laid[n];
        changed = true;
      } else if (!undone && !hand.laid[n]) {
        hand.laid[n] = JSON.parse(line.dataset.laid).filter(function (key) { return hand.cards[key]; });
        hand.laid[n].forEach(function (key) { add(key, -1); });
        changed = true;
      }
    });
    if (changed) { keep(name, hand); }
  }

  /* Show in the lists of cards that would do which of them are in the hand, those first. */
  function mark() {
    var mine = box && !off.hand ? hand.cards : {};
    all(".hole").forEach(function (hole) {
      var fits = 0;
      all(".chips", hole).forEach(function (row) {
        var cards = all("[data-key]", row), held = cards.filter(function (one) { return mine[one.dataset.key]; });
        cards.forEach(function (one) { one.classList.toggle("in-hand", held.indexOf(one) >= 0); });
        fits += held.length;
        if (held.some(function (one, n) { return row.children[n] !== one; })) { row.prepend.apply(row, held); }
      });
      var words = hole.querySelector("[data-fits]");
      if (words) { words.textContent = box && !off.hand && count() ? spoken(" {0} in your hand", fits) : ""; }
    });
    if (box) { show(); }
  }

  function show() {
    var total = count();
    box.querySelector("[data-hand-count]").textContent = total ? " " +
      (total === 1 ? spoken("{0} card", total) : spoken("{0} cards", total)) : "";
    box.querySelector("[data-hand-clear]").hidden = !total;
    var row = box.querySelector("[data-hand-cards]");
    if (!faces) { if (total && box.querySelector("details").open) { load(); } return; }
    row.replaceChildren.apply(row, Object.keys(hand.cards).sort().filter(function (key) { return faces[key]; }).map(function (key) {
      var one = faces[key].cloneNode(true);
      delete one.dataset.pick;
      one.dataset.drop = key;
      one.setAttribute("aria-label", spoken("Take {0} out of my hand", one.dataset.title));
      if (hand.cards[key] > 1) { one.insertAdjacentHTML("beforeend", '<span class="times">× ' + hand.cards[key] + "</span>"); }
      return one;
    }));
  }

  function load() {
    if (faces) { return Promise.resolve(); }
    return fetch("/hand/" + box.dataset.seat + "/cards").then(function (answer) {
      if (!answer.ok) { throw new Error("refused"); }
      return answer.text();
    }).then(function (html) {
      var template = document.createElement("template");
      template.innerHTML = html;
      faces = {};
      all("[data-pick]", template.content).forEach(function (one) { faces[one.dataset.pick] = one.cloneNode(true); });
      load.picker = template.content;
      mark();
    }).catch(function () { say("The cards can't be loaded. Are you still on the companion's Wi-Fi?", true); });
  }

  function begin() {
    box = document.querySelector("[data-hand]");
    if (!box) { return; }
    name = "companion-hand-" + box.dataset.hand;
    if (!hand) {
      hand = kept(name, null) || empty();
      var match = name.slice(0, name.lastIndexOf("-"));
      // Hands of other matches are of no use any more.
      try {
        Object.keys(localStorage).forEach(function (one) {
          if (one.indexOf("companion-hand-") === 0 && one.indexOf(match) !== 0) { localStorage.removeItem(one); }
        });
      } catch (error) { /* nothing is kept here */ }
    }
  }

  /* A smaller picture reads as well and is sent sooner; where that can't be made, the picture as it is. */
  function smaller(file) {
    if (!window.createImageBitmap) { return Promise.resolve(file); }
    return createImageBitmap(file).then(function (image) {
      var scale = Math.min(1, 2400 / Math.max(image.width, image.height)), canvas = document.createElement("canvas");
      canvas.width = Math.round(image.width * scale);
      canvas.height = Math.round(image.height * scale);
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      return new Promise(function (done) { canvas.toBlob(function (blob) { done(blob || file); }, "image/jpeg", 0.9); });
    }).catch(function () { return file; });
  }

  function photograph(field) {
    var file = field.files[0];
    field.value = "";
    if (!file) { return; }
    say("Reading the photograph …", false);
    smaller(file).then(function (picture) {
      return fetch("/hand/" + box.dataset.seat + "/photo", {
        method: "POST", headers: { "X-Companion": "1", "Content-Type": picture.type || "image/jpeg" }, body: picture
      });
    }).then(function (answer) { return answer.json(); }).then(function (reply) {
      if (!reply.ok) { say(reply.message, true); return; }
      if (!reply.cards.length) {
        say("No card could be read: lay them side by side, codes showing, and go near.", true);
        return;
      }
      hand = empty();
      reply.cards.forEach(function (card) { add(card.key, card.copies); });
      store();
      load();
      say(count() === 1 ? spoken("1 card read. Add by hand what is missing.") :
        spoken("{0} cards read. Add by hand what is missing.", count()), false);
    }).catch(function () { say("The photograph could not be sent. Are you still on the companion's Wi-Fi?", true); });
  }

  document.addEventListener("click", function (event) {
    if (!box) { return; }
    var pick = event.target.closest("[data-pick]"), drop = event.target.closest("[data-drop]");
    if (pick) { add(pick.dataset.pick, 1); store(); }
    if (drop) { add(drop.dataset.drop, -1); store(); }
    if (event.target.closest("[data-hand-clear]")) { hand = empty(); store(); }
    if (event.target.closest("[data-hand-add]")) {
      var picker = box.querySelector("[data-hand-picker]");
      if (picker.firstChild) { picker.replaceChildren(); } else {
        load().then(function () { picker.replaceChildren(load.picker.cloneNode(true)); }); }
    }
  });
  document.addEventListener("change", function (event) {
    if (event.target.matches("[data-hand-photo]")) { photograph(event.target); }
  });
  document.addEventListener("input", function (event) {
    if (!event.target.matches("[data-find]")) { return; }
    var wanted = event.target.value.trim().toLowerCase();
    all("[data-pick]", event.target.closest("[data-hand-picker]")).forEach(function (one) {
      one.hidden = one.dataset.title.toLowerCase().indexOf(wanted) < 0;
    });
  });
  document.addEventListener("toggle", function (event) {
    if (box && event.target.id === "my-hand" && event.target.open && count()) { load(); }
  }, true);

  /* Ladders may come after the page: it turns to them once, as a page that is opened later does. */
  var laddered = false;
  function turn() {
    if (laddered || !document.querySelector(".panel.of-ladders section")) { return; }
    laddered = true;
    var mine = document.querySelector(".tab.of-mine input");
    if (mine.checked) { document.querySelector(".tab.of-ladders input").checked = true; }
  }
  turn();

  /* What is wrong stands at the top: who has scrolled away from it is taken there, once. */
  var wrong = false;
  function alarm() {
    var now = Boolean(document.querySelector(".alarm"));
    if (now && !wrong) { window.scrollTo(0, 0); }
    wrong = now;
  }

  function painted() {
    settings();
    alarm();
    tip();
    turn();
    all("[data-set]").forEach(choose);
    begin();
    if (box) { follow(); }
    mark();
  }
  document.addEventListener("companion:painted", painted);
  painted();
})();
