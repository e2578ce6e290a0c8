// Shows the document that the page contains.
document.documentElement.classList.add("live");
const root = document.getElementById("page");
root.lmclint = lmclintPage(root); // for tests, and the console
root.lmclint.show(JSON.parse(document.getElementById("data").textContent));
