import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { loadConfiguration } from '../../src/caller/load-configuration.ts';
import { DEFAULT_FEATURE_GATES } from '../../src/config/feature-gates.ts';
import { schedulerRights } from '../../src/live/scheduler-rights.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const OBJECTS = parseAllDocuments(readFileSync('examples/deploy/scheduler.yaml', 'utf8')).map((document) => {
  expect(document.errors).toEqual([]);
  return document.toJS() as { kind: string; rules?: Rule[]; data?: Record<string, string> };
});

function allowed(kind: string): Set<string> {
  const rules = OBJECTS.flatMap((object) => (object.kind === kind ? (object.rules ?? []) : []));
  return new Set(
    rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}.${group}`)),
      ),
    ),
  );
}

it('the manifests give the rights that are asked for, and no others', () => {
  const rights = schedulerRights(DEFAULT_FEATURE_GATES, { writes: true, lease: { namespace: 'kube-system' } });
  const texts = (isLease: boolean) =>
    rights
      .filter(({ resource }) => (resource === 'leases') === isLease)
      .map(({ verb, group, resource, subresource }) => {
        return `${verb} ${subresource === undefined ? resource : `${resource}/${subresource}`}.${group}`;
      });
  expect([...allowed('ClusterRole')].sort()).toEqual(texts(false).sort());
  expect([...allowed('Role')].sort()).toEqual(texts(true).sort());
});

it('the configuration of the manifests is accepted', () => {
  const text = OBJECTS.find(({ kind }) => kind === 'ConfigMap')?.data?.['scheduler.yaml'] ?? '';
  const { profiles, leaderElection } = loadConfiguration(text);
  expect(profiles.map(({ schedulerName }) => schedulerName)).toEqual(['berth']);
  expect(leaderElection).toMatchObject({ leaderElect: true, resourceName: 'berth-scheduler' });
});
