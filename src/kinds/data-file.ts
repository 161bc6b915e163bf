import { readFileSync } from 'node:fs';

/**
 * Reads a file of generated facts from `data/`. This file lies two folders below the root in the sources as in the
 * package, so one address serves both.
 */
export function readDataFile(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../data/${name}`, import.meta.url), 'utf8'));
}
