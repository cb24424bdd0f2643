/* One event stream for all tabs of a browser.

   A browser allows six connections to a host, so tabs share a stream: in a SharedWorker where there is one (this same
   file is the worker then), else the tabs elect one of them over a BroadcastChannel, else every tab has its own.
   Nothing here needs HTTPS. Where streams don't get through, it asks every three seconds instead. */
"use strict";
(function (scope) {
  var SILENCE = 45000, POLL = 3000, FORGOTTEN = 180000;

  /* Keeps one stream for everything that its clients want, and hands out what comes. */
  function Hub(deliver) {
    this.deliver = deliver;
    this.clients = new Map();
    this.source = null;
    this.wanted = "";
    this.stamp = "";
    this.heard = 0;
    this.failures = 0;
    this.poller = null;
    this.lost = null;
    var hub = this;
    this.timer = setInterval(function () { hub.look(); }, 5000);
  }

  function older(one, other) {
    var a = one.split("-"), b = other.split("-");
    if (!one || !other || a[0] !== b[0]) { return ""; }
    return Number(a[1]) < Number(b[1]) ? one : other;
  }

  Hub.prototype.want = function (id, audiences, stamp) {
    this.clients.set(id, { audiences: audiences, heard: Date.now() });
    var union = this.union();
    if (union === this.wanted && stamp === this.stamp && this.source) {
      if (this.lost !== null) { this.deliver({ kind: this.lost ? "lost" : "live" }); }
      return;
    }
    // Everybody must get what changed since the oldest of what they have; what a tab has already does no harm.
    this.open(union, this.stamp ? older(this.stamp, stamp) : stamp);
  };

  Hub.prototype.drop = function (id) {
    this.clients.delete(id);
    if (!this.clients.size) { this.close(); this.wanted = ""; }
  };

  Hub.prototype.ping = function (id) {
    var client = this.clients.get(id);
    if (client) { client.heard = Date.now(); }
    return Boolean(client);
  };

  Hub.prototype.union = function () {
    var all = new Set();
    this.clients.forEach(function (client) { client.audiences.forEach(function (name) { all.add(name); }); });
    return Array.from(all).sort().join(",");
  };

  Hub.prototype.close = function () {
    if (this.source) { this.source.close(); this.source = null; }
    if (this.poller) { clearTimeout(this.poller); this.poller = null; }
  };

  Hub.prototype.end = function () { this.close(); clearInterval(this.timer); this.clients.clear(); };

  Hub.prototype.open = function (union, after) {
    this.close();
    this.wanted = union;
    this.stamp = after;
    this.lost = null;
    if (!union) { return; }
    var hub = this, source = new EventSource("/events/" + union + "?after=" + encodeURIComponent(after));
    this.source = source;
    this.heard = Date.now();
    source.addEventListener("parts", function (event) { hub.alive(); hub.changed(JSON.parse(event.data)); });
    source.addEventListener("pictures", function (event) {
      hub.alive();
      hub.deliver({ kind: "pictures", pictures: JSON.parse(event.data) });
    });
    source.addEventListener("refused", function (event) {
      hub.alive();
      hub.deliver({ kind: "refused", audience: JSON.parse(event.data).audience });
    });
    source.addEventListener("beat", function (event) {
      hub.alive();
      hub.deliver(Object.assign(JSON.parse(event.data), { kind: "now" }));
    });
    source.onerror = function () {
      if (hub.source !== source) { return; }
      hub.failures += 1;
      hub.tell(true);
      // A stream that was refused (too many phones, or a proxy that breaks streams) does not come back by itself.
      if (source.readyState === 2) { hub.close(); hub.poll(); }
    };
  };

  Hub.prototype.alive = function () { this.heard = Date.now(); this.failures = 0; this.tell(false); };

  Hub.prototype.tell = function (lost) {
    if (lost === this.lost) { return; }
    this.lost = lost;
    this.deliver({ kind: lost ? "lost" : "live" });
  };

  Hub.prototype.changed = function (change) {
    this.stamp = change.stamp;
    this.deliver({ kind: "parts", audience: change.audience, parts: change.parts, stamp: change.stamp });
  };

  Hub.prototype.poll = function () {
    var hub = this, union = this.wanted, rounds = 0;
    function again() { if (hub.wanted === union && !hub.source) { hub.poller = setTimeout(ask, POLL); } }
    function ask() {
      rounds += 1;
      if (rounds > 10) { hub.open(union, hub.stamp); return; }
      fetch("/parts/" + union + "?after=" + encodeURIComponent(hub.stamp), { cache: "no-store" })
        .then(function (answer) { if (!answer.ok) { throw new Error("HTTP " + answer.status); } return answer.json(); })
        .then(function (news) {
          hub.alive();
          hub.deliver({ kind: "now", now: news.now, stamp: news.stamp });
          news.changes.forEach(function (change) { hub.changed(change); });
          hub.stamp = news.stamp;
          news.refused.forEach(function (name) { hub.deliver({ kind: "refused", audience: name }); });
          hub.deliver({ kind: "pictures", pictures: news.pictures });
          again();
        })
        .catch(function () { hub.tell(true); again(); });
    }
    this.poller = setTimeout(ask, 200);
  };

  Hub.prototype.look = function () {
    var hub = this, now = Date.now();
    this.clients.forEach(function (client, id) { if (now - client.heard > FORGOTTEN) { hub.drop(id); } });
    if (this.source && now - this.heard > SILENCE) { this.tell(true); this.open(this.wanted, this.stamp); }
  };

  /* ---------------------------------------------------------------------------------------------- in the worker */

  if (typeof SharedWorkerGlobalScope !== "undefined" && scope instanceof SharedWorkerGlobalScope) {
    var ports = new Map(), next = 1;
    var shared = new Hub(function (message) { ports.forEach(function (port) { port.postMessage(message); }); });
    scope.onconnect = function (event) {
      var port = event.ports[0], id = next;
      next += 1;
      ports.set(id, port);
      port.onmessage = function (sent) {
        var message = sent.data;
        if (message.kind === "want") {
          ports.set(id, port);
          shared.want(id, message.audiences, message.stamp);
        } else if (message.kind === "ping") {
          if (!shared.ping(id)) { port.postMessage({ kind: "again" }); }
        } else if (message.kind === "bye") { ports.delete(id); shared.drop(id); }
      };
      port.start();
    };
    return;
  }

  /* ------------------------------------------------------------------------------------------------- in a page */

  function throughWorker(address, receive) {
    var worker = new SharedWorker(address, "companion");
    worker.port.onmessage = function (event) { receive(event.data); };
    worker.port.start();
    return { send: function (message) { worker.port.postMessage(message); } };
  }

  /* The tabs elect a leader, whose hub serves all. Heartbeats, not Web Locks alone, which plain HTTP doesn't have. */
  function throughLeader(receive) {
    var me = Math.random().toString(36).slice(2), channel = new BroadcastChannel("companion");
    var hub = null, leader = "", heard = Date.now(), patience = 2500 + Math.random() * 1500, mine = null;
    function out(message) { channel.postMessage({ kind: "out", message: message }); receive(message); }
    function lead() {
      if (hub) { return; }
      hub = new Hub(out);
      leader = me;
      channel.postMessage({ kind: "alive", id: me });
      if (mine) { hub.want(me, mine.audiences, mine.stamp); }
    }
    function resign() { if (hub) { hub.end(); hub = null; } }
    function follow() { if (mine && leader !== me) { channel.postMessage({ kind: "want", id: me, to: leader, ask: mine }); } }
    channel.onmessage = function (event) {
      var message = event.data;
      if (message.kind === "alive") {
        if (hub && message.id < me) { resign(); }
        if (!hub) {
          heard = Date.now();
          if (leader !== message.id) { leader = message.id; receive({ kind: "again" }); }
        }
      } else if (message.kind === "who" && hub) { channel.postMessage({ kind: "alive", id: me });
      } else if (message.kind === "want" && hub) { hub.want(message.id, message.ask.audiences, message.ask.stamp);
      } else if (message.kind === "ping" && hub) { if (!hub.ping(message.id)) { channel.postMessage({ kind: "again", id: message.id }); }
      } else if (message.kind === "bye") {
        if (hub) { hub.drop(message.id); } else if (message.id === leader) { leader = ""; heard = 0; }
      } else if (message.kind === "again" && message.id === me) { receive({ kind: "again" });
      } else if (message.kind === "out" && !hub) { heard = Date.now(); receive(message.message); }
    };
    channel.postMessage({ kind: "who" });
    setTimeout(function () { if (!leader) { lead(); } }, 300 + Math.random() * 200);
    setInterval(function () {
      if (hub) { channel.postMessage({ kind: "alive", id: me }); } else if (Date.now() - heard > patience) { lead(); }
    }, 1000);
    return {
      send: function (message) {
        if (message.kind === "want") { mine = message; if (hub) { hub.want(me, mine.audiences, mine.stamp); } else { follow(); } }
        if (message.kind === "ping") { if (hub) { hub.ping(me); } else { channel.postMessage({ kind: "ping", id: me }); } }
        if (message.kind === "bye") { resign(); leader = ""; channel.postMessage({ kind: "bye", id: me }); }
      }
    };
  }

  function alone(receive) {
    var hub = new Hub(receive);
    return {
      send: function (message) {
        if (message.kind === "want") { hub.want(1, message.audiences, message.stamp); }
        if (message.kind === "ping") { hub.ping(1); }
        if (message.kind === "bye") { hub.drop(1); }
      }
    };
  }

  scope.companionHub = function (address, receive) {
    if (typeof SharedWorker !== "undefined") { try { return throughWorker(address, receive); } catch (error) { /* next */ } }
    if (typeof BroadcastChannel !== "undefined") { return throughLeader(receive); }
    return alone(receive);
  };
})(self);
