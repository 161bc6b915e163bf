import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../src/cli/terminal/node-files.ts';
import { readManifests } from '../../../src/manifests/read.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PODS = 4000;
/** A megabyte, which is read in several chunks, with a character of several bytes in each object. */
const text = Array.from({ length: PODS }, (_, i) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `p${i}`, annotations: { note: `${'é'.repeat(100)} ${i}` } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  }),
).join('\n');

function fileOf(name: string, bytes: string | Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

describe('a file that is longer than a chunk', () => {
  const files = nodeFiles(() => {});
  const plain = fileOf('pods.ndjson', text);
  const notes = async (name: string) =>
    (await readManifests([name], files)).pods.map(({ metadata }) => metadata?.annotations?.['note']?.slice(100));

  it('is read to its end, plain and compressed', async () => {
    const wanted = Array.from({ length: PODS }, (_, i) => ` ${i}`);
    expect(await notes(plain)).toEqual(wanted);
    expect(await notes(fileOf('pods.gz', gzipSync(text)))).toEqual(wanted);
  });

  it('may be a pipe, also where it is read as a whole', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const feed = () => spawn('sh', ['-c', `cat ${plain} > ${pipe}`], { stdio: 'ignore' });
    feed();
    expect(Buffer.from(await files.read(pipe, 1e8)).toString()).toBe(text);
    feed();
    expect(await notes(pipe)).toHaveLength(PODS);
  });
});
