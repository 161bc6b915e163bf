import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../src/lib/clock.ts';

const FOLDER = fileURLToPath(new URL('../../bench/workloads/', import.meta.url));

/** The project's own workloads, in memory: by paths from their folder. */
export function workloadFiles(): Record<string, string> {
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]));
}

/** Work takes a microsecond between two looks at the clock: the same in every run. */
export function tickingClock(): Clock {
  let looks = 0;
  return { nowMillis: () => looks++ / 1000 };
}
