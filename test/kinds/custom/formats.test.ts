import { describe, expect, it } from 'vitest';
import { hasFormat } from '../../../src/kinds/custom/formats.ts';

describe('hasFormat', () => {
  it.each([
    ['ipv4', ['1.2.3.4'], ['::1', '1.2.3']],
    ['ipv6', ['::1'], ['1.2.3.4']],
    ['cidr', ['10.0.0.0/8', '::/0'], ['10.0.0.0', '10.0.0.0/33']],
    ['uri', ['http://a', '/a'], ['a', '', '/a b']],
    ['hostname', ['a', 'a.com', 'a-b'], ['-a', 'a b', 'a.b', `${'a.'.repeat(300)}b`]],
    ['date-time', ['2020-01-01T00:00:00Z', '2020-01-01t00:00:00.5+01:00'], ['2020-13-01T00:00:00Z', '2020-01-01']],
    ['date', ['2020-02-29'], ['2020-02-31', '2020-1-1']],
    // Each digit could be the beginning of a number that is read to its end.
    ['duration', ['1h30m', '3 days', '22 ns'], ['1x', '3 fortnights', '1'.repeat(500_000)]],
    ['byte', ['YQ=='], ['!!', '']],
    ['mac', ['01:02:03:04:05:06', '0102.0304.0506'], ['x', '01:02-03:04:05:06']],
    ['email', ['a@b'], ['x']],
    ['uuid4', ['00000000-0000-4000-8000-000000000000'], ['00000000-0000-1000-8000-000000000000']],
    ['isbn', ['0321751043', '978-0321751041'], ['0321751044']],
    ['rgbcolor', ['rgb(1,2,255)'], ['rgb(1,2,256)']],
    ['k8s-short-name', ['a-b'], ['a.b']],
    ['anything', ['x'], []],
  ])('%s', (format, good, bad) => {
    expect(good.filter((text) => !hasFormat(text, format))).toEqual([]);
    expect(bad.filter((text) => hasFormat(text, format))).toEqual([]);
  });
});
