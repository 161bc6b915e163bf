import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { textTerminal } from '../cli/run-berth.ts';
import { type Ended, runProgram } from './run-program.ts';
import { writeFiles } from './write-files.ts';

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
    writeFiles(this.directory, files);
  }

  /** Runs a program to its end. */
  run(program: string, ...args: string[]): Promise<Ended> {
    const { directory } = this;
    const env = { PATH: process.env['PATH'] ?? '', HOME: directory, KUBECONFIG: join(directory, 'kubeconfig') };
    return runProgram(program, args, { cwd: directory, env });
  }
}
