import { run } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { textSource } from '../cluster/manifests/text-source.ts';

/** Two nodes of two cpus, as YAML documents. */
export const NODES = ['n1', 'n2']
  .map((name) => `kind: Node\nmetadata: {name: ${name}}\nstatus: {allocatable: {cpu: 2, memory: 4Gi, pods: 10}}\n---\n`)
  .join('');
/** A pod that asks for cpu; `more` is put into its spec. */
export const pod = (name: string, cpu: string, more = '') =>
  `kind: Pod\nmetadata: {name: ${name}}\n` +
  `spec: {${more}containers: [{name: c, resources: {requests: {cpu: "${cpu}"}}}]}\n---\n`;

/** Runs a command line on files held in memory. */
export async function berth(argv: readonly string[], files: Record<string, string> = {}, print?: Terminal['print']) {
  let out = '';
  const told: string[] = [];
  const written: Record<string, string> = {};
  const code = await run(argv, {
    print:
      print ??
      (async (text) => {
        out += text;
      }),
    tell: (line) => told.push(line),
    drawsProgress: false,
    files: textSource(files),
    createFile: (name) => {
      written[name] = '';
      return {
        write: (text) => {
          written[name] += text;
        },
        close: () => {},
      };
    },
  });
  return { code, out, told, written };
}
