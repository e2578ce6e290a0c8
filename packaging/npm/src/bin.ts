#!/usr/bin/env node
// Runs the program with the arguments, standard streams, signals and exit status
// of this process.

import { spawn } from "node:child_process";
import { constants } from "node:os";

import { program } from "./program.js";

/** Signals that are passed on. */
const signals: readonly NodeJS.Signals[] = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2"];

function main(): void {
  let path: string;
  try {
    path = program();
  } catch (error) {
    fail(error);
    return;
  }
  const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  // Before the start: the program may run, and its caller end it, before spawn
  // returns.
  for (const signal of signals) {
    if (constants.signals[signal] === undefined) continue;
    process.on(signal, () => {
      // A terminal sends these to both processes itself, and a second one would
      // end the program before it reports what it knows.
      if (!(onTerminal && (signal === "SIGINT" || signal === "SIGQUIT"))) child.kill(signal);
    });
  }
  const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
  child.on("error", fail);
  child.on("exit", (code, signal) => {
    if (signal !== null) {
      for (const s of signals) process.removeAllListeners(s);
      process.kill(process.pid, signal); // so that the caller sees it, too
      return;
    }
    process.exitCode = code ?? 2;
  });
}

function fail(error: unknown): void {
  console.error(`lmclint: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}

main();
