import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { berth, NODES, pod } from './run-berth.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-hostile-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FINE = NODES + pod('a', '1');
const level = (name: string, below: string) => `${name}: &${name} [${Array(9).fill(below).join(', ')}]\n`;
const BOMB = `${level('a', 'x')}${['b', 'c', 'd', 'e', 'f', 'g']
  .map((name, i) => level(name, `*${'abcdef'[i]}`))
  .join('')}kind: Pod\n`;

/** What nobody means, and must not be read as anything. */
const HOSTILE: Readonly<Record<string, string | Uint8Array>> = {
  'unfinished lists': '{"kind":"List","items":['.repeat(20_000),
  'lists in lists': `${'{"kind":"List","items":['.repeat(20_000)}${']}'.repeat(20_000)}`,
  'deep lists': `kind: Pod\nmetadata: ${'['.repeat(20_000)}\n`,
  'cyclic aliases': 'kind: List\nitems: &a\n- kind: List\n  items: *a\n',
  'a cyclic member': 'kind: Pod\nmetadata: {name: a, labels: &x {a: *x}}\n',
  'aliases of aliases': BOMB,
  'a name of 5 MB': JSON.stringify({ kind: 'Node', metadata: { name: 'x'.repeat(5e6) } }),
  'control characters': 'kind: Node\nmetadata: {name: "\\e[31mred\\nerror: forged"}\n',
  'duplicate keys': '{"kind":"Node","metadata":{"name":"a","name":"b"}}',
  'half a gzip': gzipSync(FINE).subarray(0, 60),
  'half a zstd': Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3, 4),
  'any bytes': Uint8Array.from({ length: 512 }, (_, i) => i % 256),
  nothing: '',
};

/** Every flag by which a file is read. */
const READERS: readonly (readonly string[])[] = [
  ['schedule', '-f'],
  ['schedule', '-f', 'fine.yaml', '--config'],
  ['simulate', '--until', '1m', '-f'],
  ['simulate', '--nodes', '1', '--until', '1m', '--workload'],
  ['simulate', '--nodes', '1', '--until', '1m', '--faults'],
  ['simulate', '--nodes', '1', '--until', '1m', '--config'],
  ['simulate', '--nodes', '1', '--alibaba'],
  ['simulate', '--openb', 'fine.yaml'],
  ['simulate', '--replay'],
  ['bench', '--repeat', '1', '-f'],
  ['bench', '--perf-config'],
  ['bench', 'compare', 'fine.yaml'],
  ['sweep', '--seeds', '1', '-o', join(folder, 'sweep.ndjson'), '--config'],
  ['import-openb', 'fine.yaml'],
];

const LINE_MAX = 600;

describe.each(Object.keys(HOSTILE))('%s', (name) => {
  const content = HOSTILE[name] ?? '';
  it.each(READERS.map((argv) => [argv.join(' '), argv] as const))(
    '%s: one line, exit code 1, nothing written',
    async (_, argv) => {
      const { code, out, logged, written } = await berth([...argv, 'x'], { x: content, 'fine.yaml': FINE });
      expect({ code, out, written }).toEqual({ code: 1, out: '', written: {} });
      expect(logged).toEqual([expect.stringMatching(/^error: /)]);
      expect(logged[0]?.length).toBeLessThan(LINE_MAX);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there
      expect(logged[0]).not.toMatch(/[\x00-\x1f]/);
      expect(readdirSync(folder)).not.toContain('sweep.ndjson');
    },
  );
});
