import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/** Asks a question on standard error; the end of the input is an empty answer, and Ctrl-C ends the process. */
export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  try {
    return await Promise.race([lines.question(question), once(lines, 'close').then(() => '')]);
  } finally {
    lines.close();
  }
}
