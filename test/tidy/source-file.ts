import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findImports, type ModuleImport } from './imports.ts';
import { viewSource } from './source-view.ts';

/** What a rule has to say: where, what is wrong, and what to do instead. */
export interface Problem {
  readonly path: string;
  /** The number of the line, from 1; 0 stands for the file as a whole. */
  readonly line: number;
  readonly message: string;
}

/** A TypeScript file of the project. */
export interface SourceFile {
  /** The path from the project's root, with slashes: `src/api/pod.ts`. */
  readonly path: string;
  readonly text: string;
  /** `text` with comments and the contents of strings blanked, and the opposite; see source-view.ts. */
  readonly code: string;
  readonly comments: string;
  readonly imports: readonly ModuleImport[];
}

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const FOLDERS = ['src', 'assembly', 'test', 'bench', 'examples'];

export function sourceFile(path: string, text: string): SourceFile {
  const view = viewSource(text);
  return { path, text, ...view, imports: findImports(path, text, view.code) };
}

/** Every TypeScript file of the working tree that people write, in the order of their paths. */
export function readProject(root = ROOT): SourceFile[] {
  const paths = FOLDERS.flatMap((folder) => filesBelow(root, folder)).filter((path) => path.endsWith('.ts'));
  return paths.sort().map((path) => sourceFile(path, readFileSync(root + path, 'utf8')));
}

/** The rule's problem at an offset of the file. */
export function problemAt(file: SourceFile, offset: number, message: string): Problem {
  return { path: file.path, line: lineOf(file.text, offset), message };
}

export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** What a failing test shows: one line a problem, `path:line: message`. */
export function report(problems: readonly Problem[]): string[] {
  return problems.map(({ path, line, message }) => `${path}${line > 0 ? `:${line}` : ''}: ${message}`);
}

function filesBelow(root: string, folder: string): string[] {
  let entries: ReturnType<typeof list>;
  try {
    entries = list(root + folder);
  } catch {
    return []; // A folder of the layout that nobody needed yet.
  }
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(root, path);
    return [path];
  });
}

function list(path: string) {
  return readdirSync(path, { withFileTypes: true });
}
