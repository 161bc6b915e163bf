import { type ChildProcess, spawn } from 'node:child_process';
import { MAIN } from './run-built.ts';

export interface ServedProcess {
  readonly process: ChildProcess;
  readonly ended: Promise<number | null>;
}

/** Starts the built `berth serve`; resolves when it serves. */
export function startServing(...flags: readonly string[]): Promise<ServedProcess> {
  const child = spawn(process.execPath, [MAIN, 'serve', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  return new Promise((resolve, reject) => {
    child.stdout.once('data', () => resolve({ process: child, ended }));
    void ended.then((code) => reject(new Error(`berth serve ended with ${code}: ${errors}`)));
  });
}
