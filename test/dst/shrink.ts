import { type RunResult, runScript } from './run-script.ts';
import type { Script } from './script/script.ts';

/** The script with its first events alone. */
export function prefixOf(script: Script, count: number): Script {
  return { ...script, events: script.events.slice(0, count) };
}

/** The number of first events that break the same invariant, found by trying from the fewest on. */
export function smallestPrefix(script: Script, { violation }: RunResult): number {
  for (let count = 0; count < script.events.length; count++) {
    if (runScript(prefixOf(script, count)).violation?.invariant === violation?.invariant) return count;
  }
  return script.events.length;
}
