import { expect, it } from 'vitest';
import { ClaimKeys } from '../../../src/controllers/resource-claim/claim-keys.ts';

it('keys are the same whether they are kept or not, and lead back to their claims', () => {
  const keys = new ClaimKeys();
  const loose = keys.of('default', 'web-gpu-x7k2p');
  expect(keys.claimOf(loose)).toEqual({ namespace: 'default', name: 'web-gpu-x7k2p' });
  const kept = keys.keep('default', 'web-gpu-x7k2p');
  expect([kept, keys.keep('default', 'web-gpu-x7k2p'), keys.of('default', 'web-gpu-x7k2p')]).toEqual([
    loose,
    loose,
    loose,
  ]);
  expect(keys.claimOf(kept)).toMatchObject({ namespace: 'default', name: 'web-gpu-x7k2p' });
  expect(keys.keep('other', 'web-gpu-x7k2p')).not.toBe(kept);
  keys.forget('default', 'web-gpu-x7k2p');
  keys.forget('default', 'web-gpu-x7k2p');
  expect(keys.claimOf(loose)).toEqual({ namespace: 'default', name: 'web-gpu-x7k2p' });
  expect(keys.claimOf(keys.of('other', 'web-gpu-x7k2p'))).toMatchObject({ namespace: 'other' });
});
