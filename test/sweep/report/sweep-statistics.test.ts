import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadableFile } from '../../../src/sweep/line-reader.ts';
import { openShards } from '../../../src/sweep/merge-shards.ts';
import { type ReportOptions, reportOf } from '../../../src/sweep/report/sweep-statistics.ts';
import { runIndexAt, runsOfShard } from '../../../src/sweep/shard.ts';
import { headerOf, shardHeader } from '../../../src/sweep/sweep-header.ts';
import { type SweepPlan, SweepRuns } from '../../../src/sweep/sweep-plan.ts';
import { PLAN } from '../a-plan.ts';

type Figures = Readonly<Record<string, number | string>>;

const OPTIONS: ReportOptions = { baseline: 1, confidence: 0.95 };

/** The shards of a sweep whose runs have these figures. */
function shardsOf(plan: SweepPlan, of: number, figuresOf: (index: number) => Figures): ReadableFile[] {
  const header = headerOf(plan, new Map(), '1.2.3');
  const runs = new SweepRuns(plan);
  return Array.from({ length: of }, (_, i) => {
    const shard = { shard: i + 1, of };
    const rows = Array.from({ length: runsOfShard(shard, runs.count) }, (_row, position) => {
      const { run, seed, settings } = runs.at(runIndexAt(shard, position));
      return JSON.stringify({ run, seed, ...settings, end: 'placed', ...figuresOf(run - 1) });
    });
    const bytes = Buffer.from(`${[JSON.stringify(shardHeader(header, shard)), ...rows].join('\n')}\n`);
    const read = (target: Uint8Array, from: number) =>
      bytes.copy(target, 0, from, Math.min(bytes.length, from + target.length));
    return { name: `part-${i + 1}`, sizeBytes: bytes.length, read };
  });
}

function report(plan: SweepPlan, figuresOf: (index: number) => Figures, options: Partial<ReportOptions> = {}, of = 1) {
  const shards = shardsOf(plan, of, figuresOf);
  return reportOf(
    () => openShards(shards),
    { ...OPTIONS, ...options },
    () => {},
  );
}

/** Two configurations, with two numbers of nodes each, and five seeds; the configuration changes slower or faster. */
const TWO: SweepPlan = { ...PLAN, parameters: { nodes: [50, 100], tieBreak: ['first', 'random'] }, seeds: '1..5' };

