import { expect, test } from 'vitest';
import { topologyValue } from '../../src/api/topology-spread.ts';

test('the domain of a node is the value of its label, which may be empty', () => {
  expect(topologyValue({ metadata: { labels: { zone: 'a' } } }, 'zone')).toBe('a');
  expect(topologyValue({ metadata: { labels: { zone: '' } } }, 'zone')).toBe('');
});

test('a node without the label is in no domain, whatever the key is called', () => {
  expect(topologyValue({ metadata: { labels: {} } }, 'zone')).toBeUndefined();
  expect(topologyValue({ metadata: { labels: {} } }, 'constructor')).toBeUndefined();
  expect(topologyValue({}, 'zone')).toBeUndefined();
});
