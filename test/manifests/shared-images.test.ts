import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonPiece } from '../../src/manifests/json-document.ts';
import { readManifests } from '../../src/manifests/read.ts';
import { SharedImages } from '../../src/manifests/shared-images.ts';
import { SharedParts } from '../../src/manifests/shared-parts.ts';
import { StreamDecoder } from '../../src/manifests/stream-decoder.ts';
import { textSource } from './text-source.ts';

const GOOD = [
  '{"names": ["a:1", "a@sha256:1"], "sizeBytes": 1}',
  '{"names":["b:1"],"sizeBytes":2}',
  '{\n  "names": ["é"],\n  "sizeBytes": 3\n}',
  '{"names": ["a}b{"], "sizeBytes": 4}',
  '{"names": [], "sizeBytes": null}',
  '{}',
];
const ODD = [
  '{"names": ["c"], "size": 1}',
  '{"names": "c"}',
  '{"names": ["c", null]}',
  '{"names": ["c"], "sizeBytes": -1}',
  '{"names": ["c"], "sizeBytes": 9007199254740993}',
  '{"names": ["c"], "names": ["d"]}',
  '{"names": [{"x": 1}]}',
  '{"names": ["\\u0063\\"}"]}',
  '{"names": ["c"]',
  '7',
  'null',
];
const ANNOTATIONS = ['{}', '{"x": "{\\"images\\": [{\\"y\\"}]}"}', '{"images": "[]"}', '{"im\\u0061ges": "x"}'];
const STATUSES = [
  (images: string) => `{"images": [${images}]}`,
  (images: string) => `{ "images" :\n[ ${images} ] , "phase": null}`,
  (images: string) => `{"conditions": [], "images": [${images}], "daemonEndpoints": {}}`,
  (images: string) => `{"images": [${images}], "images": []}`,
  (images: string) => `{"images": [${images},]}`,
  (images: string) => `{"other": {"images": [${images}]}, "im\\u0061ges": []}`,
  (images: string) => `{"other": {"images": [${images}]}}`,
  () => '{"images": null}',
];

/** Mostly what is in order, sometimes what is not. */
const mostly = <T>(good: readonly T[], odd: readonly T[]) =>
  fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });
const node = fc
  .record({
    images: fc.array(mostly(GOOD, ODD), { maxLength: 4 }),
    annotations: mostly(['{}'], ANNOTATIONS),
    status: mostly(STATUSES.slice(0, 3), STATUSES),
    cpu: mostly(['"1"'], ['"many"']),
  })
  .map(({ images, annotations, status, cpu }) => ({
    metadata: `"annotations": ${annotations}`,
    status: `${status(images.join(', ')).slice(0, -1)}, "capacity": {"cpu": ${cpu}}}`,
  }));
const nodes = fc.array(node, { minLength: 1, maxLength: 12 });

/** The text of a Node; whether its kind stands where it is looked for decides whether images are shared. */
function textOf({ metadata, status }: { metadata: string; status: string }, i: number, isKindFirst: boolean): string {
  const rest = `"metadata": {"name": "n${i}", ${metadata}}, "status": ${status}`;
  const kind = '"apiVersion": "v1", "kind": "Node"';
  return isKindFirst ? `{${kind}, ${rest}}\n` : `{${rest}, ${kind}}\n`;
}

type Shown = { status: { images: unknown[] } };

/** What is read, or the message of the error without its column. */
async function read(text: string): Promise<unknown> {
  try {
    return await readManifests(['-'], textSource({ '-': text }));
  } catch (error) {
    return (error as Error).message.replace(/:\d+: malformed/, ': malformed');
  }
}

describe('SharedImages', () => {
  it('are read, checked and warned about as those of nodes that share nothing', async () => {
    await fc.assert(
      fc.asyncProperty(nodes, async (list) => {
        const texts = (isKindFirst: boolean) => list.map((each, i) => textOf(each, i, isKindFirst)).join('');
        const shared = await read(texts(true));
        expect(shared).toEqual(await read(texts(false)));
      }),
      { numRuns: 150 },
    );
  });

  it('give the value that JSON.parse gives', () => {
    const images = new SharedImages();
    fc.assert(
      fc.property(nodes, (list) => {
        for (const [i, each] of list.entries()) {
          const bytes = Buffer.from(textOf(each, i, true));
          const members = [
            ...bytes
              .toString()
              .replaceAll(/"(\\.|[^"\\])*"/g, '')
              .matchAll(/:/g),
          ].length;
          const piece = { part: 'item', bytes, line: 2, column: 1, endByte: bytes.length, members } as const;
          const unshared = { parse: () => undefined };
          const outcome = (by: Pick<SharedImages, 'parse'>): unknown => {
            try {
              return parseJsonPiece(piece, 'f', { images: by, parts: new SharedParts() });
            } catch (error) {
              return String(error);
            }
          };
          expect(outcome(images)).toEqual(outcome(unshared));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('are one object for all nodes of a file', () => {
    const status = `{"images": [${GOOD[0]}, ${GOOD[1]}]}`;
    const text = [0, 1, 2].map((i) => textOf({ metadata: '"labels": {}', status }, i, true)).join('');
    const decoder = new StreamDecoder('nodes.json');
    const found = [...decoder.push(Buffer.from(text)), ...decoder.end()];
    const imagesOf = (i: number) => (found.at(i)?.value as Shown | undefined)?.status.images ?? [];
    expect(imagesOf(2)).toHaveLength(2);
    expect(imagesOf(2)[0]).toBe(imagesOf(0)[0]);
    expect(imagesOf(2)[1]).toBe(imagesOf(1)[1]);
  });
});
