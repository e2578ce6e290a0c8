// What the caller says about an input, by the names of the program's flags.

/** Options of every check. What is missing is detected, or false. */
export interface Options {
  /** The name of the input in findings. */
  readonly path?: string;
  readonly protocol?: "lmc" | "workbench";
  readonly kind?: "transcript" | "stream" | "session";
  /** How the input contains its records: json, jsonl, sse, log and so on. */
  readonly form?: string;
  /** The dialect of LMC, as in "interpreter", "server" or "docs". */
  readonly dialect?: string;
  /** The recording has no confirmations. */
  readonly autoRun?: boolean;
  /** Do not report missing messages. */
  readonly partial?: boolean;
  /** Accept inputs without records. */
  readonly allowEmpty?: boolean;
  /** Run only these rules: ids, names, prefixes such as "LMC3", families. */
  readonly select?: readonly string[];
  /** Run these rules, too. */
  readonly extendSelect?: readonly string[];
  /** Do not run these rules. */
  readonly ignore?: readonly string[];
  /** The maximum size of a record, in bytes. */
  readonly maxRecordBytes?: number;
}