describe('the report of a sweep', () => {
  it('has the mean, the interval and the ends of all runs', () => {
    const values = [3, 5, 4, 8, 10];
    const plan: SweepPlan = { ...PLAN, seeds: '1..5' };
    const { figures, variants, runs } = report(plan, (i) => ({ evicted: values[i] ?? 0, failed: 0 }));
    expect({ runs, variants }).toEqual({ runs: 5, variants: [{ title: 'all', settings: {}, ends: { placed: 5 } }] });
    // The standard deviation is the root of 8.5, and 2.776 the quantile for four degrees of freedom.
    const margin = (2.7764 * Math.sqrt(8.5)) / Math.sqrt(5);
    expect(figures).toEqual([
      {
        ...{ figure: 'evicted', variant: 'all', runs: 5, mean: 6, min: 3, max: 10 },
        deviation: expect.closeTo(Math.sqrt(8.5), 10),
        interval: [expect.closeTo(6 - margin, 3), expect.closeTo(6 + margin, 3)],
      },
    ]);
  });

  it('compares a run with the one that differs only in the variant', () => {
    // What a seed and a number of nodes add is the same for both rules, and much more than what the rule adds.
    const noise = [0.3, -0.2, 0.1, 0.4, -0.1];
    const figuresOf = (index: number): Figures => {
      const { seed, settings } = new SweepRuns(TWO).at(index);
      const isRandom = settings['tieBreak'] === 'random';
      return { evicted: seed * 1000 + Number(settings['nodes']) + (isRandom ? 1 + (noise[seed - 1] ?? 0) : 0) };
    };
    const { by, baseline, figures } = report(TWO, figuresOf, { by: ['tieBreak'] });
    expect({ by, baseline }).toEqual({ by: ['tieBreak'], baseline: 'tieBreak=first' });
    const [first, random] = figures;
    expect(first?.against).toBeUndefined();
    expect(random?.against).toMatchObject({ pairs: 10, mean: expect.closeTo(1.1, 10) });
    expect(random?.against?.p).toBeLessThan(1e-6);
    // Unpaired, the intervals could not be told apart.
    expect(random?.interval?.[0]).toBeLessThan(first?.mean ?? 0);
    const turned = report(TWO, figuresOf, { by: ['tieBreak'], baseline: 2 });
    expect(turned.figures[0]?.against).toMatchObject({ pairs: 10, mean: expect.closeTo(-1.1, 10) });
    expect(turned.figures[1]?.against).toBeUndefined();
  });

  it('is sure of a constant difference only as far as the number of pairs allows', () => {
    const figuresOf = (index: number): Figures => ({ evicted: index < 5 ? 7 : 8, scheduled: 4 });
    const plan: SweepPlan = { ...PLAN, parameters: { nodes: [50, 100] }, seeds: '1..5' };
    const [, scheduled, , evicted] = report(plan, figuresOf).figures;
    expect(scheduled?.against).toEqual({ pairs: 5, mean: 0, interval: [0, 0], p: 1, pOfAll: 1 });
    expect(evicted?.against).toEqual({ pairs: 5, mean: 1, interval: [1, 1], p: 1 / 16, pOfAll: 1 / 8 });
  });

  it('counts only runs that have a figure, and pairs that both have it', () => {
    const plan: SweepPlan = { ...PLAN, parameters: { nodes: [50, 100] }, seeds: '1..5' };
    const figuresOf = (index: number): Figures => (index === 1 || index === 7 ? {} : { evicted: index });
    const [first, second] = report(plan, figuresOf).figures;
    expect([first?.runs, second?.runs, second?.against?.pairs]).toEqual([4, 4, 3]);
  });

  it('is the same from shards, and has the means of plain sums, whatever is taken together', () => {
    const figure = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    const by = fc.constantFrom(undefined, ['nodes'], ['tieBreak'], ['tieBreak', 'nodes'], []);
    fc.assert(
      fc.property(
        fc.array(figure, { minLength: 20, maxLength: 20 }),
        fc.integer({ min: 1, max: 7 }),
        by,
        (values, of, names) => {
          const figuresOf = (index: number): Figures => ({ evicted: values[index] ?? 0 });
          const whole = report(TWO, figuresOf, { by: names, figures: ['evicted'] });
          expect(report(TWO, figuresOf, { by: names, figures: ['evicted'] }, of)).toEqual(whole);
          for (const [i, { settings }] of whole.variants.entries()) {
            const own = values.filter((_, index) => {
              const run = new SweepRuns(TWO).at(index);
              return Object.entries(settings).every(([name, value]) => run.settings[name] === value);
            });
            expect(whole.figures[i]?.runs).toBe(own.length);
            const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
            expect(Math.abs((whole.figures[i]?.mean ?? Number.NaN) - mean)).toBeLessThan(1e-6);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('of a list takes its lines as variants', () => {
    const list = [{ nodes: 10 }, { nodes: 20, tieBreak: 'random' }, { nodes: 10 }];
    const plan: SweepPlan = { ...PLAN, parameters: {}, list, seeds: '1..2' };
    const { variants, figures } = report(plan, (i) => ({ evicted: i + 1 }));
    expect(variants.map(({ title }) => title)).toEqual(['nodes=10', 'nodes=20, tieBreak=random']);
    expect(figures.map(({ runs, mean, against }) => [runs, mean, against?.pairs])).toEqual([
      [4, 3.5, undefined],
      [2, 3.5, 2],
    ]);
  });

  it.each<[string, Partial<ReportOptions>, RegExp]>([
    ['a parameter that does not vary', { by: ['kind'] }, /^--by kind: .* it varies nodes, tieBreak$/],
    ['an unknown figure', { figures: ['speed'] }, /^--figures speed: is none of scheduled, /],
    ['a baseline that is not there', { baseline: 5 }, /^--baseline 5: there are 4 variants$/],
  ])('refuses %s', (_, options, message) => {
    expect(() => report(TWO, () => ({}), options)).toThrow(message);
  });
});
