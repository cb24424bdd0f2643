/* Keeps a page's parts as they are now, and sends what is tapped. The server makes the HTML. */
"use strict";
(function () {
  var body = document.body, audiences = body.dataset.audiences.split(","), stamp = body.dataset.stamp;
  var shown = {}, title = document.title, wasMine = Boolean(document.querySelector("[data-mine]"));

  function parse(html) {
    var template = document.createElement("template");
    template.innerHTML = html;
    return template.content;
  }

  /* Make what stands in a place like what should: what is the same stays, so that it need not be drawn or read out again.
     Whatever people type into or tap is exchanged as a whole if anything about it changed. */
  var WHOLE = /^(INPUT|SELECT|TEXTAREA|BUTTON|IMG|SVG)$/i;

  function drawing(node) { return node.nodeName === "svg" && node.classList.contains("drawn"); }

  function alter(place, wanted) {
    var old = Array.from(place.childNodes), fresh = Array.from(wanted.childNodes), start = 0, end = 0;
    while (start < Math.min(old.length, fresh.length) && old[start].isEqualNode(fresh[start])) { start += 1; }
    while (end < Math.min(old.length, fresh.length) - start && old[old.length - 1 - end].isEqualNode(fresh[fresh.length - 1 - end])) {
      end += 1; }
    old = old.slice(start, old.length - end);
    fresh = fresh.slice(start, fresh.length - end);
    var after = place.childNodes[start + old.length] || null;
    fresh.forEach(function (one, n) {
      var was = old[n];
      if (!was) { place.insertBefore(one, after); return; }
      if (was.isEqualNode(one)) { return; }
      if (window.companionDrawn && drawing(was) && drawing(one)) { window.companionDrawn(was, one); return; }
      if (was.nodeType !== 1 || was.nodeName !== one.nodeName || was.id !== one.id || WHOLE.test(was.nodeName)) { was.replaceWith(one);
        return; }
      Array.from(was.attributes).forEach(function (name) { if (!one.hasAttribute(name.name)) { was.removeAttribute(name.name); } });
      Array.from(one.attributes).forEach(function (now) {
        if (was.getAttribute(now.name) !== now.value) { was.setAttribute(now.name, now.value); } });
      alter(was, one);
    });
    old.slice(fresh.length).forEach(function (one) { one.remove(); });
  }

  /* Put new HTML into a part without closing what is open, losing what is typed, or moving the focus. */
  function repaint(name, html) {
    var part = document.querySelector('[data-part="' + name + '"]');
    if (!part || shown[name] === html) { return; }
    shown[name] = html;
    var open = [], typed = {}, focus = document.activeElement, id = "";
    part.querySelectorAll("details[id]").forEach(function (one) { open.push([one.id, one.open]); });
    part.querySelectorAll("input[id]").forEach(function (one) {
      if (one.type === "checkbox" || one.type === "radio") { if (one.checked !== one.defaultChecked) { typed[one.id] = one.checked; } }
      else if (one.value !== one.defaultValue) { typed[one.id] = one.value; }
    });
    if (focus && part.contains(focus)) { id = focus.id || focus.dataset.command || ""; }
    alter(part, parse(html));
    open.forEach(function (one) { var again = document.getElementById(one[0]); if (again) { again.open = one[1]; } });
    Object.keys(typed).forEach(function (one) {
      var again = document.getElementById(one);
      if (again) { if (typeof typed[one] === "boolean") { again.checked = typed[one]; } else { again.value = typed[one]; } }
    });
    part.querySelectorAll(".bid").forEach(function (box) { bidding(box, 0); });
    if (id) {
      var target = document.getElementById(id) || Array.from(part.querySelectorAll("[data-command]")).find(function (one) {
        return one.dataset.command === id;
      });
      if (target) { target.focus({ preventScroll: true }); }
    }
  }

  /* Who taps means what was there when the finger set out: what has just come to a place can't be tapped for a moment. */
  var HELD = "companionHeld" in window ? window.companionHeld : 400, held = new Map();

  /* All that can be tapped in the window: what it is, and where (px). */
  function tappable() {
    return Array.from(document.querySelectorAll("a, button, summary, label, input, select")).map(function (one) {
      var box = one.getBoundingClientRect();
      return { el: one, key: one.nodeName + (one.dataset.command || one.id || one.getAttribute("href") || one.textContent), x: box.left, y:
        box.top, seen: box.width && box.bottom > 0 && box.top < innerHeight };
    }).filter(function (one) { return one.seen; });
  }

  function letGo() {
    var now = performance.now();
    held.forEach(function (until, el) { if (until <= now) { el.removeAttribute("data-held"); held.delete(el); } });
  }

  /* Change the page; what is tappable and stands elsewhere afterwards is held for a moment. */
  function holding(change) {
    var before = new Map(), now = performance.now(), until = now + HELD;
    tappable().forEach(function (one) {
      before.set(one.key, (before.get(one.key) || []).concat({ x: one.x, y: one.y, until: held.get(one.el) || 0 }));
    });
    held.forEach(function (_, el) { el.removeAttribute("data-held"); });
    held.clear();
    change();
    tappable().forEach(function (one) {
      var was = (before.get(one.key) || []).find(function (old) { return Math.abs(old.x - one.x) + Math.abs(old.y - one.y) < 12; });
      if (was ? was.until <= now : HELD <= 0) { return; }
      held.set(one.el, was ? was.until : until);
      one.el.setAttribute("data-held", "");
    });
    setTimeout(letGo, HELD + 10);
  }

  /* A part above what is tapped keeps its height until the turn is over: it grows, but does not shrink. */
  function steadied(change) {
    var parts = Array.from(document.querySelectorAll("[data-steady]")), mine = document.querySelector("[data-mine]");
    var heights = parts.map(function (one) { return one.offsetHeight; });
    change();
    mine = mine && document.querySelector("[data-mine]");
    parts.forEach(function (one, n) {
      one.toggleAttribute("data-kept", Boolean(mine && heights[n]));
      one.style.minHeight = mine ? heights[n] + "px" : "";
    });
  }

  /* Tell whatever else runs on this page. */
  function tell(what, detail) { document.dispatchEvent(new CustomEvent("companion:" + what, { detail: detail })); }

  var record;

  function disarm(button) {
    if (button.dataset.armed) { button.textContent = button.dataset.armed; delete button.dataset.armed; }
  }

  function notice() {
    var mine = Boolean(document.querySelector("[data-mine]"));
    document.title = (mine ? "● " : "") + title;
    if (mine && !wasMine) { tell("mine"); }
    wasMine = mine;
    /* A second tap would take back another step than the one that was meant. */
    var shownRecord = (document.querySelector("[data-record]") || body).dataset.record;
    if (shownRecord !== record) { document.querySelectorAll("[data-armed][data-of-record]").forEach(disarm); }
    record = shownRecord;
    tell("painted");
  }

  /* ------------------------------------------------------------------------------------------------ pictures */

  function Picture(img) {
    var address = img.getAttribute("src") || img.dataset.from, busy = false, wanted = null, last = null;
    /* In its corner the camera's picture is a small one. */
    function sized() {
      var base = img.closest(".grown, .raised") ? address.split("?")[0] : address;
      return base + (base.indexOf("?") < 0 ? "?" : "&") + "v=" + wanted;
    }
    function load() {
      if (busy || wanted === null || wanted === last || document.hidden) { return; }
      busy = true;
      last = wanted;
      var next = new Image();
      next.onload = function () { busy = false; img.src = next.src; img.hidden = false; begin(); setTimeout(load, 250); };
      next.onerror = function () { busy = false; setTimeout(load, 2000); };
      next.src = sized();
    }
    /* A page may be opened before the camera's first picture is there. */
    function begin() {
      var figure = img.closest("figure[hidden]");
      if (figure) { figure.hidden = false; }
    }
    this.again = function () { last = null; load(); };
    this.show = function (version) { if (version >= 0) { wanted = version; load(); } };
  }
  var pictures = {};
  document.querySelectorAll("img[data-picture]").forEach(function (img) { pictures[img.dataset.picture] = new Picture(img); });
  document.addEventListener("companion:grown", function () { pictures.camera.again(); });

  /* -------------------------------------------------------------------------------------------------- events */

  /* A card whose picture can't be had shows its name. A phone that changes its network loses what was on its way: it is asked for again. */
  document.addEventListener("error", function (event) {
    var img = event.target, card = img.closest && img.closest(".chip.face"), times = Number(img.dataset && img.dataset.again) || 0;
    if (card) { card.classList.add("no-face"); }
    if (img.tagName !== "IMG" || img.dataset.picture || times >= 3) { return; }
    img.dataset.again = times + 1;
    setTimeout(function () { img.loading = "eager"; img.src = img.getAttribute("src"); }, 2000 * (times + 1));
  }, true);
  document.addEventListener("load", function (event) {
    var card = event.target.dataset && event.target.dataset.again && event.target.closest(".chip.face");
    if (card) { card.classList.remove("no-face"); }
  }, true);

  /* ----------------------------------------------------------------------------------------------- the clock */

  /* The server's seconds minus this browser's. What is on its way makes us late, never early: the latest guess wins.
     Each start of the server, which the stamp begins with, counts its seconds anew. */
  var ahead = null, started = "", urgent = 0;

  function tellTime(now, stamp, when) {
    var guess = now - (when === undefined ? performance.now() : when) / 1000, start = stamp.split("-")[0];
    ahead = ahead === null || start !== started ? guess : Math.max(ahead, guess);
    started = start;
    tick();
  }

  /* Until something happens by itself. */
  function tickUntil() {
    document.querySelectorAll("[data-until]").forEach(function (one) {
      var left = ahead === null ? 0 : Math.ceil(Number(one.dataset.until) - ahead - performance.now() / 1000), words =
        spoken("in {0} s", left);
      one.hidden = !(left > 0);
      if (one.textContent !== words) { one.textContent = words; }
    });
  }

  function tick() {
    tickUntil();
    var clock = document.querySelector(".clock");
    if (!clock) { urgent = 0; return; }
    var ends = clock.dataset.ends, total = Number(clock.dataset.total), left = Number(clock.dataset.leftThen);
    if (ends && ahead !== null) { left = Math.max(0, Number(ends) - ahead - performance.now() / 1000); }
    var seconds = Math.ceil(left), words = document.querySelector("[data-left]");
    var written = words && words.dataset.left === "clock" ? Math.floor(seconds / 60) + ":" + ("0" + seconds % 60).slice(-2) :
      String(seconds);
    if (words && words.textContent !== written) { words.textContent = written; }
    var part = Math.min(100, 100 * left / total), ring = clock.querySelector("circle.left");
    clock.firstElementChild.style.width = part + "%";
    if (ring) { ring.setAttribute("stroke-dasharray", part.toFixed(2) + " 100"); }
    countDown(ends ? seconds : 0);
    var last = Boolean(ends) && left <= 5 && left > 0;
    clock.classList.toggle("urgent", last);
    if (last && urgent !== seconds) {
      var box = clock.closest("section"), say = box.querySelector("[data-urgent]");
      if (box.classList.contains("mine")) {
        if (!urgent && say) { say.textContent = spoken("{0} seconds left to bid.", seconds); }
        tell("seconds", seconds);
      }
    }
    urgent = last ? seconds : 0;
  }
  /* The last seconds of one's own bid lie over the top of the page, so that nothing moves for them. */
  function countDown(seconds) {
    var box = document.querySelector(".last-seconds");
    if (!box) { return; }
    box.hidden = !(seconds > 0 && seconds <= Number(box.dataset.last));
    box.firstElementChild.textContent = String(seconds);
  }
  setInterval(tick, 250);
  var loaded = performance.getEntriesByType("navigation")[0];
  tellTime(Number(body.dataset.now), stamp, loaded ? loaded.responseStart : undefined);

  var hub = null;
  function want() { hub.send({ kind: "want", audiences: audiences, stamp: stamp }); }

  function receive(message) {
    if (message.kind === "parts") {
      if (audiences.indexOf(message.audience) < 0) { return; }
      holding(function () {
        steadied(function () { Object.keys(message.parts).forEach(function (name) { repaint(name, message.parts[name]); }); });
        stamp = message.stamp;
        body.dataset.stamp = stamp;
        notice();
        tick();
      });
      /* Another match, perhaps of another game: the whole page is another one. */
      var of = document.querySelector("[data-of]");
      if (of && of.dataset.of !== body.dataset.match) { location.reload(); }
    } else if (message.kind === "now") { tellTime(message.now, message.stamp);
    } else if (message.kind === "pictures") {
      Object.keys(pictures).forEach(function (name) { pictures[name].show(message.pictures[name]); });
    } else if (message.kind === "lost" || message.kind === "live") {
      holding(function () { document.getElementById("lost").hidden = message.kind === "live"; });
      body.dataset.live = message.kind;
    } else if (message.kind === "refused") {
      if (audiences.indexOf(message.audience) >= 0) { location.reload(); }
    } else if (message.kind === "again") { want(); }
  }

  hub = window.companionHub(body.dataset.hub, receive);
  want();
  setInterval(function () { hub.send({ kind: "ping" }); }, 20000);
  addEventListener("pagehide", function () { hub.send({ kind: "bye" }); });
  addEventListener("pageshow", function (event) { if (event.persisted) { want(); } });

  /* A phone that wakes up shows the truth at once, whatever became of its stream meanwhile. */
  document.addEventListener("visibilitychange", function () {
    if (document.hidden) { return; }
    fetch("/parts/" + audiences.join(",") + "?after=" + encodeURIComponent(stamp), { cache: "no-store" })
      .then(function (answer) { return answer.ok ? answer.json() : null; })
      .then(function (news) {
        if (!news) { return; }
        // What this browser counted while it slept may be anything.
        ahead = null;
        tellTime(news.now, news.stamp);
        news.changes.forEach(function (change) {
          receive({ kind: "parts", audience: change.audience, parts: change.parts, stamp: change.stamp });
        });
        receive({ kind: "pictures", pictures: news.pictures });
        want();
      })
      .catch(function () { holding(function () { document.getElementById("lost").hidden = false; }); });
  });

  /* ------------------------------------------------------------------------------------------------ commands */

  function toast(words, bad) {
    var box = document.getElementById("toasts"), one = document.createElement("p");
    one.className = bad ? "toast bad" : "toast";
    one.setAttribute("role", bad ? "alert" : "status");
    one.textContent = spoken(words);
    box.replaceChildren(one);
    setTimeout(function () { one.remove(); }, bad ? 9000 : 3500);
  }

  /* A sign that is only drawn says what it is. */
  document.addEventListener("click", function (event) {
    var sign = event.target.closest("[data-sign]"), words = sign && sign.querySelector(".unseen").textContent.trim();
    // A line that is cut off is read whole after a tap.
    if (event.target.matches(".since .words")) { event.target.classList.toggle("whole"); }
    if (sign) { toast(words.charAt(0).toUpperCase() + words.slice(1) + ": " + sign.querySelector("b").textContent); }
  });

  var done = 0;
  function send(command, button) {
    var key = Date.now().toString(36) + Math.random().toString(36).slice(2), tries = 0;
    if (button) { button.setAttribute("aria-busy", "true"); button.disabled = true; }
    function free() { if (button) { button.removeAttribute("aria-busy"); button.disabled = false; } }
    /* What was on this page when it was tapped: who comes after somebody else is told what happened meanwhile. */
    var shown = document.querySelector("[data-record]");
    var after = Math.max(done, shown ? Number(shown.dataset.record) : 0);
    if (shown && ["play", "roll", "done", "ask-undo", "undo", "redo", "adopt", "correct"].indexOf(command.do) >= 0) { command.after = after;
      }
    function attempt() {
      tries += 1;
      return fetch("/command", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Companion": "1", "Idempotency-Key": key },
        body: JSON.stringify(command)
      }).then(function (answer) {
        return answer.json().then(function (reply) {
          // Robots lay what is due: this waits for them, as somebody at a table would.
          if (answer.status === 423 && tries < 40) {
            if (tries === 1) { toast(reply.message, false); }
            key += tries;
            return new Promise(function (go) { setTimeout(go, 500); }).then(attempt);
          }
          free();
          if (reply.record) { done = Math.max(done, reply.record); }
          // What was asked for stays where it was asked, as long as what may be done does.
          var asked = answer.ok && command.do === "advise" && button && button.closest(".ways");
          if (asked) { asked.textContent = spoken(reply.message); } else if (!answer.ok) {
            toast(reply.message || spoken("That was refused."), true);
          } else if (reply.message) { toast(reply.message, false); }
        });
      }).catch(function () {
        // The same key again: if the first one did get through it does not count twice.
        if (tries < 3) { return new Promise(function (go) { setTimeout(go, 800 * tries); }).then(attempt); }
        free();
        toast("The companion can't be reached. Are you still on its Wi-Fi?", true);
      });
    }
    return attempt();
  }

  /* A number to bid: plus, minus and typing change it; the button says it and sends it, if it is one that counts. */
  function bidding(box, change) {
    var field = box.querySelector("input"), offer = box.querySelector("[data-offer]"), low = Number(box.dataset.low), high =
      Number(box.dataset.high);
    var typed = parseFloat(field.value), amount = change ? Math.min(high, Math.max(low, (isNaN(typed) ? low : typed) + change)) : typed;
    if (change) { field.value = String(amount); }
    offer.disabled = !(amount >= low && amount <= high && amount % 1 === 0);
    box.querySelector("[data-bounds]").hidden = !offer.disabled;
    offer.querySelector("b").textContent = field.value;
    return amount;
  }

  document.addEventListener("click", function (event) {
    var step = event.target.closest("button[data-step]"), offer = event.target.closest("button[data-offer]");
    if (step) { bidding(step.closest(".bid"), Number(step.dataset.step)); }
    if (offer && !offer.disabled) {
      var box = offer.closest(".bid"), wish = JSON.parse(box.dataset.bid);
      wish.action.amount = bidding(box, 0);
      send(wish, offer);
    }
  });
  /* What somebody opens at the lower edge comes into sight. */
  document.addEventListener("click", function (event) {
    var opened = event.target.closest("summary");
    if (opened) { setTimeout(function () { if (opened.parentElement.open) { opened.parentElement.scrollIntoView({ block: "nearest" }); } },
      0); }
  });

  document.addEventListener("input", function (event) {
    var box = event.target.closest(".bid");
    if (box) { bidding(box, 0); }
  });

  document.addEventListener("click", function (event) {
    var button = event.target.closest("button[data-command]");
    if (!button || button.disabled) { return; }
    if (button.dataset.sure && !button.dataset.armed) {
      button.dataset.armed = button.textContent;
      button.textContent = button.dataset.sure;
      setTimeout(disarm, 4000, button);
      return;
    }
    var command = JSON.parse(button.dataset.command);
    if ("salt" in button.dataset) {
      command.salt = Array.from(crypto.getRandomValues(new Uint8Array(12)),
        function (one) { return one.toString(16).padStart(2, "0"); }).join("");
    }
    var chooser = button.closest("details"), list = button.closest("details.hole");
    if (chooser) { chooser.open = false; }
    if (list) { list.open = false; }
    send(command, button);
  });

  document.addEventListener("submit", function (event) {
    var form = event.target, command = null;
    if (form.dataset.form) {
      command = JSON.parse(form.dataset.form);
      new FormData(form).forEach(function (value, name) {
        (command.edits ? command.edits[0] : command)[name] = "number" in form.elements[name].dataset ? Number(value) : value;
      });
    } else if (form.dataset.facts) {
      command = JSON.parse(form.dataset.facts);
      command.facts = Array.from(form.querySelectorAll("fieldset")).map(facts);
      if (command.facts.some(function (one) { return one.type === "rolled" && one.values.indexOf(null) >= 0; })) {
        event.preventDefault();
        toast("Enter what every die shows.", true);
        return;
      }
    }
    if (!command) { return; }
    event.preventDefault();
    if (document.activeElement && form.contains(document.activeElement)) { document.activeElement.blur(); }
    send(command, form.querySelector("button"));
  });

  function facts(fieldset) {
    var place = fieldset.dataset.place, kind = fieldset.dataset.kind;
    var picked = Array.from(fieldset.querySelectorAll("input:checked")).map(function (one) { return one.value; });
    if (kind === "rolled") {
      var dice = Array.from(fieldset.querySelectorAll("input")).map(function (one) { return one.value === "" ? null : Number(one.value); });
      return { type: "rolled", place: place, values: dice };
    }
    return kind === "opened" ? { type: "opened", place: place, pieces: picked } : { type: "shown", place: place, piece: picked[0] || "" };
  }

  document.addEventListener("companion:say", function (event) { toast(event.detail.words, event.detail.bad); });
  document.addEventListener("change", function (event) {
    if (event.target.matches("[data-speed]")) { send({ do: "speed", speed: Number(event.target.value) }, null); }
    if (event.target.matches("[data-plays]")) { send({ do: "level", seat: Number(event.target.dataset.plays), level: event.target.value },
      null); }
  });

  notice();
})();
