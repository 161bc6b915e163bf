import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { textTerminal } from '../cli/run-berth.ts';

export interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A cluster of `berth serve` with simulated agents, and a directory in which client programs run. */
export class ServedCluster {
  readonly directory = mkdtempSync(join(tmpdir(), 'berth-clients-'));
  #interrupt = (): void => {};
  #ended: Promise<number> | undefined;

  async start(nodes: number): Promise<void> {
    const kubeconfig = join(this.directory, 'kubeconfig');
    await new Promise<string>((resolve) => {
      const terminal: Terminal = {
        ...textTerminal().terminal,
        print: async (text) => resolve(text),
        onInterrupt: (listener) => {
          this.#interrupt = listener;
          return () => {};
        },
      };
      this.#ended = run(['serve', '--nodes', String(nodes), '--agents', '--kubeconfig', kubeconfig], terminal);
    });
  }

  async stop(): Promise<void> {
    this.#interrupt();
    await this.#ended;
    rmSync(this.directory, { recursive: true });
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      const target = join(this.directory, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
  }

  /** Runs a program to its end. */
  run(program: string, ...args: string[]): Promise<Ended> {
    const { directory } = this;
    const env = { PATH: process.env['PATH'] ?? '', HOME: directory, KUBECONFIG: join(directory, 'kubeconfig') };
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
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
}
