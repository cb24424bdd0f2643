/* The hall's pages, live: the wall puts new cards in place, other pages load their main part anew when theirs changed. */
"use strict";
(function () {
  var body = document.body, live = body.dataset.live, lost = document.getElementById("lost"), busy = false, again = false;
  if (!live || !window.EventSource) { return; }
  var cards = live === "cards", stream = null, stamp = body.dataset.stamp, heard = 0;
  var SILENCE = 7000; // milliseconds; the hall says something every three seconds

  function made(html) {
    var holder = document.createElement("template");
    holder.innerHTML = html;
    return holder.content.firstElementChild;
  }

  // Those that call stand first, then by their titles, "Table 10" behind "Table 9".
  function before(one, other) {
    var called = other.classList.contains("calls") - one.classList.contains("calls");
    return called || one.querySelector("h2 a").textContent.localeCompare(other.querySelector("h2 a").textContent, undefined,
      { numeric: true });
  }

  function put(news) {
    var list = document.getElementById("cards"), moved = false;
    Object.keys(news).forEach(function (name) {
      var old = document.getElementById("table-" + name), fresh = made(news[name]);
      if (!old) {
        list.appendChild(fresh);
        moved = true;
      } else {
        var focus = old.contains(document.activeElement);
        moved = moved || old.classList.contains("calls") !== fresh.classList.contains("calls");
        old.replaceWith(fresh);
        if (focus) { fresh.querySelector("h2 a").focus(); }
      }
    });
    document.getElementById("none").hidden = list.children.length > 0;
    if (moved) { Array.from(list.children).sort(before).forEach(function (one) { list.appendChild(one); }); }
    fit(moved);
  }

  // A projector can't scroll: on a wide screen cards become smaller until all can be seen, down to half their size.
  function fit(anew) {
    var list = document.getElementById("cards"), size = anew ? 1 : Number(list.style.zoom) || 1;
    if (window.innerWidth < 1000) { list.style.zoom = ""; return; }
    list.style.zoom = size;
    while (size > 0.5 && list.getBoundingClientRect().bottom + window.scrollY > window.innerHeight) {
      size -= 0.05;
      list.style.zoom = size;
    }
  }

  function reload() {
    var main = document.getElementById("main"), typing = document.activeElement;
    if (typing && main.contains(typing) && /INPUT|SELECT|TEXTAREA/.test(typing.tagName)) { again = true; return; }
    if (busy) { again = true; return; }
    busy = true;
    again = false;
    fetch(location.href, { headers: { Accept: "text/html" } }).then(function (answer) { return answer.ok ? answer.text() : "";
      }).then(function (text) {
      var fresh = text && new DOMParser().parseFromString(text, "text/html").getElementById("main");
      if (fresh) { main.replaceWith(fresh); }
    }).catch(function () { lost.hidden = false; }).finally(function () {
      busy = false;
      if (again) { setTimeout(reload, 500); }
    });
  }

  document.addEventListener("focusout", function () { if (again) { setTimeout(reload, 200); } });

  // A stream that a cut network has left hanging, or that was refused once, stays so for good unless it is opened anew.
  function open() {
    if (stream) { stream.close(); }
    heard = Date.now();
    stream = new EventSource("/live?after=" + encodeURIComponent(stamp) + "&language=" + body.dataset.language + (cards ? "&cards=" : ""));
    stream.onmessage = function (event) {
      var news = JSON.parse(event.data);
      heard = Date.now();
      stamp = event.lastEventId || stamp;
      lost.hidden = news.up;
      if (cards) {
        if (news.cards) { put(news.cards); }
      } else if (news.changed.indexOf(live) >= 0 || news.changed.indexOf("*") >= 0) {
        reload();
      }
    };
    stream.addEventListener("beat", function () { heard = Date.now(); });
    stream.onopen = function () { heard = Date.now(); lost.hidden = true; };
    stream.onerror = function () { lost.hidden = false; };
  }

  setInterval(function () {
    var silent = Date.now() - heard;
    if (silent > SILENCE) { lost.hidden = false; }
    if (silent > SILENCE || (stream.readyState === EventSource.CLOSED && silent > 2000)) { open(); }
  }, 1000);
  if (cards) {
    fit(true);
    window.addEventListener("resize", function () { fit(true); });
  }
  open();
}());
