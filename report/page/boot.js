// Shows the document that the page contains.
document.documentElement.classList.add("live");
lmclintPage(document.getElementById("page")).show(JSON.parse(document.getElementById("data").textContent));
