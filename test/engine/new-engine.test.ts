import { describe, expect, test } from 'vitest';
import type { EngineName } from '../../src/engine/cycle/engine.ts';
import { newEngine, reasonAgainstColumns } from '../../src/engine/new-engine.ts';
import { ClusterState } from '../../src/framework/cluster/cluster-state.ts';
import type { FilterPlugin, Plugin, PreFilterPlugin, ScorePlugin } from '../../src/framework/plugin.ts';
import { podRequirements } from '../../src/framework/pod-info.ts';
import { Framework } from '../../src/framework/runtime/framework.ts';
import { InlineRunner } from '../../src/pool/inline-runner.ts';
import { atEveryPoint } from '../builders/framework-plugins.ts';

const score: ScorePlugin = { name: 'A', scoreReads: 'node', score: () => 0 };
const frameworkOf = (plugins: readonly Plugin[], weights: Readonly<Record<string, number>> = {}) =>
  new Framework(atEveryPoint(plugins, new Map(Object.entries(weights))));
const nameOf = (kind: EngineName, framework: Framework): string =>
  newEngine(kind, framework, new ClusterState(podRequirements), true, (modules) => new InlineRunner(modules)).name;

describe('a profile that columns can answer for', () => {
  test.each<EngineName>(['reference', 'scalar', 'simd'])('gets the engine that was asked for: %s', (kind) => {
    expect(nameOf(kind, frameworkOf([score]))).toBe(kind);
  });

  test('may have no plugins at all', () => {
    expect([reasonAgainstColumns(frameworkOf([])), nameOf('simd', frameworkOf([]))]).toEqual([null, 'simd']);
  });
});

describe('the reference engine decides instead', () => {
  test('where totals may leave the 32 bits of a column', () => {
    // 100 times the sum of the weights must not exceed 2^31 - 1.
    const most = Math.floor((2 ** 31 - 1) / 100);
    const b = { ...score, name: 'B' };
    expect(reasonAgainstColumns(frameworkOf([score, b], { A: most - 1, B: 1 }))).toBe(null);
    const tooLarge = frameworkOf([score, b], { A: most, B: 1 });
    expect(reasonAgainstColumns(tooLarge)).toBe('the weights of its score plugins are too large');
    expect(reasonAgainstColumns(frameworkOf([score, b], { A: -most, B: 1 }))).not.toBe(null);
    expect([nameOf('simd', tooLarge), nameOf('scalar', tooLarge)]).toEqual(['reference', 'reference']);
  });

  test('where a plugin is called without the step that prepares it', () => {
    const prepared: PreFilterPlugin & FilterPlugin = {
      ...{ name: 'Prepared', filterReads: 'node', dependsOn: () => null },
      ...{ preFilter: () => null, filter: () => null },
    };
    const incomplete = new Framework({ byPoint: { filter: [prepared] }, scoreWeights: new Map() });
    expect(reasonAgainstColumns(incomplete)).toBe('a plugin is called without the step that prepares it');
    expect(nameOf('simd', incomplete)).toBe('reference');
    expect(reasonAgainstColumns(frameworkOf([prepared]))).toBe(null);
  });
});
