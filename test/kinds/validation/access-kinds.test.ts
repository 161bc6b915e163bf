import { expect, it } from 'vitest';
import { kindProblems } from './kind-problems.ts';

const RBAC = 'rbac.authorization.k8s.io/v1';
const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const roleRef = { kind: 'Role', name: 'r', apiGroup: 'rbac.authorization.k8s.io' };

it('rules of roles are about resources, or of cluster roles about URLs', () => {
  expect(kindProblems(RBAC, 'Role', { rules: [rule] })).toEqual([]);
  expect(kindProblems(RBAC, 'Role', { rules: [{}] })).toEqual([
    'rules[0].verbs: Required value: verbs must contain at least one value',
    'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
    'rules[0].resources: Required value: resource rules must supply at least one resource',
  ]);
  const urls = { verbs: ['get'], nonResourceURLs: ['/healthz'] };
  expect(kindProblems(RBAC, 'ClusterRole', { rules: [urls] })).toEqual([]);
  expect(kindProblems(RBAC, 'Role', { rules: [urls] })).toEqual([
    'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: namespaced rules cannot apply to non-resource URLs',
  ]);
  expect(kindProblems(RBAC, 'ClusterRole', { rules: [{ ...urls, ...rule }] })).toEqual([
    'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: rules cannot apply to both regular resources and ' +
      'non-resource URLs',
  ]);
  expect(kindProblems(RBAC, 'ClusterRole', { aggregationRule: {} })).toEqual([
    'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if ' +
      'aggregationRule is non-nil',
  ]);
});

it('bindings name a role, and subjects by kind', () => {
  const subjects = [
    { kind: 'User', name: 'u' },
    { kind: 'ServiceAccount', name: 's' },
  ];
  expect(kindProblems(RBAC, 'RoleBinding', { roleRef, subjects })).toEqual([]);
  expect(kindProblems(RBAC, 'ClusterRoleBinding', { roleRef, subjects })).toEqual([
    'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
    'subjects[1].namespace: Required value',
  ]);
  const odd = { roleRef: { kind: 'Odd', name: 'a/b' }, subjects: [{ kind: 'Dog', name: '' }] };
  expect(kindProblems(RBAC, 'RoleBinding', odd)).toEqual([
    'roleRef.kind: Unsupported value: "Odd": supported values: "Role", "ClusterRole"',
    `roleRef.name: Invalid value: "a/b": may not contain '/'`,
    'subjects[0].name: Required value',
    'subjects[0].kind: Unsupported value: "Dog": supported values: "ServiceAccount", "User", "Group"',
  ]);
});

it('a binding keeps its role', () => {
  const other = { roleRef: { ...roleRef, name: 'other' } };
  expect(kindProblems(RBAC, 'RoleBinding', { roleRef }, { roleRef })).toEqual([]);
  expect(kindProblems(RBAC, 'RoleBinding', other, { roleRef })).toEqual([
    'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"other"}: ' +
      'cannot change roleRef',
  ]);
});
