import { expect, it } from 'vitest';
import { kindProblems } from './kind-problems.ts';

const NETWORKING = 'networking.k8s.io/v1';
const service = { name: 'web', port: { number: 80 } };
const path = { path: '/', pathType: 'Prefix', backend: { service } };
const problems = (spec: object): string[] => kindProblems(NETWORKING, 'Ingress', { spec });
const withPath = (more: object): string[] => problems({ rules: [{ http: { paths: [{ ...path, ...more }] } }] });
const PATH = 'spec.rules[0].http.paths[0]';

it('an ingress has rules or a backend', () => {
  expect(problems({ defaultBackend: { service } })).toEqual([]);
  expect(problems({})).toEqual(['spec: Invalid value: null: either `defaultBackend` or `rules` must be specified']);
  expect(withPath({})).toEqual([]);
});

it('hosts are names, perhaps with a wildcard', () => {
  const hosts = (host: string): string[] => problems({ rules: [{ host, http: { paths: [path] } }] });
  expect(hosts('*.a.b')).toEqual([]);
  expect(hosts('1.2.3.4')).toEqual([
    'spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
  ]);
  expect(hosts('a.*')[0]).toMatch(
    /^spec.rules\[0\].host: Invalid value: "a.\*": a wildcard DNS-1123 subdomain must start/,
  );
});

it('paths are absolute, of a type, and lead to one backend', () => {
  expect(withPath({ pathType: undefined })).toEqual([`${PATH}.pathType: Required value: pathType must be specified`]);
  expect(withPath({ pathType: 'Odd' })).toEqual([
    `${PATH}.pathType: Unsupported value: "Odd": supported values: "Exact", "ImplementationSpecific", "Prefix"`,
  ]);
  expect(withPath({ path: 'a//b/..' })).toEqual([
    `${PATH}.path: Invalid value: "a//b/..": must be an absolute path`,
    `${PATH}.path: Invalid value: "a//b/..": must not contain '//'`,
    `${PATH}.path: Invalid value: "a//b/..": cannot end with '/..'`,
  ]);
  expect(withPath({ backend: {} })).toEqual([
    `${PATH}.backend: Invalid value: "": resource or service backend is required`,
  ]);
  expect(withPath({ backend: { service: { name: '', port: {} } } })).toEqual([
    `${PATH}.backend.service.name: Required value`,
    `${PATH}.backend: Required value: port name or number is required`,
  ]);
});

it('a class names its controller, which stays, and its parameters', () => {
  const ofClass = (spec: object, old?: object): string[] =>
    kindProblems(NETWORKING, 'IngressClass', { spec }, old && { spec: old });
  expect(ofClass({ controller: 'a.b/c' })).toEqual([]);
  expect(ofClass({ controller: 'c' })).toEqual([
    'spec.controller: Invalid value: "c": must be a domain-prefixed path (such as "acme.io/foo")',
  ]);
  expect(ofClass({ controller: 'a.b/d' }, { controller: 'a.b/c' })).toEqual([
    'spec.controller: Invalid value: "a.b/d": field is immutable',
  ]);
  expect(ofClass({ controller: 'a.b/c', parameters: { kind: 'K', name: 'n', scope: 'Namespace' } })).toEqual([
    `spec.parameters.namespace: Required value: parameters.scope is set to 'Namespace'`,
  ]);
});
