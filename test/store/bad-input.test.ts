import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RESOURCES, type Resource } from '../../src/store/objects/resources.ts';
import type { Store } from '../../src/store/store.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { makeStore } from '../builders/make-store.ts';
import { runs } from '../builders/runs.ts';
import { attempt } from './simulated-watcher.ts';

const template = { metadata: { labels: { app: 'x' } }, spec: makePod('t').spec };
const selector = { matchLabels: { app: 'x' } };
const owner = { apiVersion: 'v1', kind: 'X', name: 'x', uid: 'u', controller: true };
const metadata = { name: 'x', labels: { app: 'web' }, annotations: { a: 'b' }, finalizers: ['example.com/f'] };
const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const drivers = [{ name: 'd', nodeID: 'n', allocatable: { count: 1 } }];
const volumeSpec = {
  capacity: { storage: '1Gi' },
  accessModes: ['ReadWriteOnce'],
  csi: { driver: 'd', volumeHandle: 'h' },
};

/** Something valid of each kind, with members that can be spoilt. */
const VALID: { readonly [R in Resource]: object } = {
  pods: {
    metadata: { ...metadata, ownerReferences: [owner] },
    spec: {
      ...makePod('x', { requests: { cpu: '1' }, gates: ['g'], ports: [{ containerPort: 80 }] }).spec,
      initContainers: [{ name: 'i', image: 'i', restartPolicy: 'Always' }],
      tolerations: [{ key: 'k', operator: 'Exists' }],
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'z',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: {},
          matchLabelKeys: ['app'],
        },
      ],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }],
    },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  },
  nodes: makeNode('x'),
  jobs: {
    metadata,
    spec: {
      completions: 3,
      parallelism: 2,
      completionMode: 'Indexed',
      podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
      successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 1 }] },
      template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } },
    },
    status: {
      active: 1,
      conditions: [{ type: 'Complete', status: 'False' }],
      uncountedTerminatedPods: { failed: ['u'] },
    },
  },
  namespaces: { metadata },
  resourceclaimtemplates: {
    metadata,
    spec: { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } } },
  },
  services: { metadata, spec: { selector: { app: 'x' } } },
  replicasets: { metadata, spec: { replicas: 1, selector: { matchLabels: { app: 'x' } }, template } },
  statefulsets: {
    metadata,
    spec: {
      ...{ replicas: 1, selector, template, updateStrategy: { rollingUpdate: { partition: 1 } } },
      volumeClaimTemplates: [{ metadata: { name: 'v' }, spec: claimSpec }],
    },
  },
  replicationcontrollers: { metadata, spec: { replicas: 1, template } },
  persistentvolumes: { metadata, spec: volumeSpec },
  persistentvolumeclaims: { metadata, spec: claimSpec, status: { phase: 'Bound' } },
  storageclasses: { metadata, provisioner: 'p', allowedTopologies: [] },
  csinodes: { metadata, spec: { drivers } },
  csidrivers: { metadata, spec: { storageCapacity: true } },
  csistoragecapacities: { metadata, storageClassName: 's', capacity: '1Gi', nodeTopology: { matchLabels: { a: 'b' } } },
  volumeattachments: { metadata, spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
  poddisruptionbudgets: { metadata, spec: { selector: { matchLabels: { app: 'x' } }, maxUnavailable: 1 } },
  resourceclaims: { metadata, spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } } },
  resourceslices: { metadata, spec: { driver: 'd', nodeName: 'n', pool: { name: 'n' }, devices: [{ name: 'd' }] } },
  deviceclasses: { metadata, spec: { selectors: [{ cel: { expression: 'true' } }] } },
  podgroups: { metadata, spec: { schedulingPolicy: { gang: { minCount: 2 } } } },
  workloads: { metadata, spec: { podGroupTemplates: [{ name: 't', schedulingPolicy: { basic: {} } }] } },
  priorityclasses: { metadata, value: 5, globalDefault: true, preemptionPolicy: 'Never' },
  events: { metadata, involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' }, count: 1 },
  deployments: {
    metadata,
    spec: { replicas: 1, selector, template, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } } },
  },
  daemonsets: { metadata, spec: { selector, template, updateStrategy: { rollingUpdate: { maxSurge: '10%' } } } },
  cronjobs: {
    metadata,
    spec: {
      ...{ schedule: '*/5 * * * *', timeZone: 'Europe/Berlin', concurrencyPolicy: 'Forbid' },
      jobTemplate: { spec: { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } } },
    },
  },
  controllerrevisions: { metadata, revision: 1, data: { spec: { template } } },
  leases: { metadata, spec: { holderIdentity: 'h', renewTime: '2026-01-01T00:00:00.000000Z' } },
};

