/* Says what scripts say in the page's language: spoken("{0} seconds left to bid.", 5). Pages in English have no list. */
"use strict";
(function () {
  var list = document.getElementById("spoken"), said = list ? JSON.parse(list.textContent) : {};
  window.spoken = function (text) {
    var holes = arguments;
    return (said[text] || text).replace(/\{(\d)\}/g, function (all, n) { return String(holes[Number(n) + 1]); });
  };
}());
