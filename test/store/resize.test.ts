import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { makeStore } from '../builders/make-store.ts';

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
});
