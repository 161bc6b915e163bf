import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/**
 * Reads a file of generated facts from `data/`. The package has it compressed, in a folder beside that of the code;
 * this file lies two folders below the root in the sources as in the package.
 */
export function readDataFile(name: string): unknown {
  const packed = new URL(`../data/${name}.br`, import.meta.url);
  const bytes = existsSync(packed)
    ? brotliDecompressSync(readFileSync(packed))
    : readFileSync(new URL(`../../data/${name}`, import.meta.url));
  return JSON.parse(bytes.toString());
}
