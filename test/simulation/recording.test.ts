import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SimulationRequest } from '../../src/simulation/load-simulation.ts';
import { RecordingWriter, readRecording, rememberingSource } from '../../src/simulation/recording.ts';
import { textSource } from '../manifests/text-source.ts';

const REQUEST: SimulationRequest = { manifests: ['a.yaml'], seed: 3 };

async function record(lines: readonly string[]): Promise<Buffer> {
  const files = rememberingSource(textSource({ 'a.yaml': 'kind: Pöd\n', 'b.yaml': '' }));
  await files.read('a.yaml', 100);
  const pieces: Uint8Array[] = [];
  const sink = { write: (bytes: Uint8Array) => pieces.push(bytes), close: () => {} };
  const writer = new RecordingWriter(sink, '0.1.0', REQUEST, files.contents());
  for (const line of lines) writer.write(line);
  writer.end({ end: 'until', lines: lines.length, sha256: 'x' });
  return Buffer.concat(pieces);
}

const linesOf = (bytes: Uint8Array) => {
  const lines: string[] = [];
  const iterator = readRecording(bytes, 'r').lines();
  for (let next = iterator.next(); !next.done; next = iterator.next()) lines.push(next.value);
  return lines;
};

describe('a recording', () => {
  it('holds the request, the files that were read, and how it ended', async () => {
    const recording = readRecording(await record(['x']), 'r');
    expect(recording).toMatchObject({ berth: '0.1.0', request: REQUEST, footer: { end: 'until', lines: 1 } });
    expect(Buffer.from(await recording.files.read('a.yaml', 100)).toString()).toBe('kind: Pöd\n');
    await expect(recording.files.read('b.yaml', 100)).rejects.toThrow('r: does not hold the file b.yaml');
  });

  it('gives back the lines that were written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string()), async (lines) => {
        expect(linesOf(await record(lines))).toEqual(lines);
      }),
    );
  });

  it('can be read as far as it goes when it was cut off', async () => {
    const lines = Array.from({ length: 40_000 }, (_, i) => `line ${i} ${'x'.repeat(i % 97)}`);
    const bytes = await record(lines);
    const found = linesOf(bytes.subarray(0, Math.floor(bytes.length * 0.7)));
    expect(found.length).toBeGreaterThan(1000);
    expect(found.length).toBeLessThan(lines.length);
    expect(found).toEqual(lines.slice(0, found.length));
  });

  it.each([
    [Buffer.from('text'), 'r: is not gzip-compressed'],
    [Buffer.from('1f8b08000000000000034b4c4a0600c241243503000000', 'hex'), 'r: was not written by berth simulate'],
  ])('is nothing else (%#)', (bytes, message) => {
    expect(() => readRecording(bytes, 'r')).toThrow(message);
  });
});
