/* The code in the terminal of whoever started the table carries the PIN behind a #: it is typed here, and goes nowhere else. */
"use strict";
(function () {
  var pin = /^#([0-9]{4,12})$/.exec(location.hash), field = document.getElementById("pin");
  if (pin) {
    history.replaceState(null, "", location.pathname);
    field.value = pin[1];
    field.form.submit();
  }
})();
