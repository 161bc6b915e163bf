import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { makeStore } from '../builders/make-store.ts';
import { refusal } from './refusal.ts';

const cpu = (amount: string) => ({ requests: { cpu: amount } });
const POD: Pod = {
  metadata: { name: 'p', namespace: 'default' },
  spec: {
    containers: [
      { name: 'a', image: 'i', resources: cpu('2') },
      { name: 'b', image: 'i', resources: cpu('3') },
    ],
  },
};

describe('the subresource resize', () => {
  it('changes what containers ask for, and nothing else', () => {
    const { store } = makeStore();
    store.create('pods', POD);
    store.bind('default', 'p', { target: { name: 'n' } });
    const resized = store.resize({
      metadata: { name: 'p', namespace: 'default', labels: { ignored: 'yes' } },
      spec: { nodeName: 'elsewhere', containers: [{ name: 'a', image: 'other', resources: cpu('1') }] },
    });
    expect(resized).toBe(store.get('pods', 'default', 'p'));
    expect(resized.spec?.nodeName).toBe('n');
    expect(resized.spec?.containers?.map(({ image, resources }) => [image, resources?.requests])).toEqual([
      ['i', { cpu: '1' }],
      ['i', { cpu: '3' }],
    ]);
    expect(resized.metadata).toMatchObject({ generation: 2 });
    expect(resized.metadata?.labels).toBeUndefined();
  });

  it('is no write when nothing changes', () => {
    const { store } = makeStore();
    const before = store.create('pods', POD);
    expect(store.resize({ ...POD, metadata: { name: 'p', namespace: 'default' } })).toBe(before);
  });

  it('refuses containers that are not there and amounts that are none', () => {
    const { store } = makeStore();
    store.create('pods', POD);
    const resize = (name: string, amount: string) => () =>
      store.resize({ metadata: POD.metadata, spec: { containers: [{ name, resources: cpu(amount) }] } });
    expect(resize('c', '1')).toThrow('spec.containers: Forbidden: there is no container "c" to resize');
    expect(resize('a', 'much')).toThrow('spec.containers[0].resources.requests');
    expect(() => store.resize({ metadata: { name: 'q', namespace: 'default' } })).toThrow('pods "q" not found');
  });

  it.each<[string, unknown, string]>([
    ['a spec that is a text', 'x', 'spec: must be an object'],
    ['containers that are a text', { containers: 'x' }, 'spec.containers: must be a list'],
    ['a container that is nothing', { containers: [null] }, 'spec.containers[0]: must not be empty'],
    ['a name that is a number', { initContainers: [{ name: 1 }] }, 'spec.initContainers[0].name: must be a string'],
    ['resources that are a text', { containers: [{ name: 'b', resources: 'x' }] }, 'spec.containers[1].resources'],
  ])('refuses %s', (_, spec, message) => {
    const { store } = makeStore();
    store.create('pods', POD);
    const error = refusal(() => store.resize({ metadata: POD.metadata, spec: spec as Pod['spec'] }));
    expect(error.reason).toBe('Invalid');
    expect(error.message).toContain(message);
  });

  it('is an update: of the version and the pod that it names', () => {
    const { store } = makeStore();
    const { metadata } = store.create('pods', POD);
    const spec = { containers: [{ name: 'a', resources: cpu('1') }] };
    for (const stale of [{ resourceVersion: '1' }, { uid: 'x' }]) {
      expect(refusal(() => store.resize({ metadata: { ...metadata, ...stale }, spec })).reason).toBe('Conflict');
    }
    expect(store.resize({ metadata, spec }).metadata?.generation).toBe(2);
  });

  it('changes no QoS class', () => {
    const { store } = makeStore();
    const created = store.create('pods', POD);
    const amounts = { cpu: '1', memory: '1Gi' };
    const resources = { requests: amounts, limits: amounts };
    const containers = ['a', 'b'].map((name) => ({ name, resources }));
    const error = refusal(() => store.resize({ metadata: POD.metadata, spec: { containers } }));
    expect(error.reason).toBe('Invalid');
    const why = 'Pod QOS Class may not change as a result of resizing';
    expect(error.message).toBe(`Pod "p" is invalid: spec: Invalid value: "Burstable": ${why}`);
    expect(store.get('pods', 'default', 'p')).toBe(created);
  });
});
