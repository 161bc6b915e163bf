import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineSplitter } from '../../src/lib/line-splitter.ts';

it('gives the same lines however the bytes are cut', () => {
  const texts = fc.array(fc.string({ unit: 'binary', minLength: 1 }).map((text) => text.replaceAll('\n', ' ')));
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
  fc.assert(
    fc.property(texts, sizes, (lines, cuts) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const splitter = new LineSplitter();
      const found: string[] = [];
      for (let start = 0, i = 0; start < bytes.length; i++) {
        const size = cuts[i % cuts.length] ?? 1;
        found.push(...splitter.push(bytes.subarray(start, start + size)));
        start += size;
      }
      expect(found).toEqual(lines.map((line) => Buffer.from(line).toString()));
    }),
  );
});

it('keeps a line whose end has not come', () => {
  const splitter = new LineSplitter();
  expect(splitter.push(Buffer.from('a\n\nb'))).toEqual(['a']);
  expect(splitter.push(Buffer.from('c\n'))).toEqual(['bc']);
});
