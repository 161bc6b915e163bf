import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeedList } from '../../src/sweep/seed-list.ts';
import { runAt, runCount, type SweepParameters } from '../../src/sweep/sweep-plan.ts';

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
  const parameters: SweepParameters = {
    ...{ kind: 'hetero', nodes: 10, pods: 20, tieBreak: 'first', percentageOfNodesToScore: null },
    seeds: SeedList.parse('5..6'),
    configs: [],
  };
  const runs = (all: SweepParameters) => Array.from({ length: runCount(all) }, (_, i) => runAt(all, i));

  it('are one a seed', () => {
    expect(runs(parameters)).toEqual([
      { run: 1, seed: 5, config: null },
      { run: 2, seed: 6, config: null },
    ]);
  });

  it('are every seed with each configuration in turn', () => {
    const configs = ['a', 'b'].map((name) => ({ name, sha256: name }));
    expect(runs({ ...parameters, configs }).map(({ seed, config }) => [seed, config])).toEqual([
      ...[
        [5, 0],
        [6, 0],
      ],
      ...[
        [5, 1],
        [6, 1],
      ],
    ]);
  });
});
