import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

export const ROOT = root;
/** The tools of the checks, and below them the projects that use the package. */
export const PLACE = `${root}build/package/`;
export const INSTALLED = `${PLACE}node_modules/kube-berth/`;
/** The package of the command and the API server. */
export const INSTALLED_CLI = `${PLACE}node_modules/kube-berth-cli/`;
const PROGRAMS = `${root}test/package/programs/`;
export const TARBALL = `${PLACE}kube-berth.tgz`;
export const CLI_TARBALL = `${PLACE}kube-berth-cli.tgz`;

/** A tool that the checks have installed, by the path of its file. */
export function tool(path: string): string {
  return `${PLACE}node_modules/${path}`;
}

/** An empty project that holds copies of programs, and can import what the checks have installed. */
export function newProject(
  name: string,
  programs: readonly string[],
  files: Readonly<Record<string, object>> = {},
): string {
  const folder = `${PLACE}projects/${name}/`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}package.json`, JSON.stringify({ name, private: true, type: 'module' }));
  for (const program of programs) cpSync(PROGRAMS + program, folder + program);
  for (const [path, content] of Object.entries(files)) writeFileSync(folder + path, JSON.stringify(content));
  return folder;
}

export interface Ended {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program to its end. */
export function run(program: string, argv: readonly string[], cwd: string): Ended {
  try {
    const options = { cwd, encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 27 } as const;
    return { status: 0, output: execFileSync(program, argv, options), errors: '' };
  } catch (error) {
    const { status, stdout, stderr, message } = error as Error & { status?: number; stdout?: string; stderr?: string };
    return { status: status ?? null, output: stdout ?? '', errors: stderr || message };
  }
}

/** Runs a program of Node's. */
export function runNode(argv: readonly string[], cwd: string): Ended {
  return run(process.execPath, argv, cwd);
}
