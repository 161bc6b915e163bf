import { run } from '../../src/cli/program.ts';
import { openResultFile } from '../../src/cli/terminal/node-result-file.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { urlObjects } from '../../src/cli/terminal/url-objects.ts';
import { textSource } from '../manifests/text-source.ts';

/** Two nodes of two cpus, as YAML documents. */
export const NODES = ['n1', 'n2']
  .map((name) => `kind: Node\nmetadata: {name: ${name}}\nstatus: {allocatable: {cpu: 2, memory: 4Gi, pods: 10}}\n---\n`)
  .join('');
/** A pod that asks for cpu; `more` is put into its spec. */
export const pod = (name: string, cpu: string, more = '') =>
  `kind: Pod\nmetadata: {name: ${name}}\n` +
  `spec: {${more}containers: [{name: c, resources: {requests: {cpu: "${cpu}"}}}]}\n---\n`;

/** A terminal over files held in memory; result files are on the disk. */
export function textTerminal(files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const seen = { out: '', logged: [] as string[], written: {} as Record<string, string> };
  const terminal: Terminal = {
    print: async (text) => {
      seen.out += text;
    },
    log: (line) => seen.logged.push(line),
    drawsProgress: false,
    progressLineMillis: Number.POSITIVE_INFINITY,
    columns: undefined,
    files: textSource(files),
    findFiles: async (name) => [name],
    createFile: (name) => {
      seen.written[name] = '';
      return {
        write: (content) => {
          seen.written[name] += typeof content === 'string' ? content : Buffer.from(content).toString('latin1');
        },
        close: () => {},
      };
    },
    createFolder: () => {},
    noteOutput: () => {},
    discardUnfinished: () => {},
    openResultFile,
    objects: urlObjects(process.env, async () => {}),
    onInterrupt: () => () => {},
    interruptedBy: undefined,
    heap: FIXED_HEAP,
    collectGarbage: () => {},
    collectYoungGarbage: () => {},
    roughHeapBytes: () => 0,
  };
  return { terminal, seen };
}

/** Collecting garbage would take longer than everything else in a test. */
const FIXED_HEAP: Terminal['heap'] = { usedBytes: () => 0, heapLimitBytes: 4 * 2 ** 30 };

/** Runs a command line. */
export async function berth(
  argv: readonly string[],
  files: Readonly<Record<string, string | Uint8Array>> = {},
  more: Partial<Terminal> = {},
) {
  const { terminal, seen } = textTerminal(files);
  const code = await run(argv, { ...terminal, ...more });
  return { code, ...seen };
}
