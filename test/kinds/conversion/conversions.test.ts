import { describe, expect, it } from 'vitest';
import { convertedTo } from '../../../src/kinds/conversion/conversions.ts';
import type { ApiObject, JsonObject } from '../../../src/kinds/object/json.ts';

const event: ApiObject = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'e' },
  involvedObject: { kind: 'Pod', name: 'p' },
  reason: 'Started',
  message: 'it runs',
  count: 3,
  reportingComponent: 'kubelet',
};

function autoscaler(...metrics: JsonObject[]): ApiObject {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h' },
    spec: { maxReplicas: 5, metrics, behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } },
    status: { conditions: [{ type: 'AbleToScale', status: 'True' }] },
  };
}

const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } };
const others: JsonObject[] = [
  { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
  { type: 'Pods', pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '10' } } },
  { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '30' } } },
];

describe('conversion', () => {
  it('shows an event in both groups', () => {
    const shown = convertedTo('events.k8s.io/v1', event);
    expect(shown).toMatchObject({ regarding: { name: 'p' }, note: 'it runs', deprecatedCount: 3 });
    expect(shown['reportingController']).toBe('kubelet');
    expect(convertedTo('v1', shown)).toEqual(event);
  });

  it('shows the cpu of an autoscaler in version 1, and keeps the rest in annotations', () => {
    const full = autoscaler(cpu, ...others);
    const shown = convertedTo('autoscaling/v1', full);
    expect(shown['spec']).toEqual({ maxReplicas: 5, targetCPUUtilizationPercentage: 80 });
    const annotations = shown.metadata?.annotations ?? {};
    expect(JSON.parse(annotations['autoscaling.alpha.kubernetes.io/metrics'] as string)).toEqual([
      { type: 'Resource', resource: { name: 'memory', targetAverageValue: '1Gi' } },
      { type: 'Pods', pods: { metricName: 'hits', targetAverageValue: '10' } },
      { type: 'External', external: { metricName: 'queue', targetValue: '30' } },
    ]);
    expect(convertedTo('autoscaling/v2', shown)).toEqual(full);
  });

  it('keeps what an autoscaler measured in an annotation of version 1', () => {
    const full = autoscaler();
    const currentMetrics = [
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 7, averageValue: '10m' } } },
      { type: 'Pods', pods: { metric: { name: 'hits' }, current: { averageValue: '3' } } },
      { type: 'External', external: { metric: { name: 'queue' }, current: { value: '4' } } },
      { type: 'Object', object: { metric: { name: 'o' }, describedObject: { name: 'x' }, current: { value: '5' } } },
    ];
    const { metrics: _, ...spec } = full['spec'] as JsonObject;
    const measured: ApiObject = { ...full, spec, status: { currentMetrics } };
    const shown = convertedTo('autoscaling/v1', measured);
    expect(shown['status']).toEqual({ currentCPUUtilizationPercentage: 7 });
    const text = shown.metadata?.annotations?.['autoscaling.alpha.kubernetes.io/current-metrics'] ?? '';
    expect(JSON.parse(text)).toEqual([
      { type: 'Resource', resource: { name: 'cpu', currentAverageUtilization: 7, currentAverageValue: '10m' } },
      { type: 'Pods', pods: { metricName: 'hits', currentAverageValue: '3' } },
      { type: 'External', external: { metricName: 'queue', currentValue: '4' } },
      { type: 'Object', object: { target: { name: 'x' }, metricName: 'o', currentValue: '5' } },
    ]);
    expect(convertedTo('autoscaling/v2', shown)).toEqual(measured);
  });

  it('leaves other kinds as they are', () => {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } };
    expect(convertedTo('v2', map)).toBe(map);
  });
});
