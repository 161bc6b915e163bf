import { describe, expect, it } from 'vitest';
import { warningHeaders } from '../../../src/apiserver/http/warning-headers.ts';

const textOf = (header: string): string => Buffer.from(header, 'latin1').toString().slice('299 - "'.length, -1);
const texts = (warnings: readonly string[]): string[] => warningHeaders(warnings).map(textOf);

describe('warningHeaders', () => {
  it('quotes each text once, as bytes of UTF-8, and leaves out what has control characters', () => {
    expect(warningHeaders(['a "b"', 'two\nlines', 'ä', 'a "b"'])).toEqual([
      '299 - "a \\"b\\""',
      '299 - "\u00c3\u00a4"',
    ]);
  });

  it('keeps what has room together whole', () => {
    const long = ['€'.repeat(3000), '€'.repeat(1096)];
    expect(texts(long)).toEqual(long);
  });

  it('cuts all of them where one has no room', () => {
    const long = ['a'.repeat(3000), '😀'.repeat(1097), 'short'];
    expect(texts(long)).toEqual(['a'.repeat(256), '😀'.repeat(256), 'short']);
  });

  it('gives what came until there was no room, and goes on while cut ones have', () => {
    const many = Array.from({ length: 1000 }, (_, i) => `${i}`.padStart(4, '0'));
    expect(texts(many)).toEqual(many);
    const tooMany = Array.from({ length: 9999 }, (_, i) => `${i}`.padStart(4, '0'));
    expect(texts(tooMany)).toHaveLength(1025);
    const cut = Array.from({ length: 99 }, (_, i) => `${i}`.padEnd(400, 'x'));
    expect(texts(cut)).toEqual(cut.slice(0, 16).map((text) => text.slice(0, 256)));
  });
});
