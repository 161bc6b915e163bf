import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { loadConfiguration } from '../../src/caller/load-configuration.ts';
import { DEFAULT_FEATURE_GATES } from '../../src/config/feature-gates.ts';
import type { Right } from '../../src/live/rights.ts';
import { schedulerRights } from '../../src/live/scheduler-rights.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

const OBJECTS = parseAllDocuments(readFileSync('examples/deploy/scheduler.yaml', 'utf8')).map((document) => {
  expect(document.errors).toEqual([]);
  return document.toJS() as { kind: string; rules?: Rule[]; data?: Record<string, string> };
});

/** Each thing that the rules of a kind allow; a rule with names allows nothing for objects in general. */
function allowed(kind: string): string[] {
  const rules = OBJECTS.flatMap((object) => (object.kind === kind ? (object.rules ?? []) : []));
  return rules.flatMap(({ apiGroups, resources, verbs, resourceNames = [''] }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.flatMap((verb) => resourceNames.map((name) => `${verb} ${resource}.${group} ${name}`)),
      ),
    ),
  );
}

function asked({ verb, group, resource, subresource, name = '' }: Right): string {
  return `${verb} ${subresource === undefined ? resource : `${resource}/${subresource}`}.${group} ${name}`;
}

const configuration = OBJECTS.find(({ kind }) => kind === 'ConfigMap')?.data?.['scheduler.yaml'] ?? '';

it('the manifests give the rights that are asked for, and no others', () => {
  const { leaderElection } = loadConfiguration(configuration);
  const lease = { namespace: leaderElection.resourceNamespace, name: leaderElection.resourceName };
  const rights = schedulerRights(DEFAULT_FEATURE_GATES, { writes: true, lease, minorVersion: 36 });
  const inNamespace = rights.filter(({ namespace }) => namespace !== undefined);
  const everywhere = rights.filter(({ namespace }) => namespace === undefined);
  expect(allowed('ClusterRole').sort()).toEqual(everywhere.map(asked).sort());
  expect(allowed('Role').sort()).toEqual(inNamespace.map(asked).sort());
  expect(inNamespace.map(({ namespace }) => namespace)).toEqual(Array(3).fill('kube-system'));
});

it('asks older servers, which do not know it, for no right to bind claims', () => {
  const rights = schedulerRights(DEFAULT_FEATURE_GATES, { writes: true, lease: null, minorVersion: 35 });
  expect(rights.map(asked)).toContain('update resourceclaims/status.resource.k8s.io ');
  expect(rights.map(asked)).toContain('patch resourceclaims/status.resource.k8s.io ');
  expect(rights.map(asked)).not.toContain('update resourceclaims/binding.resource.k8s.io ');
});

it('asks for the right to report about pod groups behind their gate', () => {
  const gates = { ...DEFAULT_FEATURE_GATES, GenericWorkload: true };
  const rights = schedulerRights(gates, { writes: true, lease: null, minorVersion: 36 });
  expect(rights.map(asked)).toContain('patch podgroups/status.scheduling.k8s.io ');
});

it('the configuration of the manifests is accepted', () => {
  const { profiles, leaderElection } = loadConfiguration(configuration);
  expect(profiles.map(({ schedulerName }) => schedulerName)).toEqual(['berth']);
  expect(leaderElection).toMatchObject({ leaderElect: true, resourceName: 'berth-scheduler' });
});
