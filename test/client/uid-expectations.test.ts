import { describe, expect, it } from 'vitest';
import { UidExpectations } from '../../src/client/expectations.ts';

describe('UidExpectations', () => {
  it('are open until each uid was seen, per key', () => {
    const expectations = new UidExpectations();
    expectations.expect('a', ['1', '2']);
    expectations.expect('a', ['2', '3']);
    expectations.expect('b', ['1']);
    expectations.observed('a', '1');
    expectations.observed('a', '7');
    expectations.observed('c', '1');
    expect([...expectations.get('a')]).toEqual(['2', '3']);
    expect([...expectations.get('b')]).toEqual(['1']);
    expect([...expectations.get('c')]).toEqual([]);
    expectations.delete('a');
    expect([...expectations.get('a')]).toEqual([]);
  });

  it('hand out what is open as of now', () => {
    const expectations = new UidExpectations();
    const none = expectations.get('a');
    expectations.expect('a', ['1', '2']);
    const two = expectations.get('a');
    expectations.observed('a', '1');
    expectations.expect('a', ['3']);
    expect([[...none], [...two], [...expectations.get('a')]]).toEqual([[], ['1', '2'], ['2', '3']]);
  });
});
