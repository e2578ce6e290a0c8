// A producer of LMC streams: reads a transcript, a JSON array of messages, and
// writes the chunks of a stream, one per line.
//
//     lmclint suite run --producer 'node producer.mts'
import { readFileSync } from "node:fs";

interface Message {
  role: string;
  type: string;
  format?: string;
  recipient?: string;
  content: string;
}
type Chunk = Record<string, unknown>;

const dialect = process.env["LMC_DIALECT"] ?? "interpreter";
const always = ["docs", "interpreter-0.1", "interpreter-0.2"]; // confirm with auto_run, too
const confirms = always.includes(dialect) || (!["server", "01"].includes(dialect) && !process.env["LMC_AUTO_RUN"]);
const end = dialect === "interpreter-0.1" ? "stop" : "end";
const finalLine = dialect !== "interpreter-0.1"; // an execution ends with active_line null
const lines: string[] = [];

function emit(chunk: Chunk): void {
  lines.push(JSON.stringify(chunk) + "\n");
}

// Pieces of at most twelve characters; a pair of surrogates is not divided.
function pieces(text: string): string[] {
  const characters = [...text];
  const list: string[] = [];
  for (let i = 0; i < characters.length; i += 12) list.push(characters.slice(i, i + 12).join(""));
  return list;
}

// Writes one message as a block; final means that an execution ends with it.
function block(message: Message, final: boolean): void {
  const head: Chunk = { role: message.role, type: message.type };
  let contents: Chunk[];
  if (message.type === "console") {
    contents = pieces(message.content).map((content) => ({ ...head, format: "output", content }));
    if ((final && finalLine) || contents.length === 0) contents.push({ ...head, format: "active_line", content: finalLine ? null : 1 });
  } else {
    if (message.format != null) head["format"] = message.format;
    const whole = message.type === "image"; // consumers cannot join the base64 of two chunks
    contents = (whole ? [message.content] : pieces(message.content)).map((content) => ({ ...head, content }));
  }
  emit({ ...head, start: true });
  for (const chunk of contents) emit(message.recipient ? { ...chunk, recipient: message.recipient } : chunk);
  emit({ ...head, [end]: true });
  if (final && finalLine && ["code", "image"].includes(message.type)) block({ role: "computer", type: "console", content: "" }, final);
}

function isRefusal(message: Message): boolean {
  const text = message.content.trim();
  return text.endsWith("disabled or not supported.") || text.startsWith("Code block was empty");
}

const messages = (JSON.parse(readFileSync(0, "utf8")) as Message[]).filter((m) => m.role !== "user");
let pending: Message | undefined; // code that is not confirmed yet
messages.forEach((message, i) => {
  const runs = message.role === "computer";
  if (runs && pending && confirms && !isRefusal(message)) {
    const content = { type: "code", format: pending.format, content: pending.content };
    emit({ role: "computer", type: "confirmation", format: "execution", content });
  }
  block(message, runs && messages[i + 1]?.role !== "computer");
  pending = !runs && message.type === "code" ? message : undefined;
});
process.stdout.write(lines.join(""));
