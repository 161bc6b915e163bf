import { spawn } from 'node:child_process';

export interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramPlace {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs a program to its end. */
export function runProgram(program: string, args: readonly string[], { cwd, env }: ProgramPlace): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ exit: code ?? -1, stdout, stderr }));
  });
}
