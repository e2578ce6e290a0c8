// The JSON report of lmclint, as schema/report.schema.json describes it, and the
// errors that carry findings. Node and WebAssembly give the same objects.

/** How much a finding matters. An error violates the protocol. */
export type Severity = "error" | "warning" | "note";

/** A place in an input. */
export interface Place {
  /** From 1. Lines end with a line feed. */
  readonly line: number;
  /** In code points, from 1. */
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** In bytes of the input, from 0. */
  readonly offset: number;
  readonly endOffset: number;
  /** The record or chunk, from 0. It is missing between records. */
  readonly record?: number;
  /** RFC 6901, from the record; from the document in an array. */
  readonly pointer: string;
}

/** Another place that a finding refers to, such as the start of a block. */
export interface Related extends Place {
  readonly message: string;
  /** Missing for the input of the finding. */
  readonly path?: string;
}

/** A change of the input: text replaces the bytes between two offsets. */
export interface Edit {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly offset: number;
  readonly endOffset: number;
  readonly text: string;
}

/** How a finding is mended. */
export interface Fix {
  readonly message: string;
  /** Whether it cannot change what the recording means. */
  readonly safe: boolean;
  /** Missing if they depend on more than the record. */
  readonly edits?: readonly Edit[];
}

/** One of the places of a finding. */
export interface Spot {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly record?: number;
  readonly conversation?: number;
}

/** One mistake: at one place, or with one cause at several places of an input. */
export interface Finding extends Place {
  /** The rule's id, as in "LMC202". */
  readonly rule: string;
  /** The rule's name, as in "unclosed-block". */
  readonly name: string;
  readonly severity: Severity;
  readonly message: string;
  readonly help?: string;
  readonly path: string;
  /** From 0, in JSON Lines of whole conversations. */
  readonly conversation?: number;
  /** How often its cause came in the input; 1 where each place is reported. */
  readonly count: number;
  /** The first 1,000 places and the last one. Missing if there is only one. */
  readonly places?: readonly Spot[];
  /** Identifies the rule and the cause in a later run. */
  readonly fingerprint: string;
  readonly related: readonly Related[];
  readonly fix?: Fix;
  /** The finding as the text report shows it, from the program only. */
  readonly rendered?: string;
}

/** What was detected of an input, and its counts. */
export interface File {
  readonly path: string;
  readonly protocol?: string;
  readonly kind?: string;
  readonly form?: string;
  readonly dialect?: string;
  readonly records: number;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** The places of these findings. */
  readonly places: number;
  /** Why the check failed or is incomplete. */
  readonly failure?: string;
}

/** The counts of a check. */
export interface Summary {
  readonly files: number;
  readonly skipped: number;
  readonly records: number;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** The places of these findings. */
  readonly places: number;
  readonly known?: number;
  readonly hidden?: number;
  /** Findings with a safe fix. */
  readonly fixable?: number;
  /** Findings with an unsafe fix. */
  readonly fixableUnsafely?: number;
  readonly incomplete: boolean;
  /** The counts as the program prints them. */
  readonly rendered?: string;
}

/** The JSON report, version 2. */
export interface ReportData {
  readonly version: 2;
  readonly tool: { readonly name: string; readonly version: string };
  readonly files: readonly File[];
  readonly findings: readonly Finding[];
  readonly summary: Summary;
}

/** The result of a check. JSON.stringify writes it as the JSON report. */
export class Report implements ReportData {
  readonly version: 2;
  readonly tool: ReportData["tool"];
  readonly files: readonly File[];
  readonly findings: readonly Finding[];
  readonly summary: Summary;

  constructor(data: ReportData) {
    this.version = data.version;
    this.tool = data.tool;
    this.files = data.files;
    this.findings = data.findings;
    this.summary = data.summary;
  }

  /** Whether nothing violates the protocol: there is no error, though there may be warnings and notes. */
  get ok(): boolean {
    return this.summary.errors === 0;
  }

  /** The report as text: the findings, then the counts. */
  toString(): string {
    const separator = this.findings.some((f) => f.rendered !== undefined) ? "\n\n" : "\n";
    return [...this.findings.map(describe), counts(this.summary)].join(separator);
  }
}

/** A finding as text: as the program printed it, or on one line. */
export function describe(f: Finding): string {
  if (f.rendered !== undefined) return f.rendered;
  const help = f.help === undefined ? "" : `; ${f.help}`;
  return `${f.path}:${f.line}:${f.column}: ${f.severity}: ${f.message}${help} [${f.rule} ${f.name}]`;
}

function counts(s: Summary): string {
  if (s.rendered !== undefined) return s.rendered;
  const parts = ([[s.errors, "error"], [s.warnings, "warning"], [s.notes, "note"]] as const)
    .filter(([n]) => n > 0)
    .map(([n, noun]) => quantity(n, noun));
  return `${parts.join(", ") || "no findings"} in ${quantity(s.records, "record")}`;
}

function quantity(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/** The order of severities, the least first. */
const severities: readonly string[] = ["note", "warning", "error"];

/** Whether a finding is of a severity or above. */
export function reaches(f: Finding, minimum: Severity | "never"): boolean {
  return minimum !== "never" && severities.indexOf(f.severity) >= severities.indexOf(minimum);
}

/** A stream broke the protocol: a guard throws it instead of the chunk that does. */
export class ConformanceError extends Error {
  override readonly name = "ConformanceError";
  /** What the last chunk showed, or the end of the stream. */
  readonly findings: readonly Finding[];
  /** The number of that chunk, from 0; -1 if it was the end. */
  readonly chunk: number;

  constructor(findings: readonly Finding[], chunk: number) {
    super(findings.map(describe).join("\n"));
    this.findings = findings;
    this.chunk = chunk;
  }
}

/**
 * A check that failed, so that its result cannot be trusted: the input cannot be
 * read or is of an unknown protocol, or the linter ended early.
 */
export class CheckError extends Error {
  override readonly name: string = "CheckError";
  /** What was found before, if anything is known. */
  readonly report: Report | undefined;

  constructor(message: string, report?: Report, options?: ErrorOptions) {
    super(message, options);
    this.report = report;
  }
}
