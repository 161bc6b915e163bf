import { posix } from 'node:path';

/** One mention of another module: import, export from, import() or the URL of a worker's file. */
export interface ModuleImport {
  readonly specifier: string;
  /** The file in the project that a relative specifier means; undefined for packages. May not exist. */
  readonly target: string | undefined;
  /** Whether only types are imported: they are gone at run time. */
  readonly typeOnly: boolean;
  /** Where it starts in the text. */
  readonly offset: number;
}

/**
 * Matched against code whose strings are blanked, so that an import inside a string is not one; the group with the
 * quotes shows where to read the specifier.
 */
const STATEMENT = /(?<![\w$.])(?:import|export)(?<clause>\s+[\w$*{},\s]*?\bfrom\s*|\s*)(?<quoted>(['"]) *\3)/g;
const CALL = /(?<![\w$.])(?:import\s*\(|new\s+URL\()\s*(?<quoted>(['"]) *\2)/g;
const TYPE_IN_CODE = /(?<![\w$.])import\s*\(\s*(['"]) *\1\s*\)\s*\./y;

/** Every import of a file, in order. `code` is `text` with the contents of its strings blanked. */
export function findImports(path: string, text: string, code: string): ModuleImport[] {
  const found: ModuleImport[] = [];
  for (const match of code.matchAll(STATEMENT)) {
    found.push(moduleImport(path, text, match, isTypeOnly(match.groups?.['clause'] ?? '')));
  }
  for (const match of code.matchAll(CALL)) {
    const isUrl = match[0].startsWith('new');
    const mention = moduleImport(path, text, match, isTypeReference(code, match.index));
    // A URL names a module only when it is a script of ours: the kernels are data.
    if (!isUrl || /^\..*\.[jt]s$/.test(mention.specifier)) found.push(mention);
  }
  return found.sort((a, b) => a.offset - b.offset);
}

function moduleImport(path: string, text: string, match: RegExpExecArray, typeOnly: boolean): ModuleImport {
  const quoted = match.groups?.['quoted'] ?? '';
  const end = match.index + match[0].length;
  const specifier = text.slice(end - quoted.length + 1, end - 1);
  return { specifier, target: resolve(path, specifier), typeOnly, offset: match.index };
}

/** `import type {...}`, or a list in which every name is marked `type`. */
function isTypeOnly(clause: string): boolean {
  if (/^\s+type\s+(?!from\b)/.test(clause)) return true;
  const names = /^\s*\{([^}]*)\}\s*from\s*$/.exec(clause)?.[1];
  const listed =
    names
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '') ?? [];
  return listed.length > 0 && listed.every((name) => name.startsWith('type '));
}

/** `import('./x.ts').Name` names a type; a value would be awaited first. */
function isTypeReference(code: string, offset: number): boolean {
  TYPE_IN_CODE.lastIndex = offset;
  const match = TYPE_IN_CODE.exec(code);
  return match !== null && !/^(?:then|catch|finally)\b/.test(code.slice(offset + match[0].length));
}

/** AssemblyScript leaves the ending out, workers are named as they are called once built. */
function resolve(path: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = posix.join(posix.dirname(path), specifier);
  if (target.endsWith('.ts')) return target;
  return target.endsWith('.js') ? target.replace(/\.js$/, '.ts') : `${target}.ts`;
}
