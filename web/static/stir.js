/* The dice page: throw random letters into the companion's next roll. */
"use strict";
document.addEventListener("click", function (event) {
  var button = event.target.closest("[data-stir]"), told = document.getElementById("stirred");
  if (!button) { return; }
  var random = Array.from(crypto.getRandomValues(new Uint8Array(16)),
    function (one) { return one.toString(16).padStart(2, "0"); }).join("");
  button.disabled = true;
  fetch("/command", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Companion": "1" },
    body: JSON.stringify({ do: "stir", seat: Number(button.dataset.stir), salt: random })
  }).then(function (answer) { return answer.json(); }).then(function (reply) {
    button.disabled = false;
    told.textContent = reply.ok ? spoken("Thrown in: {0}", random) : reply.message;
  }).catch(function () {
    button.disabled = false;
    told.textContent = spoken("The companion can't be reached. Are you still on its Wi-Fi?");
  });
});
