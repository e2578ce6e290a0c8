// Shows the document that the page contains.
document.documentElement.classList.add("live");
const root = document.getElementById("page");
root.lmclint = lmclintPage(root); // for tests, and the console
root.lmclint.linked = true;
root.lmclint.show(JSON.parse(document.getElementById("data").textContent));
addEventListener("popstate", (e) => root.lmclint.goTo(location.hash, e.state?.isSheet));
