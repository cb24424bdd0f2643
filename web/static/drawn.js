/* The drawn table: puts the faces in, each once, and lets a piece that lies elsewhere now glide there. */
"use strict";
(function () {
  var LONG = 550, EASE = "cubic-bezier(.2, .8, .2, 1)", WIDTHS = [96, 160, 339], SVG = "http://www.w3.org/2000/svg";
  var still = matchMedia("(prefers-reduced-motion: reduce)");

  /* The address of a face that is shown so many pixels wide. */
  function face(folder, piece, wide) {
    var dense = wide * (window.devicePixelRatio || 1);
    return folder + piece + ".webp?w=" + (WIDTHS.find(function (some) { return some >= dense * .9; }) || WIDTHS[2]);
  }
  window.companionFace = face;

  function things(svg) { return Array.from(svg.querySelectorAll(".things > [data-id]")); }

  /* Put in the faces that are in sight, as large as they are shown here. */
  function dress(svg) {
    var scale = (svg.getScreenCTM() || { a: 0 }).a;
    if (!scale || !svg.dataset.faces) { return; }
    svg.querySelectorAll("[data-face]").forEach(function (one) {
      var paper = one.firstElementChild, image = one.querySelector("image"), wide = Number(paper.getAttribute("width")) * scale;
      if (!image) {
        image = document.createElementNS(SVG, "image");
        ["x", "y", "width", "height"].forEach(function (name) { image.setAttribute(name, paper.getAttribute(name)); });
        image.setAttribute("preserveAspectRatio", "none");
        paper.after(image);
      }
      // A face that is there already, or a larger one, stays.
      if (image.dataset.shows === one.dataset.face && Number(image.dataset.wide) >= wide) { return; }
      image.dataset.shows = one.dataset.face;
      image.dataset.wide = wide;
      image.setAttribute("href", face(svg.dataset.faces, one.dataset.face, wide));
    });
  }

  function place(one) { return one.getAttribute("transform"); }

  /* From "translate(1 2) rotate(3)" to what a style has. */
  function styled(transform) {
    var n = transform.match(/-?[\d.]+/g).map(Number);
    return "translate(" + n[0] + "px," + n[1] + "px) rotate(" + n[2] + "deg)";
  }

  function glide(one, from) {
    if (still.matches || document.hidden || !one.animate) { return; }
    var here = { transform: styled(place(one)) }, seen = { opacity: getComputedStyle(one).opacity };
    one.animate(from ? [{ transform: styled(from) }, here] : [{ opacity: 0 }, seen],
      { duration: LONG, easing: EASE });
  }

  /* Make one drawing like another: what has the same name stays and glides; a back that went is the next that came. */
  function follow(svg, wanted) {
    var old = new Map(), gone = new Map(), came = [];
    things(svg).forEach(function (one) { old.set(one.dataset.id, one); });
    things(wanted).forEach(function (one) { if (!old.has(one.dataset.id)) { came.push(one.dataset.id); } });
    var there = new Set(things(wanted).map(function (one) { return one.dataset.id; }));
    old.forEach(function (one, id) {
      if (!there.has(id)) { gone.set(one.dataset.face || id, (gone.get(one.dataset.face || id) || []).concat(place(one))); }
    });
    Array.from(wanted.querySelectorAll(".things > [data-id]")).forEach(function (one) {
      var was = old.get(one.dataset.id), from = was ? place(was) : (gone.get(one.dataset.face) || []).shift();
      var image = was && was.dataset.face === one.dataset.face && was.querySelector("image");
      if (image) { one.firstElementChild.after(image); }
      if (!was || from !== place(one)) { moved.push([one, from]); }
    });
    Array.from(svg.attributes).forEach(function (name) { if (!wanted.hasAttribute(name.name)) { svg.removeAttribute(name.name); } });
    Array.from(wanted.attributes).forEach(function (now) { svg.setAttribute(now.name, now.value); });
    svg.replaceChildren.apply(svg, Array.from(wanted.childNodes));
    var many = moved.length > 12 && !came.length;
    moved.splice(0).forEach(function (one) { if (!many) { glide(one[0], one[1]); } });
    dress(svg);
  }
  var moved = [];

  window.companionDrawn = follow;

  function all() { document.querySelectorAll("svg.drawn").forEach(dress); }
  /* The faces come after what the page needs to be read. */
  requestAnimationFrame(function () { setTimeout(all, 0); });
  document.addEventListener("companion:painted", all);
  document.addEventListener("toggle", all, true);
  addEventListener("resize", all);
})();
