import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** Files of facts that the build compresses as one, a line each, since they have many texts in common. @internal */
export const COMPRESSED_AS_ONE: readonly string[] = ['api-descriptions.json', 'table-columns.json'];

/**
 * Reads a file of generated facts from `data/`. The package has it compressed, in a folder beside that of the code;
 * this file lies two folders below the root in the sources as in the package.
 */
export function readDataFile(name: string): unknown {
  const line = Math.max(0, COMPRESSED_AS_ONE.indexOf(name));
  const file = line > 0 ? COMPRESSED_AS_ONE[0] : name;
  const packed = new URL(`../data/${file}.br`, import.meta.url);
  if (!existsSync(packed)) return JSON.parse(readFileSync(new URL(`../../data/${name}`, import.meta.url), 'utf8'));
  const lines = brotliDecompressSync(readFileSync(packed)).toString().split('\n');
  return JSON.parse(lines[line] as string);
}
