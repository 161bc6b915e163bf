import { spawn } from 'node:child_process';
import { join } from 'node:path';

export const MAIN = join(import.meta.dirname, '../../dist/cli/main.js');

export interface BuiltRun {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface BuiltOptions {
  readonly input?: string | Uint8Array;
  readonly cwd?: string;
  readonly uid?: number | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the built command as users do; `npm ci` and `npm run build` build it. */
export function runBuilt(argv: readonly string[], { input, cwd, uid, env }: BuiltOptions = {}): Promise<BuiltRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...argv], { cwd, uid, env: { ...process.env, ...env } });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, out: Buffer.concat(out).toString('utf8'), err: Buffer.concat(err).toString('utf8') });
    });
    // The command may end before it has read everything.
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
  });
}
