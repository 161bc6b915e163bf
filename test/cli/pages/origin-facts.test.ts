import { describe, expect, it } from 'vitest';
import { inputFacts, originFacts } from '../../../src/cli/pages/origin-facts.ts';

describe('the facts on top of a page', () => {
  it('are the command, the version, and the commit where it is known', () => {
    const origin = { command: 'berth simulate', berth: '1.2.3', commit: null };
    expect(originFacts(origin)).toEqual([
      ['Command', 'berth simulate'],
      ['Berth', '1.2.3'],
    ]);
    expect(originFacts({ ...origin, commit: '0123456789abcdef' })[1]).toEqual(['Berth', '1.2.3, commit 0123456789ab']);
  });

  it('name the files that were read', () => {
    const flags = { filename: ['a.yaml', 'b.yaml'], output: 'table', faults: 'faults.yaml', compare: undefined };
    expect(inputFacts(flags)).toEqual([['Inputs', 'a.yaml, b.yaml, faults.yaml']]);
    expect(inputFacts({ nodes: 10 })).toEqual([]);
  });
});