const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    'x',
    0,
    -1,
    1.5,
    Number.NaN,
    true,
    1n,
    Symbol('s'),
    () => 1,
    new Date(Number.NaN),
  ),
  fc.constantFrom<unknown>([], {}, [null], [{}], { a: 1 }, 'x'.repeat(300), [[[]]], '9'.repeat(400)),
);

/** A place in an object, however deep: numbers choose among the members at each level. */
const place = fc.array(fc.nat(20), { minLength: 1, maxLength: 7 });

function spoil(object: object, path: readonly number[], value: unknown): object {
  const copy = structuredClone(object);
  let at: Record<string, unknown> = copy as Record<string, unknown>;
  for (const [level, choice] of path.entries()) {
    const keys = Object.keys(at);
    const key = keys[choice % Math.max(keys.length, 1)] ?? 'added';
    const next = at[key];
    if (level === path.length - 1 || typeof next !== 'object' || next === null) {
      at[key] = value;
      break;
    }
    at = next as Record<string, unknown>;
  }
  return copy;
}

function snapshot(store: Store): unknown {
  return (Object.keys(RESOURCES) as Resource[]).map((resource) => store.list(resource));
}

const resources = fc.constantFrom(...(Object.keys(RESOURCES) as Resource[]));

describe('whatever the store is given', () => {
  it.each(Object.keys(RESOURCES) as Resource[])('takes the %s from which the others are made', (resource) => {
    const { store } = makeStore();
    expect(store.create(resource, VALID[resource] as never)).toMatchObject({ metadata: { name: 'x' } });
  });

  it('it takes, or refuses in the words of the API and without a trace', () => {
    const verbs = fc.constantFrom(
      'create',
      'update',
      'updateStatus',
      'merge',
      'strategic',
      'status',
    ) as fc.Arbitrary<string>;
    fc.assert(
      fc.property(resources, verbs, place, junk, (resource, verb, path, value) => {
        const { store } = makeStore();
        const object = spoil(VALID[resource], path, value) as never;
        if (verb !== 'create') store.create(resource, VALID[resource] as never);
        const before = snapshot(store);
        const namespace = RESOURCES[resource].isNamespaced ? 'default' : '';
        const reason = attempt(() => {
          if (verb === 'create' || verb === 'update' || verb === 'updateStatus') store[verb](resource, object);
          else if (verb === 'status') {
            store.patch(resource, namespace, 'x', { type: 'strategic', body: object }, 'status');
          } else store.patch(resource, namespace, 'x', { type: verb as 'merge', body: object });
        });
        if (reason !== '') expect(snapshot(store)).toEqual(before);
        else for (const each of store.list(resource).items) expect(Object.isFrozen(each.metadata)).toBe(true);
      }),
      { numRuns: runs(1000) },
    );
  });

  it.each(['uid', 'resourceVersion', 'name', 'namespace', 'creationTimestamp'])('it survives any %s', (key) => {
    fc.assert(
      fc.property(resources, junk, (resource, value) => {
        const { store } = makeStore();
        store.create(resource, VALID[resource] as never);
        const body = { metadata: { [key]: value } };
        const spoilt = { ...VALID[resource], metadata: { ...metadata, [key]: value } } as never;
        attempt(() => store.create(resource, spoilt));
        attempt(() => store.update(resource, spoilt));
        attempt(() => store.patch(resource, 'default', 'x', { type: 'merge', body }));
        attempt(() => store.delete(resource, 'default', 'x', { preconditions: { uid: value as string } }));
      }),
    );
  });

  it('it survives things that are no objects at all', () => {
    fc.assert(
      fc.property(resources, junk, (resource, value) => {
        const { store } = makeStore();
        const before = snapshot(store);
        const reasons = [
          attempt(() => store.create(resource, value as never)),
          attempt(() => store.update(resource, value as never)),
          attempt(() => store.updateStatus(resource, value as never)),
          attempt(() => store.patch(resource, 'default', 'x', { type: 'merge', body: value })),
        ];
        expect(reasons).not.toContain('');
        expect(snapshot(store)).toEqual(before);
      }),
    );
  });
});
