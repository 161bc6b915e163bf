import { expect, test } from 'vitest';
import { tallyContext } from '../../../src/engine/columns/tally-context.ts';
import type { TopologyPlan } from '../../../src/engine/topology/topology-plan.ts';
import type { FilterPlugin } from '../../../src/framework/plugin.ts';
import { NodeResourcesFit } from '../../../src/plugins/node-resources/fit.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makePod } from '../../builders/make-pod.ts';

const late: FilterPlugin = { name: 'Late', filterReads: 'node', filter: () => null };
const counting: FilterPlugin = { name: 'Counting', filterReads: 'nodePods', filter: () => null };
const TALLIES = { plan: {} };

function contextOf(plugins: readonly FilterPlugin[], firstPosition: number | null) {
  const world = new EngineColumns({ plugins });
  const signature = world.signatureOf(makePod('p', { requests: { cpu: 1 } }));
  const plan = firstPosition === null ? null : ({ firstPosition, tallies: () => TALLIES } as unknown as TopologyPlan);
  const context = tallyContext(world.framework, signature, plan, null);
  return context && { filters: context.filters.map(({ name }) => name), topology: context.topology };
}

test('a plan comes after the filters of the signature', () => {
  const fit = new NodeResourcesFit();
  const filters = ['NodeResourcesFit', 'Late'];
  expect(contextOf([fit, late], null)).toEqual({ filters, topology: null });
  expect(contextOf([fit, late], 2)).toEqual({ filters, topology: TALLIES });
  expect(contextOf([fit, late], 1)).toBeNull();
});

test('a filter that neither tallies pods nor ignores them is asked on copies', () => {
  expect(contextOf([counting], null)).toBeNull();
});
