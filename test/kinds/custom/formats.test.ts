import { expect, it } from 'vitest';
import { hasFormat } from '../../../src/kinds/custom/formats.ts';

it.each([
  ['duration', '3 days', true],
  ['duration', '1h30m', true],
  ['duration', '3 fortnights', false],
  // Each digit would be the beginning of a number that is read to its end.
  ['duration', '1'.repeat(500_000), false],
  ['hostname', `${'a.'.repeat(300)}b`, false],
  ['hostname', 'a.example.com', true],
])('%s: a text that begins with %.20s', (format, text, has) => {
  expect(hasFormat(text, format)).toBe(has);
});
