import { expect, it } from 'vitest';
import { kindProblems } from './kind-problems.ts';

const scaleTargetRef = { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' };
const problems = (spec: object): string[] =>
  kindProblems('autoscaling/v2', 'HorizontalPodAutoscaler', { spec: { scaleTargetRef, maxReplicas: 3, ...spec } });
const cpu = (target: object): object => ({ type: 'Resource', resource: { name: 'cpu', target } });

it('bounds and target are checked', () => {
  expect(problems({})).toEqual([]);
  expect(problems({ minReplicas: 5 })).toEqual([
    'spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`',
  ]);
  expect(problems({ minReplicas: 0, maxReplicas: 0, scaleTargetRef: {} })).toEqual([
    'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
    'spec.maxReplicas: Invalid value: 0: must be greater than 0',
    'spec.scaleTargetRef.kind: Required value',
    'spec.scaleTargetRef.name: Required value',
    'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
  ]);
});

it('a metric has one source, that of its type, with one target', () => {
  expect(problems({ metrics: [cpu({ type: 'Utilization', averageUtilization: 50 })] })).toEqual([]);
  expect(problems({ metrics: [cpu({ type: 'Utilization', averageUtilization: 0 })] })).toEqual([
    'spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0',
  ]);
  expect(problems({ metrics: [cpu({ type: 'Odd' })] })).toEqual([
    'spec.metrics[0].resource.target.type: Invalid value: "Odd": must be either Utilization, Value, or AverageValue',
    'spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a ' +
      'target utilization',
  ]);
  expect(problems({ metrics: [{ type: 'Pods' }] })).toEqual([
    'spec.metrics[0].pods: Required value: must populate information for the given metric source',
  ]);
  const two = { ...cpu({ type: 'AverageValue', averageValue: '-1' }), pods: { metric: { name: 'm' }, target: {} } };
  expect(problems({ metrics: [two] })).toContain(
    'spec.metrics[0].pods: Forbidden: must populate the given metric source only',
  );
});

it('policies of scaling have limits', () => {
  const behavior = {
    scaleUp: { stabilizationWindowSeconds: 3601, policies: [{ type: 'Odd', value: 0, periodSeconds: 1801 }] },
  };
  expect(problems({ behavior })).toEqual([
    'spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600',
    'spec.behavior.scaleUp.policies[0].type: Unsupported value: "Odd": supported values: "Percent", "Pods"',
    'spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero',
    'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800',
  ]);
});
