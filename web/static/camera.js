/* This phone is the camera: small pictures all the time, whole ones when the table wants them, each by a POST. */
"use strict";
(function () {
  var EVERY = 125, LONG = 640, MOST = 9e6, STILL = 2000, PATIENCE = 8000, KEPT = "companion-camera";
  var film = document.getElementById("film"), state = document.getElementById("state"), begin = document.getElementById("begin");
  var lens = document.getElementById("lens"), torch = document.getElementById("torch"), hold = document.getElementById("hold");
  var page = String(Date.now()) + Math.random().toString(36).slice(2), number = 0, secret = keep(), stream = null;
  var wanted = true, running = false, busy = false, lastTime = -1, lastFrame = 0, sent = 0, lit = false, wake = null, small = canvas(),
    whole = canvas();

  function canvas() { return document.createElement("canvas"); }

  function keep(value) {
    try {
      if (value !== undefined) { if (value) { localStorage.setItem(KEPT, value); } else { localStorage.removeItem(KEPT); } }
      return localStorage.getItem(KEPT) || "";
    } catch (error) { return value || ""; }
  }

  function say(words, wrong) {
    if (state.textContent !== words) { state.textContent = words; }
    state.classList.toggle("good", !wrong);
  }

  /* What may not go on: the host has let this phone go, or another page of it films. */
  function end(words) {
    running = false;
    if (stream) { stream.getTracks().forEach(function (track) { track.stop(); }); }
    stream = null;
    film.hidden = true;
    begin.hidden = false;
    say(words, true);
  }

  function post(path, headers, body) {
    var stop = new AbortController(), late = setTimeout(function () { stop.abort(); }, PATIENCE);
    return fetch(path, { method: "POST", headers: headers, body: body, signal: stop.signal, cache: "no-store" }).then(function (answer) {
      return answer.json().catch(function () { return {}; }).then(function (told) {
        if (answer.ok) { return told; }
        throw Object.assign(new Error(told.message || spoken("The companion refuses this phone: load the page again.")),
          { status: answer.status });
      });
    }).finally(function () { clearTimeout(late); });
  }

  /* The key stands behind the # of the address, which no browser sends: it is traded for a secret once. */
  function join() {
    var key = new URLSearchParams(location.hash.slice(1)).get("k");
    history.replaceState(null, "", location.pathname);
    if (!key) { return secret ? Promise.resolve() : Promise.reject(new Error(spoken("Scan the code on the host's page with this phone.")));
      }
    return post("/camera/join", { "X-Camera-Key": key }).then(function (told) { secret = told.secret; keep(secret); }, function (error) {
      if (!secret) { throw error; }
    });
  }

  function film_with(id) {
    var wish = { width: { ideal: 3840 }, height: { ideal: 2160 }, frameRate: { ideal: 15, max: 30 } };
    if (id) { wish.deviceId = { exact: id }; } else { wish.facingMode = { ideal: "environment" }; }
    if (stream) { stream.getTracks().forEach(function (track) { track.stop(); }); }
    lastFrame = Date.now();
    return navigator.mediaDevices.getUserMedia({ video: wish, audio: false }).then(function (found) {
      stream = found;
      wanted = true;
      film.srcObject = found;
      film.hidden = false;
      found.getVideoTracks()[0].addEventListener("ended", function () { lastFrame = 0; });
      setTimeout(held, 3000);
      return film.play();
    }).then(lenses);
  }

  function lenses() {
    return navigator.mediaDevices.enumerateDevices().then(function (devices) {
      var used = stream.getVideoTracks()[0].getSettings().deviceId;
      lens.replaceChildren();
      devices.filter(function (one) { return one.kind === "videoinput"; }).forEach(function (one, n) {
        lens.add(new Option(one.label || String(n + 1), one.deviceId, false, one.deviceId === used));
      });
      lens.parentNode.hidden = lens.options.length < 2;
      var can = able();
      torch.hidden = !can.torch;
      hold.hidden = !(can.focusMode || can.exposureMode);
      document.getElementById("how").hidden = false;
    });
  }

  function able() {
    var track = stream && stream.getVideoTracks()[0];
    return track && track.getCapabilities ? track.getCapabilities() : {};
  }

  function set(wish) {
    var track = stream && stream.getVideoTracks()[0];
    return track ? track.applyConstraints({ advanced: [wish] }).catch(function () { /* this one can't */ }) : Promise.resolve();
  }

  /* Each in turn: a browser that can't do one would refuse them all. */
  function modes(mode) {
    ["focusMode", "exposureMode", "whiteBalanceMode"].forEach(function (what) {
      if ((able()[what] || []).indexOf(mode) >= 0) { set({ [what]: mode }); }
    });
  }

  function held() { modes("manual"); }

  /* Whole numbers of pixels: the table lays the small picture over the whole one. */
  function shrink(wide, high) {
    var part = Math.max(1, Math.round(Math.max(wide, high) / LONG)), w = Math.floor(wide / part), h = Math.floor(high / part);
    var grow = Math.max(1, Math.min(part, Math.floor(Math.sqrt(MOST / (w * h)))));
    return { w: w, h: h, grow: grow, from: [w * part, h * part] };
  }

  function draw(on, w, h, from) {
    if (on.width !== w || on.height !== h) { on.width = w; on.height = h; }
    var pen = on.getContext("2d", { alpha: false });
    pen.imageSmoothingQuality = "high";
    pen.drawImage(film, 0, 0, from[0], from[1], 0, 0, w, h);
  }

  function packed(on, quality) {
    return new Promise(function (done, fail) {
      on.toBlob(function (blob) { if (blob) { done(blob); } else { fail(new Error("no picture")); } }, "image/jpeg", quality);
    });
  }

  function send() {
    var size = shrink(film.videoWidth, film.videoHeight), both = wanted;
    draw(small, size.w, size.h, size.from);
    if (both) { draw(whole, size.w * size.grow, size.h * size.grow, size.from); }
    return Promise.all([packed(small, 0.94), both ? packed(whole, 0.8) : null]).then(function (blobs) {
      var headers = { "X-Camera-Secret": secret, "X-Camera-Page": page, "X-Camera-Number": String(++number), "X-Camera-Small":
        String(blobs[0].size) };
      return post("/camera/picture", headers, new Blob(blobs.filter(Boolean)));
    }).then(function (told) {
      wanted = told.whole;
      sent += 1;
      say(spoken("The table sees through this phone. Leave this page open."));
    });
  }

  function tick() {
    var now = Date.now(), next = EVERY;
    if (!running) { return; }
    if (film.videoWidth && film.currentTime !== lastTime) { lastTime = film.currentTime; lastFrame = now;
      } else if (now - lastFrame > STILL && !document.hidden) {
      lastFrame = now;
      film_with(lens.value).catch(function () { /* the next time */ });
    }
    if (busy || lastFrame !== now || document.hidden) { setTimeout(tick, next); return; }
    busy = true;
    send().then(function () { next = wanted ? 0 : Math.max(0, EVERY - (Date.now() - now)); }, function (error) {
      next = 1000;
      if (error.status === 403) { secret = keep(""); end(error.message); } else if (error.status === 409) { end(error.message); } else {
        wanted = true;
        say(error.status ? error.message : spoken("The table doesn't answer: it is tried again. Is the Wi-Fi the same?"), true);
      }
    }).then(function () { busy = false; setTimeout(tick, next); });
  }

  function awake() {
    if (navigator.wakeLock && !document.hidden && running) {
      navigator.wakeLock.request("screen").then(function (lock) { wake = lock; }, function () { /* the screen may go dark */ });
    }
  }

  function back() { if (running && !document.hidden) { lastFrame = 0; awake(); } }

  /* What the table says has a status; what the browser says is told in the companion's own words. */
  function why(error) {
    if (error.status) { return error.message; }
    if (error.name === "NotAllowedError") {
      return spoken("The browser was not allowed to use the camera: allow it in its address bar, and load this page again."); }
    if (error.name === "NotFoundError") { return spoken("This device has no camera."); }
    if (error.name === "NotReadableError") {
      return spoken("The camera can't be started: another app may hold it. Close that one, and tap again."); }
    return spoken("The table doesn't answer. Is the Wi-Fi the same? Tap again.");
  }

  function start() {
    if (!navigator.mediaDevices || !navigator.mediaDevices.getUserMedia) {
      say(spoken("This browser gives no page its camera: use a newer one."), true); return; }
    begin.disabled = true;
    join().then(function () { return film_with(""); }).then(function () {
      var was = running;
      running = true;
      begin.hidden = true;
      awake();
      if (!was) { tick(); }
    }).catch(function (error) { say(why(error), true); }).then(function () { begin.disabled = false; });
  }

  begin.addEventListener("click", start);
  lens.addEventListener("change", function () { film_with(lens.value).catch(function (error) { say(why(error), true); }); });
  torch.addEventListener("click", function () { lit = !lit; set({ torch: lit }); torch.setAttribute("aria-pressed", String(lit)); });
  hold.addEventListener("click", function () { modes("continuous"); setTimeout(held, 3000); });
  document.addEventListener("visibilitychange", back);
  window.addEventListener("pageshow", back);
  if (secret && !location.hash) { say(spoken("This phone is still the camera: tap the button to go on.")); start(); }
})();
