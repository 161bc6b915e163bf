/** The exports, opcodes, constants and records of the AssemblyScript sources, read as text. */
import { readdirSync, readFileSync } from 'node:fs';
import type { ArgumentType } from '../../src/kernels/kernel-table.ts';

const FOLDER = new URL('../../assembly/', import.meta.url);

/** The bytes of a field by its type; a field begins on a multiple of them. */
const FIELD_BYTES: Readonly<Record<string, number>> = { usize: 4, u32: 4, i32: 4, i64: 8, f64: 8 };

const ARGUMENT_TYPES: Readonly<Record<string, ArgumentType>> = {
  usize: 'pointer',
  NodeEnvironment: 'pointer',
  TotalsBlock: 'pointer',
  NodeSearch: 'pointer',
  OrderedTotals: 'pointer',
  TopologyRun: 'pointer',
  i32: 'i32',
  f64: 'f64',
};

export interface SourceRecord {
  readonly offsets: Readonly<Record<string, number>>;
  readonly bytes: number;
}

export function readAssembly(path: string): string {
  return readFileSync(new URL(path, FOLDER), 'utf8');
}

/** Reads all files below assembly/, by path. */
export function assemblyFiles(): ReadonlyMap<string, string> {
  const paths = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  return new Map(paths.toSorted().map((path) => [path, readAssembly(path)]));
}

/** `const NAME: type = number;`, exported or not. */
export function constantsOf(source: string): Readonly<Record<string, number>> {
  const found = source.matchAll(/^(?:export )?const (\w+): \w+ = (-?[\d_]+);$/gm);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, Number(value.replaceAll('_', ''))]));
}

/** An `@unmanaged` class as the compiler lays it out: fields in order, each on a multiple of its own size. */
export function recordOf(source: string, name: string): SourceRecord {
  const body = new RegExp(`@unmanaged\\n(?:export )?class ${name} \\{\\n(.*?)\\n\\}`, 's').exec(source)?.[1];
  if (body === undefined) throw new Error(`there is no @unmanaged class ${name}`);
  const offsets: Record<string, number> = {};
  let end = 0;
  for (const line of body.split('\n')) {
    if (/^ {2}\/\*\* .* \*\/$/.test(line)) continue;
    const [, field, type = ''] = /^ {2}(\w+): (\w+);$/.exec(line) ?? [];
    const bytes = FIELD_BYTES[type];
    if (field === undefined || bytes === undefined) throw new Error(`${name} has a line that is no field: ${line}`);
    offsets[field] = Math.ceil(end / bytes) * bytes;
    end = offsets[field] + bytes;
  }
  return { offsets, bytes: end };
}

/** `const enum Op`: names by number. */
export function opcodesOf(source: string): string[] {
  const body = /const enum Op \{\n(.*?)\n\}/s.exec(source)?.[1] ?? '';
  return body.split('\n').map((line) => line.trim().replace(/,$/, ''));
}

/** `export function name(parameters): result`; null when no file or several export one. */
export function exportedFunction(name: string): { readonly parameters: object; readonly result: string } | null {
  const pattern = new RegExp(`^export function ${name}\\(([^)]*)\\): (\\w+) \\{$`, 'gm');
  const found = [...assemblyFiles().values()].flatMap((source) => [...source.matchAll(pattern)]);
  const [, list = '', result = ''] = found[0] ?? [];
  if (found.length !== 1) return null;
  const parameters = list
    .split(',')
    .map((parameter) => parameter.trim())
    .filter((parameter) => parameter !== '')
    .map((parameter) => parameter.split(': ') as [string, string]);
  return { parameters: Object.fromEntries(parameters.map(([key, type]) => [key, ARGUMENT_TYPES[type]])), result };
}
