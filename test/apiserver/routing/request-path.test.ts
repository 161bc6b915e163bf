import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePath } from '../../../src/apiserver/routing/request-path.ts';

const AT = { to: 'resource', isWatch: false, namespace: '', name: '', subresource: '', hasMore: false };

test.each([
  ['/api/v1/pods', { ...AT, group: '', version: 'v1', resource: 'pods' }],
  ['/api/v1/watch/pods', { ...AT, group: '', version: 'v1', resource: 'pods', isWatch: true }],
  ['/api/v1/namespaces/a', { ...AT, group: '', version: 'v1', resource: 'namespaces', name: 'a' }],
  [
    '/api/v1/namespaces/a/finalize',
    { ...AT, group: '', version: 'v1', resource: 'namespaces', name: 'a', subresource: 'finalize' },
  ],
  [
    '/apis/apps/v1/namespaces/a/deployments/d/scale',
    { ...AT, group: 'apps', version: 'v1', resource: 'deployments', namespace: 'a', name: 'd', subresource: 'scale' },
  ],
  ['/apis/apps/v1/', { to: 'version', group: 'apps', version: 'v1' }],
  ['/apis/apps', { to: 'group', group: 'apps' }],
  ['/version', { to: 'fixed', path: '/version' }],
])('%s', (path, expected) => {
  expect(parsePath(path)).toEqual(expected);
});

test('any path is parsed or refused', () => {
  const part = fc.constantFrom('api', 'apis', 'v1', 'namespaces', 'pods', 'watch', '..', '%2F', '%zz', '', 'é');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const path = parsePath(`/${parts.join('/')}`);
      expect(path === undefined).toBe(parts.includes('%zz'));
    }),
  );
});
