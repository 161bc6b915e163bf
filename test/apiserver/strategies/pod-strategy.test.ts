import { expect, it } from 'vitest';
import { POD_STRATEGY } from '../../../src/apiserver/strategies/pod-strategy.ts';
import type { ApiObject } from '../../../src/kinds/object/json.ts';

it('merges the labels that are compared into the selectors of a new pod', () => {
  const pod = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels: { app: 'x' } } },
    spec: {
      containers: [],
      topologySpreadConstraints: [{ topologyKey: 'zone', labelSelector: {}, matchLabelKeys: ['app', 'gone'] }],
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'zone', labelSelector: { matchLabels: { b: 'c' } }, mismatchLabelKeys: ['app'] },
          ],
        },
      },
    },
  } as unknown as ApiObject;
  POD_STRATEGY.prepareCreate?.(pod, { now: '2026-01-01T00:00:00Z' } as never);
  const rule = (operator: string) => [{ key: 'app', operator, values: ['x'] }];
  expect(pod['spec']).toMatchObject({
    topologySpreadConstraints: [{ labelSelector: { matchExpressions: rule('In') } }],
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: { b: 'c' }, matchExpressions: rule('NotIn') } },
        ],
      },
    },
  });
});
