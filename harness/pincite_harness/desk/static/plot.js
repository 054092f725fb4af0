// A plot: its print and each series are switched on and off.

document.addEventListener("change", (event) => {
  const shown = document.getElementById(event.target.dataset.shows);
  shown?.classList.toggle("off", !event.target.checked);
});
