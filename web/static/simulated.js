/* The simulated table: shows what lies there, and moves it by drag, tap or key. The server knows the table. */
"use strict";
(function () {
  var POLL = 500, TELL = 180, REST = 900, FAR = 5;
  var mat = document.querySelector(".mat"), box = mat.parentElement, table = JSON.parse(mat.dataset.table);
  var lay = document.getElementById("lay"), chooser = document.getElementById("zone"), said = document.getElementById("chosen");
  var pointing = mat.querySelector("[data-part=aims]"), hint = said.textContent, places = {}, scale = 1, zoom = 1, stamp = "", pieces =
    new Map(), mine = new Set(), chosen = null, dragging = null, called = "", goals = {}, aimed = "";
  var around = [document.querySelector(".heap"), document.querySelector(".edge")];
  table.places.forEach(function (place) { places[place.name] = place; });

  /* --------------------------------------------------------------------------------------------------- sending */

  var line = Promise.resolve(), waiting = null;

  function toast(words, wait) {
    var one = document.createElement("p"), all = document.getElementById("toasts");
    one.className = "toast" + (wait ? "" : " bad");
    one.setAttribute("role", wait ? "status" : "alert");
    one.textContent = spoken(words);
    all.replaceChildren(one);
    setTimeout(function () { one.remove(); }, 9000);
  }

  /* Robots lay what is due: a wish waits for them, as somebody at a table would. */
  function post(wish, tries) {
    return fetch("/command", {
      method: "POST", headers: { "Content-Type": "application/json", "X-Companion": "1" }, body: JSON.stringify(wish)
    }).then(function (answer) {
      return answer.json().then(function (reply) {
        if (answer.status === 423 && !(tries > 40)) {
          if (!tries) { toast(reply.message, true); }
          return new Promise(function (go) { setTimeout(go, 500); }).then(function () { return post(wish, (tries || 0) + 1); });
        }
        if (reply.message) { toast(reply.message); }
        return answer.ok ? reply : null;
      });
    }).catch(function () { toast("The companion can't be reached. Are you still on its Wi-Fi?"); return null; });
  }

  /* One at a time and in order; of several "still in the hand" only the last is worth sending. */
  function send(wish) {
    if (wish.held) {
      var first = waiting === null;
      waiting = wish;
      if (first) {
        line = line.then(function () { var last = waiting; waiting = null; return last ? post(last) : null; });
      }
      return line;
    }
    waiting = null;
    line = line.then(function () { return post(wish); });
    return line;
  }

  /* --------------------------------------------------------------------------------------------------- showing */

  function picture(piece, wide) { return window.companionFace("/cards/" + document.body.dataset.game + "/small/", piece || table.back,
    wide || 64); }

  function draw(one) {
    var el = one.el, at = one.at;
    el.style.width = at.w * scale + "px";
    el.style.height = at.h * scale + "px";
    el.style.transform = "translate(" + (at.x - at.w / 2) * scale + "px," + (at.y - at.h / 2) * scale + "px) rotate(" + at.rotation +
      "deg)";
    el.style.zIndex = String(one.z);
    el.classList.toggle("up", Boolean(at.held));
    var src = picture(at.face === "F" ? at.piece : "", at.w * scale);
    if (el.firstChild.getAttribute("src") !== src) { el.firstChild.src = src; }
    var where = at.zone && places[at.zone] ? spoken(", in {0}", places[at.zone].words) : "", many = at.count > 1 ?
      spoken(", {0} in the pile", at.count) : "";
    el.firstChild.alt = at.title || spoken("The back of a card");
    el.setAttribute("aria-label", (at.title || (at.face === "B" ? spoken("A face-down card") : spoken("A piece"))) +
      (at.held ? spoken(", held over the table") : where + many));
  }

  function button(kind) {
    var el = document.createElement("button"), img = document.createElement("img");
    el.type = "button";
    el.className = kind;
    el.setAttribute("aria-describedby", "keys");
    img.alt = "";
    img.draggable = false;
    el.appendChild(img);
    return el;
  }

  function show(news) {
    var seen = new Set(), air = 0, names = JSON.stringify(news.names);
    // Places are called by who sits at them; and the next match may be of another game.
    if ((called && called !== names && !mine.size) || news.match !== document.body.dataset.match) { location.reload(); return; }
    called = called || names;
    mat.classList.toggle("served", news.served);
    news.things.forEach(function (at, z) {
      var key = at.tag || "robot-" + air++, one = pieces.get(key);
      seen.add(key);
      if (!one) {
        one = { key: key, el: button("piece"), at: at, seat: 0 };
        one.el.dataset.tag = at.tag;
        if (!at.tag) { one.el.classList.add("robots"); one.el.tabIndex = -1; }
        pieces.set(key, one);
        mat.appendChild(one.el);
        if (at.tag) { handle(one); }
      }
      one.z = at.held ? 500 + z : z + 1;
      // What this browser has in the hand is where the hand is.
      if (!mine.has(one.key)) { one.at = at; }
      draw(one);
    });
    pieces.forEach(function (one, key) {
      if (seen.has(key) || mine.has(key)) { return; }
      if (chosen === one) { choose(null); }
      one.el.remove();
      pieces.delete(key);
    });
    goals = Object.assign.apply(null, [{}].concat(Object.values(news.goals)));
    deal(0, news.box);
    document.querySelector(".heap").hidden = !news.box.length;
    Object.keys(news.hands).forEach(function (seat) { deal(Number(seat), news.hands[seat]); });
    pieces.forEach(raise);
    cards.forEach(raise);
    aim(dragging || chosen);
    root();
  }

  /* ------------------------------------------------------------------------------------------- where it may go */

  function goalsOf(one) { return one.goals || goals[one.card ? one.piece : one.at.tag] || []; }

  /* Mark what may be laid, and what "show me" has brought to the table. */
  function raise(one) {
    var brought = one.card && pointing.querySelector('[data-bring="' + one.piece + '"]');
    one.el.classList.toggle("raised", Boolean(brought) && !mat.classList.contains("served") || goalsOf(one).length > 0);
  }

  /* Show where a piece may go by the rules; null: nothing is shown. */
  function aim(one) {
    // What is marked already stays, so that it does not flicker with every look at the table.
    var wanted = JSON.stringify([one ? goalsOf(one) : [], scale]);
    if (wanted === aimed) { return; }
    aimed = wanted;
    mat.querySelectorAll(".goal").forEach(function (goal) { goal.remove(); });
    document.querySelectorAll(".edge .tray").forEach(function (tray) {
      tray.classList.toggle("wanted", Boolean(one) && goalsOf(one).some(function (goal) { return !goal[0]; }));
    });
    (one ? goalsOf(one) : []).forEach(function (goal) {
      var place = places[goal[0]], el = document.createElement("i");
      if (!place) { return; }
      el.className = "goal";
      el.dataset.zone = goal[0];
      el.style.cssText = ["left", "top", "width", "height"].map(function (side, n) {
        return side + ":" + [place.x, place.y, place.w, place.h][n] * scale + "px";
      }).join(";");
      mat.appendChild(el);
    });
  }

  /* A card that may lie in a place face down only is laid so. */
  function turned(one, zone) {
    var there = goalsOf(one).filter(function (goal) { return goal[0] === zone; });
    return there.length && there.every(function (goal) { return goal[1] !== one.at.face; }) ? there[0][1] : one.at.face;
  }

  function zoneAt(at) {
    var here = table.places.filter(function (p) { return at.x >= p.x && at.x < p.x + p.w && at.y >= p.y && at.y < p.y + p.h; });
    here.sort(function (a, b) { return a.w * a.h - b.w * b.h; });
    return here[0];
  }

  /* The place that a tap on a piece means, that of the piece: it may reach over others. "" if what is chosen may not go there. */
  function goalOn(one, piece) {
    return goalsOf(one).some(function (goal) { return goal[0] === piece.at.zone; }) ? piece.at.zone : "";
  }

  var cards = new Map();

  function deal(seat, hand) {
    var tray = document.querySelector('.hand[data-seat="' + seat + '"]'), held = new Set();
    if (!tray) { location.reload(); return; }
    hand.forEach(function (card, n) {
      var key = seat + ":" + card.piece, one = cards.get(key);
      held.add(key);
      if (!one) {
        one = {
          key: key, el: button("held-card"), seat: seat, card: true, piece: card.piece, title: card.title,
          at: { face: "F", rotation: 0, w: card.w || 63, h: card.h || 88, turns: card.turns }
        };
        one.el.dataset.piece = card.piece;
        one.el.firstChild.src = picture(card.piece);
        one.el.firstChild.alt = card.title;
        one.el.setAttribute("aria-label", card.title +
          (seat ? spoken(", in your hand") : spoken(", beside the table") + (card.count > 1 ? spoken(", {0} of them", card.count) : "")));
        cards.set(key, one);
        // Before the first card after it that is there by now: the hand is sorted.
        var after = hand.slice(n + 1).map(function (other) { return cards.get(seat + ":" + other.piece); }).find(Boolean);
        tray.insertBefore(one.el, after && after.el.parentElement === tray ? after.el : null);
        handle(one);
      }
    });
    cards.forEach(function (one, key) {
      if (one.seat !== seat || held.has(key) || mine.has(key)) { return; }
      if (chosen === one) { choose(null); }
      one.el.remove();
      cards.delete(key);
    });
  }

  function look() {
    return fetch("/simulated/things?after=" + stamp, { cache: "no-store" }).then(function (answer) {
      if (answer.status !== 200) { return null; }
      return answer.json().then(function (news) { stamp = answer.headers.get("X-Stamp") || ""; show(news); });
    }).catch(function () { /* the page says that the connection is lost */ });
  }

  function poll() {
    (document.hidden ? Promise.resolve() : look()).then(function () { setTimeout(poll, POLL); });
  }

  function fit() {
    // On a screen the whole mat shows above one's hand and what lies beside the table, next to each other.
    var wide = box.clientWidth / table.w, rest = Math.max(around[0].offsetHeight, around[1].offsetHeight);
    scale = zoom * (innerWidth < 900 ? wide : Math.min(wide, Math.max(wide / 2, (innerHeight - rest - 216) / table.h)));
    mat.style.width = table.w * scale + "px";
    mat.style.height = table.h * scale + "px";
    pieces.forEach(draw);
    aim(dragging || chosen);
  }

  /* --------------------------------------------------------------------------------------------------- choosing */

  function choose(one) {
    if (chosen) { chosen.el.classList.remove("chosen"); chosen.el.removeAttribute("aria-pressed"); }
    chosen = one;
    lay.hidden = !one;
    aim(one);
    said.textContent = one ? spoken("{0} is chosen: tap where it goes.", one.card ? one.title : one.at.title ||
      spoken("A face-down card")) : hint;
    if (!one) { return; }
    one.el.classList.add("chosen");
    one.el.setAttribute("aria-pressed", "true");
    lay.querySelectorAll("[data-do=take]").forEach(function (take) { take.hidden = Boolean(one.card); });
    lay.querySelector("[data-do=turn]").hidden = Boolean(one.card);
    lay.querySelector("[data-do=flip]").hidden = one.at.turns === false;
    var goal = goalsOf(one)[0];
    if (goal ? goal[0] : one.at.zone) { chooser.value = goal ? goal[0] : one.at.zone; }
  }

  /* What stands in a wish for a piece of the table, or a card of the hand. */
  function named(one, wish) {
    wish.piece = one.card ? one.piece : one.at.tag;
    wish.face = one.at.face;
    if (one.seat) { wish.seat = one.seat; }
    return wish;
  }

  function slide(one, held) {
    var at = one.at, whole = Math.round;
    return named(one, {
      do: "slide", x: whole(Math.min(table.w, Math.max(0, at.x)) * 10) / 10, y: whole(Math.min(table.h, Math.max(0, at.y)) * 10) / 10,
      rotation: whole(at.rotation * 10) / 10 % 360, held: held
    });
  }

  function after(one) {
    return function () { mine.delete(one.key); stamp = ""; return look(); };
  }

  function drop(one) {
    var here = zoneAt(one.at);
    clearTimeout(one.rest);
    one.rest = null;
    if (here) { one.at.face = turned(one, here.name); }
    one.goals = null;
    return send(slide(one, false)).then(after(one));
  }

  function take(one, seat) {
    clearTimeout(one.rest);
    one.rest = one.goals = null;
    return send({ do: "take", piece: one.card ? one.tag : one.at.tag, seat: seat }).then(after(one));
  }

  /* Keeps a piece in the hand a moment: further keys move it on, then it is laid. */
  function nudge(one, change) {
    mine.add(one.key);
    one.at = Object.assign({}, one.at, change, { held: true });
    one.at.x = Math.min(table.w, Math.max(0, one.at.x));
    one.at.y = Math.min(table.h, Math.max(0, one.at.y));
    draw(one);
    send(slide(one, true));
    clearTimeout(one.rest);
    one.rest = setTimeout(function () { drop(one); }, REST);
  }

  function flip(one) {
    if (one.at.turns === false) { toast("That piece has no other side."); return; }
    var face = one.at.face === "F" ? "B" : "F";
    if (one.card) {
      one.at.face = face;
      one.el.firstChild.src = picture(face === "F" ? one.piece : "");
      one.el.setAttribute("aria-label", one.title + spoken(", in your hand") + (face === "B" ? spoken(", to be laid face down") : ""));
    } else { nudge(one, { face: face }); }
  }

  /* --------------------------------------------------------------------------------------------- hands and keys */

  function spot(event) {
    var edge = mat.getBoundingClientRect();
    return { x: (event.clientX - edge.left) / scale, y: (event.clientY - edge.top) / scale };
  }

  function inside(el, event) {
    var edge = el.getBoundingClientRect();
    return event.clientX >= edge.left && event.clientX <= edge.right && event.clientY >= edge.top && event.clientY <= edge.bottom;
  }

  function overMat(event) { return inside(mat, event) && inside(box, event); }

  /* The tray that is on top there: one's hand stays in sight and may lie over what is beside the table. */
  function trayUnder(event) {
    var on = document.elementsFromPoint(event.clientX,
      event.clientY).find(function (el) { return !el.closest(".piece, .held-card") && el.closest(".box"); });
    var tray = on && on.closest(".tray, .heap");
    return tray ? tray.querySelector(".hand") : null;
  }

  function turnOf(at) { var here = zoneAt(at); return here ? here.rotation : 0; }

  function handle(one) {
    var el = one.el, start = null, ghost = null, told = 0, dragged = false, over = false;

    el.addEventListener("pointerdown", function (event) {
      if (event.button) { return; }
      var at = spot(event);
      start = { x: event.clientX, y: event.clientY, at: one.at, dx: one.card ? 0 : one.at.x - at.x, dy: one.card ? 0 : one.at.y - at.y };
      dragged = false;
      over = false;
      el.setPointerCapture(event.pointerId);
    });

    el.addEventListener("pointermove", function (event) {
      if (!start) { return; }
      if (!dragged && Math.hypot(event.clientX - start.x, event.clientY - start.y) < FAR) { return; }
      var at = spot(event);
      if (!dragged) {
        dragged = true;
        mine.add(one.key);
        one.goals = goalsOf(one);
        dragging = one;
        aim(one);
        if (one.card) {
          ghost = { el: button("piece up"), z: 900, at:
            { piece: one.piece, face: one.at.face, title: one.title, w: one.at.w, h: one.at.h, rotation: 0, held: true } };
          ghost.el.tabIndex = -1;
          mat.appendChild(ghost.el);
        }
      }
      document.querySelectorAll(".hand.over").forEach(function (tray) { tray.classList.remove("over"); });
      var tray = trayUnder(event);
      if (tray) { tray.classList.add("over"); }
      one.at = Object.assign({}, one.at, { x: at.x + start.dx, y: at.y + start.dy, held: true });
      if (one.card) { one.at.rotation = turnOf(one.at); }
      if (ghost) { ghost.at = Object.assign(ghost.at, { x: one.at.x, y: one.at.y, rotation: one.at.rotation, face: one.at.face });
        draw(ghost); } else { one.z = 900; draw(one); }
      if (Date.now() - told > TELL && !tray && overMat(event)) {
        told = Date.now();
        over = true;
        send(slide(one, true)).then(function (reply) { if (reply && reply.piece) { one.tag = reply.piece; } });
      }
    });

    function end(event) {
      if (!start) { return; }
      var home = start.at;
      start = null;
      document.querySelectorAll(".hand.over").forEach(function (tray) { tray.classList.remove("over"); });
      if (!dragged) { return; }
      dragging = null;
      aim(chosen);
      setTimeout(function () { dragged = false; }, 0);
      var tray = trayUnder(event), gone = function () { if (ghost) { ghost.el.remove(); ghost = null; } };
      if (event.type === "pointerup" && !tray && overMat(event)) {
        drop(one).then(gone);
      } else if (one.card) {
        // Back into the hand it came from; if it was over the table already it has to be taken back.
        (over ? line.then(function () { return one.tag ? take(one, one.seat) : null; }) : Promise.resolve()).then(after(one)).then(gone);
      } else if (tray) {
        take(one, Number(tray.dataset.seat));
      } else if (event.type === "pointerup" && document.querySelector(".tray .hand")) {
        // Beside the table nothing lies: there an arrow leads to that clears something away.
        take(one, Number(document.querySelector(".tray .hand").dataset.seat));
      } else {
        one.at = home;
        drop(one);
      }
    }
    el.addEventListener("pointerup", end);
    el.addEventListener("pointercancel", end);

    el.addEventListener("click", function (event) {
      var goal = chosen && chosen !== one && !one.card && !byKey && overMat(event) && goalOn(chosen, one);
      if (dragged) { return; }
      // Where the chosen card may go cards may lie already, as on a pile: it is laid with them.
      if (goal) { layIn(goal); return; }
      choose(chosen === one ? null : one);
      if (chosen && byKey) { chooser.focus(); }
    });

    el.addEventListener("keydown", function (event) {
      byKey = event.key === "Enter" || event.key === " ";
      if (event.ctrlKey || event.metaKey || event.altKey) { return; }
      var step = event.shiftKey ? 1 : 5, way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      var key = event.key.toLowerCase(), seats = document.querySelectorAll(".edge .hand");
      if (key === "escape") { choose(null); return; }
      if (key === "f") { flip(one); } else if (one.card) { return;
      } else if (way) { nudge(one, { x: one.at.x + way[0] * step, y: one.at.y + way[1] * step });
      } else if (key === "r") { nudge(one, { rotation: (one.at.rotation + 90) % 360 });
      } else if (key === "delete" || key === "backspace") {
        take(one, seats.length ? Number(seats[0].dataset.seat) : 0);
      } else { return; }
      event.preventDefault();
    });
  }

  var byKey = false;
  document.addEventListener("pointerdown", function () { byKey = false; }, true);

  mat.addEventListener("click", function (event) {
    if (!chosen || event.target.closest(".piece")) { return; }
    var one = chosen, at = spot(event);
    one.at = Object.assign({}, one.at, { x: at.x, y: at.y });
    if (one.card) { one.at.rotation = turnOf(at); }
    choose(null);
    mine.add(one.key);
    drop(one);
  });

  /* Lay what is chosen in a place, where there is room. */
  function layIn(zone) {
    var one = chosen;
    choose(null);
    one.at.face = turned(one, zone);
    send(named(one, { do: "lay", zone: zone })).then(after(one));
  }

  lay.addEventListener("submit", function (event) {
    event.preventDefault();
    if (!chosen) { return; }
    chosen.el.focus();
    layIn(chooser.value);
  });

  lay.addEventListener("click", function (event) {
    var tap = event.target.closest("[data-do]"), one = chosen;
    if (!tap || !one) { return; }
    if (tap.dataset.do === "turn") { nudge(one, { rotation: (one.at.rotation + 90) % 360 }); }
    if (tap.dataset.do === "flip") { flip(one); }
    if (tap.dataset.do === "take") { choose(null); take(one, Number(tap.dataset.seat)); }
    if (tap.dataset.do === "leave") { choose(null); one.el.focus(); }
  });

  /* Where text was chosen before, a browser would drag that instead of the piece, and the piece would not follow. */
  document.querySelector(".wide").addEventListener("dragstart", function (event) { event.preventDefault(); });

  document.addEventListener("click", function (event) {
    var tap = event.target.closest("[data-zoom]");
    if (!tap) { return; }
    zoom = Math.min(5, Math.max(1, zoom * (tap.dataset.zoom === "1" ? 1.4 : 1 / 1.4)));
    fit();
  });

  /* What the pages point at is pointed at where it lies. */
  function point() {
    cards.forEach(raise);
    root();
  }

  /* The arrow of a piece that lies on the mat but in no place begins there, not beside the table. */
  function root() {
    pointing.querySelectorAll(".aim-arrow[data-bring]").forEach(function (arrow) {
      pieces.forEach(function (one) {
        if (one.at.piece !== arrow.dataset.bring || one.at.zone || one.at.held) { return; }
        arrow.setAttribute("x1", one.at.x);
        arrow.setAttribute("y1", one.at.y);
      });
    });
  }
  document.addEventListener("companion:painted", point);

  /* A tap on the sign turns over what lies there, though other cards may lie on its middle. */
  pointing.addEventListener("click", function (event) {
    var sign = event.target.closest(".aim-over");
    function far(one) { return Math.hypot(one.at.x - sign.getAttribute("x"), one.at.y - sign.getAttribute("y")); }
    function nearest(some) { return some.sort(function (one, other) { return far(one) - far(other); })[0]; }
    if (!sign) { return; }
    event.stopPropagation();
    var lying = Array.from(pieces.values()), shows = nearest(lying.filter(function (one) { return one.at.piece === sign.dataset.turn; }));
    // What was turned already and lies under others is lifted, to be seen.
    if (shows) { flip(shows); } else if (lying.length) { nudge(nearest(lying), {}); }
  });
  point();

  addEventListener("resize", fit);
  var sizes = new ResizeObserver(fit);
  around.forEach(function (one) { sizes.observe(one); });
  fit();
  poll();
})();
