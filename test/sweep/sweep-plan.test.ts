import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeedList } from '../../src/sweep/seed-list.ts';
import { type SweepPlan, SweepRuns } from '../../src/sweep/sweep-plan.ts';
import { PLAN } from './a-plan.ts';

describe('seeds', () => {
  const all = (text: string) => {
    const seeds = SeedList.parse(text);
    return Array.from({ length: seeds.count }, (_, i) => seeds.at(i));
  };

  it('are single ones and ranges, in the order in which they are listed', () => {
    expect(all('7')).toEqual([7]);
    expect(all('3..6')).toEqual([3, 4, 5, 6]);
    expect(all(' 9, 1..3 ,0')).toEqual([9, 1, 2, 3, 0]);
    expect(SeedList.parse('9, 1..3,5..5').toString()).toBe('9,1..3,5');
    expect(() => SeedList.parse('1..3').at(3)).toThrow(RangeError);
  });

  it.each([
    ['', '"" is neither a seed nor a range such as 1..100'],
    ['1..', '"1.." is neither a seed nor a range such as 1..100'],
    ['-1', '"-1" is neither a seed nor a range such as 1..100'],
    ['1,x', '"x" is neither a seed nor a range such as 1..100'],
    ['5..4', '"5..4": the last seed is less than the first'],
    ['4294967296', '"4294967296": a seed is at most 4294967295'],
    ['0..4294967295', 'there are 4294967296 seeds, at most 10000000 are possible'],
  ])('refuses %j', (text, message) => {
    expect(() => SeedList.parse(text)).toThrow(message);
  });

  it('any list says the same of itself when it is read again', () => {
    const part = fc.tuple(fc.nat(1000), fc.nat(20)).map(([first, more]) => `${first}..${first + more}`);
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const text = SeedList.parse(parts.join(',')).toString();
        expect(all(text)).toEqual(all(parts.join(',')));
      }),
    );
  });
});

describe('runs', () => {
  const runsOf = (plan: Partial<SweepPlan>) => {
    const runs = new SweepRuns({ ...PLAN, seeds: '5..6', ...plan });
    return Array.from({ length: runs.count }, (_, i) => runs.at(i));
  };

  it('are one a seed', () => {
    const settings = { kind: 'hetero', nodes: 60, pods: 150, tieBreak: 'random' };
    expect(runsOf({})).toEqual([
      { run: 1, seed: 5, settings },
      { run: 2, seed: 6, settings },
    ]);
  });

  it('are every combination with every seed, in the order of the columns', () => {
    const parameters = { 'config.a': [true, 'x'], pods: [1], nodes: [10, 20] };
    const shown = runsOf({ parameters, seeds: '7,9' }).map(({ seed, settings }) => [...Object.values(settings), seed]);
    expect(shown).toHaveLength(8);
    expect(shown.slice(0, 5)).toEqual([
      [true, 1, 10, 7],
      [true, 1, 10, 9],
      ['x', 1, 10, 7],
      ['x', 1, 10, 9],
      [true, 1, 20, 7],
    ]);
  });

  it('of a list are one after the other, each with the grid', () => {
    const list = [{ nodes: 5 }, { nodes: 6, 'config.a': 1 }];
    const runs = runsOf({ parameters: { pods: [1, 2] }, list, seeds: '1' });
    expect(runs.map(({ run, settings }) => ({ run, ...settings }))).toEqual([
      { run: 1, nodes: 5, pods: 1 },
      { run: 2, nodes: 5, pods: 2 },
      { run: 3, nodes: 6, 'config.a': 1, pods: 1 },
      { run: 4, nodes: 6, 'config.a': 1, pods: 2 },
    ]);
  });

  it('samples have every value of every parameter', () => {
    const plan = { ...PLAN, parameters: { nodes: [1, 2, 3], pods: [4, 5] }, list: [{ lose: 'a' }, { lose: 'b' }] };
    const samples = new SweepRuns(plan).samples();
    expect(samples).toHaveLength(5);
    const seen = (name: string) => [...new Set(samples.map((settings) => settings[name]))].sort();
    expect([seen('nodes'), seen('pods'), seen('lose')]).toEqual([
      [1, 2, 3],
      [4, 5],
      ['a', 'b'],
    ]);
  });
});
