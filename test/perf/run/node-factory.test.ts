import { expect, it } from 'vitest';
import { nodeFactory } from '../../../src/perf/run/node-factory.ts';

it('gives nodes features besides those of their template', () => {
  const node = { metadata: { name: 'n' }, status: { capacity: { pods: '1' }, declaredFeatures: ['Own'] } };
  const source = {
    ...{ step: { opcode: 'createNodes', count: 1, templateParams: new Map() } as const, index: 0 },
    ...{ maker: { at: () => node }, names: { uid: () => 'u' } as never },
  };
  const featuresOf = (features: readonly string[]) => nodeFactory({ ...source, features })(0).node.status;
  expect(featuresOf(['Feature2', 'Feature1'])).toEqual({
    capacity: { pods: '1' },
    declaredFeatures: ['Feature1', 'Feature2', 'Own'],
  });
  expect(featuresOf([])).toBe(node.status);
});
