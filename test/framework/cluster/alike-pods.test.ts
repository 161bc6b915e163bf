import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { isAlike } from '../../../src/framework/cluster/alike-pods.ts';
import { makePod } from '../../builders/make-pod.ts';

const POD: Pod = { ...makePod('p'), metadata: { name: 'p', uid: 'u', labels: { app: 'a' } } };

describe('isAlike', () => {
  it.each<[string, Pod]>([
    ['bound', { ...POD, spec: { ...POD.spec, nodeName: 'n' } }],
    ['with another status', { ...POD, status: { phase: 'Running' } }],
    ['running', { ...POD, status: { containerStatuses: [{ name: 'app', restartCount: 1 }] } }],
    ['with equal labels', { ...POD, metadata: { ...POD.metadata, labels: { app: 'a' } } }],
    ['annotated', { ...POD, metadata: { ...POD.metadata, annotations: { a: 'b' } } }],
  ])('the pod, %s, means the same', (_, other) => {
    expect(isAlike(POD, other)).toBe(true);
    expect(isAlike(other, POD)).toBe(true);
  });

  it.each<[string, Pod]>([
    ['another uid', { ...POD, metadata: { ...POD.metadata, uid: 'v' } }],
    ['other labels', { ...POD, metadata: { ...POD.metadata, labels: { app: 'b' } } }],
    ['more labels', { ...POD, metadata: { ...POD.metadata, labels: { app: 'a', b: 'c' } } }],
    ['no labels', { ...POD, metadata: { ...POD.metadata, labels: undefined } }],
    ['an end in sight', { ...POD, metadata: { ...POD.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }],
    ['another member in its spec', { ...POD, spec: { ...POD.spec, priority: 1 } }],
    ['new containers', { ...POD, spec: { ...POD.spec, containers: [] } }],
    ['a resize on its way', { ...POD, status: { containerStatuses: [{ name: 'app', resources: {} }] } }],
  ])('the pod with %s does not', (_, other) => {
    expect(isAlike(POD, other)).toBe(false);
    expect(isAlike(other, POD)).toBe(false);
  });
});
