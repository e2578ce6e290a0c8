// Which package has the program of which platform.

/** A platform that has a package, in the words of Node and of Go. */
export interface Platform {
  readonly os: NodeJS.Platform;
  readonly cpu: NodeJS.Architecture;
  readonly goos: string;
  readonly goarch: string;
}

/** The platforms that have a package. The programs are static: every libc will do. */
export const platforms: readonly Platform[] = [
  { os: "linux", cpu: "x64", goos: "linux", goarch: "amd64" },
  { os: "linux", cpu: "arm64", goos: "linux", goarch: "arm64" },
  { os: "darwin", cpu: "x64", goos: "darwin", goarch: "amd64" },
  { os: "darwin", cpu: "arm64", goos: "darwin", goarch: "arm64" },
  { os: "win32", cpu: "x64", goos: "windows", goarch: "amd64" },
  { os: "win32", cpu: "arm64", goos: "windows", goarch: "arm64" },
];

/** The name of the package of a platform, as in "@lmclint/linux-x64". */
export function packageOf(p: Pick<Platform, "os" | "cpu">): string {
  return `@lmclint/${p.os}-${p.cpu}`;
}

/** The path of the program in the package of a platform. */
export function programIn(p: Pick<Platform, "os">): string {
  return p.os === "win32" ? "bin/lmclint.exe" : "bin/lmclint";
}

/** What locate asks of its surroundings. */
export interface Surroundings {
  readonly os: NodeJS.Platform;
  readonly cpu: string;
  /** The variable LMCLINT_BINARY. */
  readonly override: string | undefined;
  /** Returns the path of a file in an installed package, or throws. */
  resolve(file: string): string;
}

/** Returns the path of the program, or throws an error that says what to do. */
export function locate(s: Surroundings): string {
  if (s.override) return s.override;
  const platform = platforms.find((p) => p.os === s.os && p.cpu === s.cpu);
  if (platform === undefined) {
    const known = platforms.map((p) => `${p.os}-${p.cpu}`).join(", ");
    throw new Error(
      `lmclint has no program for ${s.os}-${s.cpu}, only for ${known}. ` +
        "Build it with Go and set LMCLINT_BINARY to its path, or use lmclint/wasm.",
    );
  }
  const name = packageOf(platform);
  try {
    return s.resolve(`${name}/${programIn(platform)}`);
  } catch (cause) {
    throw new Error(
      `the package ${name}, which has the program of lmclint, is not installed. ` +
        "It is an optional dependency: install without --omit=optional and --no-optional. " +
        "If node_modules or a lock file comes from another platform, install again on this one.",
      { cause },
    );
  }
}
