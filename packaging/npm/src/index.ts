// lmclint for Node: it runs the program of this platform.

export type { Chunks, GuardOptions } from "./guard.js";
export type { Options } from "./options.js";
export type { ProgramOptions } from "./flags.js";
export type { Input } from "./input.js";
export { CheckError, ConformanceError, describe, Report } from "./report.js";
export type { Edit, File, Finding, Fix, Place, Related, ReportData, Severity, Summary } from "./report.js";
export { check, type CheckOptions } from "./check.js";
export { record, type RecordOptions } from "./record.js";
export { guard, type StreamOptions } from "./stream.js";
export { program } from "./program.js";
