// A consumer of LMC streams: reads chunks, one per line, and writes the messages.
//
// Whatever is wrong with a stream, it neither fails nor loses a message that came
// whole: a line that is not a chunk is skipped; a start or a confirmation ends the
// message before it even if its end is lost, and content without a start begins one, too.
//
//     lmclint suite run --consumer 'node consumer.mts'
import { readFileSync } from "node:fs";

type Chunk = Record<string, unknown> & { role: string; type: string };
interface Message {
  role: string;
  type: string;
  format?: unknown;
  recipient?: unknown;
  content: string;
}

const end = process.env["LMC_DIALECT"] === "interpreter-0.1" ? "stop" : "end";
const notStored = new Set(["confirmation", "review", "status", "error", "completion", "command"]);

class Consumer {
  readonly messages: Message[] = [];
  private open: Message | undefined; // the message of the open block

  add(chunk: Chunk): void {
    if (notStored.has(chunk.type)) {
      this.open = undefined;
      return;
    }
    if ("start" in chunk) this.open = this.begin(chunk);
    if ("content" in chunk) {
      if (!this.open || !this.fits(chunk, this.open)) this.open = this.begin(chunk);
      this.extend(chunk, this.open);
    }
    if (end in chunk) this.open = undefined;
  }

  private begin(chunk: Chunk): Message {
    const message: Message = { role: chunk.role, type: chunk.type, content: "" };
    if (chunk.type === "console") message.format = "output";
    else if ("format" in chunk) message.format = chunk["format"];
    this.messages.push(message);
    return message;
  }

  private fits(chunk: Chunk, open: Message): boolean {
    return chunk.role === open.role && chunk.type === open.type && (chunk.type === "console" || chunk["format"] === open.format);
  }

  private extend(chunk: Chunk, open: Message): void {
    if (chunk["format"] === "active_line") return; // where the execution is, not what it prints
    if (typeof chunk["content"] === "string") open.content += chunk["content"];
    if ("recipient" in chunk) open.recipient = chunk["recipient"];
  }
}

function parse(line: string): Chunk | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const chunk = value as Chunk;
    return typeof chunk.role === "string" && typeof chunk.type === "string" ? chunk : undefined;
  } catch {
    return undefined; // not JSON
  }
}

const consumer = new Consumer();
for (const line of readFileSync(0, "utf8").split("\n")) {
  const chunk = parse(line);
  if (chunk) consumer.add(chunk);
}
process.stdout.write(JSON.stringify(consumer.messages.filter((m) => m.role !== "user")));
