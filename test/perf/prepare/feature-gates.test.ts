import { describe, expect, it } from 'vitest';
import { defaultSchedulerConfiguration } from '../../../src/caller/load-configuration.ts';
import { configurationUnder, mergedGates, refusedGates } from '../../../src/perf/prepare/feature-gates.ts';

const gates = (values: Readonly<Record<string, boolean>>) => new Map(Object.entries(values));

describe('feature gates', () => {
  it('are honoured where the value is possible', () => {
    const fine = {
      SchedulerQueueingHints: false,
      SchedulerAsyncAPICalls: true,
      DRAAnything: false,
      GangScheduling: true,
    };
    expect(refusedGates(gates(fine))).toEqual([]);
  });

  it('are named where it is not', () => {
    const refused = { CompositePodGroup: true, PodLevelResources: false, DRAAnything: true, New: false };
    expect(refusedGates(gates(refused))).toEqual([
      ...['feature gate CompositePodGroup=true', 'feature gate PodLevelResources=false'],
      ...['feature gate DRAAnything=true', 'feature gate New=false'],
    ]);
  });

  it('of a workload go before those of its test case', () => {
    expect(mergedGates(gates({ a: true, b: true }), gates({ b: false }))).toEqual(gates({ a: true, b: false }));
  });

  it('take plugins out of every profile', () => {
    const configuration = defaultSchedulerConfiguration();
    expect(configurationUnder(gates({ NodeDeclaredFeatures: true }), configuration)).toBe(configuration);
    const { profiles } = configurationUnder(gates({ NodeDeclaredFeatures: false }), configuration);
    expect(JSON.stringify(profiles[0]!.plugins)).not.toContain('NodeDeclaredFeatures');
  });
});
