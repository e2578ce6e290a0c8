// The example client in the documentation of Open Interpreter (processChunk, in its
// migration guide), rewritten as a command. It does what the example does, and
// nothing more:
//
// - a start makes a new message from the chunk;
// - an active line is noted at the last message, and not stored as one;
// - other content is appended to the last message, whatever its role or type.
//
//     lmclint suite run --consumer 'node process_chunk.mjs'
import { createInterface } from "node:readline";

const messages = [];

function processChunk(chunk) {
  if (chunk.start) {
    const { role, type, format, recipient } = chunk;
    messages.push({ role, type, format: format || undefined, recipient: recipient || undefined, content: "" });
  }
  const last = messages[messages.length - 1];
  if (chunk.format === "active_line") {
    last.activeLine = chunk.content;
  } else if (chunk.end && chunk.type === "console") {
    last.activeLine = null;
  }
  if (chunk.content && chunk.format !== "active_line") {
    last.content += chunk.content;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== "") processChunk(JSON.parse(line));
}
process.stdout.write(JSON.stringify(messages));
