import { expect, it } from 'vitest';
import { makeStore } from '../builders/make-store.ts';

it('a node whose status says no allocatable has its capacity, also after an update of the status', () => {
  const { store } = makeStore();
  const status = (cpu: string) => ({ capacity: { cpu, pods: '10' } });
  const created = store.create('nodes', { metadata: { name: 'n' }, status: status('2') });
  expect(created.status?.allocatable).toEqual({ cpu: '2', pods: '10' });
  store.updateStatus('nodes', { metadata: { name: 'n' }, status: status('4') });
  expect(store.get('nodes', '', 'n').status?.allocatable).toEqual({ cpu: '4', pods: '10' });
});
