import { expect, test } from 'vitest';
import { NODE_KEYS } from '../../../src/plugins/node-affinity/hint-keys.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { makePod } from '../../builders/make-pod.ts';

test.each<[string, Parameters<typeof makePod>[1], readonly string[] | null]>([
  ['the longest label of the selector', { nodeSelector: { disk: 'ssd', zone: 'a' } }, ['disk=ssd']],
  [
    'a label or the name for each term',
    {
      required: [
        { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd', 'nvme'] }] },
        { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] },
      ],
    },
    ['disk=ssd', 'disk=nvme', '/n1'],
  ],
  ['the name of a label', { required: [{ matchExpressions: [{ key: 'gpu', operator: 'Exists' }] }] }, ['gpu']],
  [
    'none if a term needs no label',
    { required: [{ matchExpressions: [{ key: 'gpu', operator: 'DoesNotExist' }] }] },
    null,
  ],
  ['none without a wish', {}, null],
])('keys of a pod: %s', (_what, wanted, keys) => {
  expect(NODE_KEYS.ofPod(makePodInfo(makePod('p', wanted)))).toEqual(keys);
});

test('a pod with a term that cannot be read has no keys, since any node lets it be tried', () => {
  const onSsd = { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] };
  const malformed = { matchExpressions: [{ key: 'disk', operator: 'In', values: ['-bad-'] }] };
  expect(() => NODE_KEYS.ofPod(makePodInfo(makePod('p', { required: [onSsd, malformed] })))).toThrow('-bad-');
});
