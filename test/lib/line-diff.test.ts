import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineDiff } from '../../src/lib/line-diff.ts';

/** Applies the hunks of a diff to the text before it. */
function patched(before: string, diff: string): string {
  const lines = before.split('\n');
  const result: string[] = [];
  let at = 0;
  for (const line of diff.split('\n').slice(0, -1)) {
    const [, start, , length] = /^@@ -(\d+)(,(\d+))? \+\d+(?:,\d+)? @@$/.exec(line) ?? [];
    if (start !== undefined) {
      const first = length === '0' ? Number(start) : Number(start) - 1;
      result.push(...lines.slice(at, first));
      at = first;
      continue;
    }
    if (line.startsWith('+')) result.push(line.slice(1));
    else {
      expect(line.slice(1)).toBe(lines[at]);
      if (line.startsWith(' ')) result.push(lines[at] as string);
      at++;
    }
  }
  return [...result, ...lines.slice(at)].join('\n');
}

describe('lineDiff', () => {
  it('shows a change with three lines around it', () => {
    const lines = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    const after = lines.with(4, 'E');
    expect(lineDiff(lines.join('\n'), after.join('\n'))).toBe('@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n');
  });

  it('puts changes that are far from each other into hunks of their own', () => {
    const lines = Array.from({ length: 20 }, (_, i) => String(i));
    const after = lines.with(1, 'x').with(18, 'y');
    expect(lineDiff(lines.join('\n'), after.join('\n')).match(/^@@.*$/gm)).toEqual([
      '@@ -1,5 +1,5 @@',
      '@@ -16,5 +16,5 @@',
    ]);
  });

  it('is empty for equal texts', () => {
    expect(lineDiff('a\nb', 'a\nb')).toBe('');
  });

  it('leads from one text to the other', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '}', '{'), { maxLength: 260 }).map((all) => all.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(patched(before, lineDiff(before, after))).toBe(after);
      }),
      { numRuns: 100 },
    );
  });
});
