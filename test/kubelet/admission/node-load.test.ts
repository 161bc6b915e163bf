import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NodeLoad, requestsOf } from '../../../src/kubelet/admission/node-load.ts';
import { makePod } from '../../builders/make-pod.ts';

const NAMES = ['a', 'b', 'c'];
const REQUESTS = [{}, { cpu: 1 }, { cpu: '1500m', memory: '1Gi' }, { 'example.com/gpu': 2 }, { memory: '8E' }];

test('the sums are those of the pods that are counted, whatever came and went', () => {
  const step = fc.record({
    uid: fc.constantFrom(...NAMES),
    requests: fc.option(fc.constantFrom(...REQUESTS), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const load = new NodeLoad();
      for (const { uid, requests } of steps) {
        if (requests === undefined) load.delete(uid);
        else load.set(uid, makePod(uid, { requests }));
      }
      const fresh = new NodeLoad();
      for (const pod of load.pods()) fresh.set(pod.metadata?.name ?? '', pod);
      const resources = new Set([...load.pods()].flatMap((pod) => [...requestsOf(pod).keys()]));
      for (const resource of [...resources, 'cpu', 'example.com/gpu']) {
        expect(load.used(resource)).toEqual(fresh.used(resource));
      }
      expect(load.podCount).toBe([...load.pods()].length);
    }),
    { numRuns: 60 },
  );
});

test('a change of the status counts where requests follow from it', () => {
  const pod = { ...makePod('a', { requests: { cpu: 1 } }) };
  const name = pod.spec?.containers?.[0]?.name ?? '';
  const resized = { ...pod, status: { containerStatuses: [{ name, resources: { requests: { cpu: '3' } } }] } };
  const load = new NodeLoad();
  load.statusChanged('a', pod, resized);
  expect(load.podCount).toBe(0);
  load.set('a', pod);
  expect(load.used('cpu')).toBe(1000);
  load.statusChanged('a', pod, resized);
  expect(load.used('cpu')).toBe(3000);
  load.statusChanged('a', resized, pod);
  expect(load.used('cpu')).toBe(1000);
});
