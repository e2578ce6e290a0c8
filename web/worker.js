// Runs lmclint, so that typing stays smooth. Each message {number, bytes, options}
// has answers {number, read} with the bytes that were checked, and one {number, document}
// or {number, error}.
"use strict";
importScripts("wasm_exec.js");

globalThis.lmclint = {};
const ready = (async () => {
  const go = new Go();
  const response = await fetch("lmclint.wasm");
  if (!response.ok) throw new Error("lmclint.wasm: " + response.status + " " + response.statusText);
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), go.importObject);
  go.run(instance); // ends when the worker does
  postMessage({ catalog: JSON.parse(globalThis.lmclint.examples()) });
})();
ready.catch((e) => postMessage({ error: String(e.message || e) }));

onmessage = async ({ data }) => {
  try {
    await ready;
    const begun = performance.now();
    const document = JSON.parse(globalThis.lmclint.view(data.bytes, JSON.stringify(data.options), (read) => postMessage({ number: data.number, read })));
    postMessage(document.error ? { number: data.number, error: document.error } : { number: data.number, document, took: performance.now() - begun });
  } catch (e) {
    postMessage({ number: data.number, error: String(e.message || e) });
  }
};
