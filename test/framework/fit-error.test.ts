import { describe, expect, test } from 'vitest';
import { fitErrorMessage, preFilterErrorMessage } from '../../src/framework/fit-error.ts';
import { unresolvable } from '../../src/framework/status.ts';

describe('the text of the FailedScheduling event', () => {
  test('counts reasons and sorts "count reason" as text', () => {
    const counts = new Map([
      ['Insufficient cpu', 3],
      ['Too many pods', 14],
      ['node(s) were unschedulable', 3],
      ['Insufficient memory', 2],
    ]);
    expect(fitErrorMessage(22, counts)).toBe(
      '0/22 nodes are available: 14 Too many pods, 2 Insufficient memory, 3 Insufficient cpu, 3 node(s) ' +
        'were unschedulable.',
    );
  });

  test('sorts capitals before small letters, as bytes do', () => {
    expect(fitErrorMessage(2, new Map(['b', 'B'].map((reason) => [reason, 1])))).toBe(
      '0/2 nodes are available: 1 B, 1 b.',
    );
  });

  test.each([1, 2, 16, 17, 40])('sorts %i reasons', (length) => {
    const counts = new Map(Array.from({ length }, (_, i) => [`reason ${(i * 7) % length}`, ((i * 5) % 12) + 1]));
    const texts = Array.from(counts, ([reason, count]) => `${count} ${reason}`).sort();
    expect(fitErrorMessage(9, counts)).toBe(`0/9 nodes are available: ${texts.join(', ')}.`);
  });

  test('ends in a colon without a reason', () => {
    expect(fitErrorMessage(3, new Map())).toBe('0/3 nodes are available:');
  });

  test('a PreFilter rejection is reported once; one of the framework counts for every node', () => {
    expect(preFilterErrorMessage(3, unresolvable('NodeAffinity', 'pod affinity terms conflict'))).toBe(
      '0/3 nodes are available: pod affinity terms conflict.',
    );
    expect(preFilterErrorMessage(3, unresolvable('', "node(s) didn't satisfy plugin(s) [NodeAffinity]"))).toBe(
      "0/3 nodes are available: 3 node(s) didn't satisfy plugin(s) [NodeAffinity].",
    );
  });
});
