import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { ZONE_LABEL } from '../../../src/api/topology-spread.ts';
import { type EngineName, type ObjectKind, Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const APPS = ['web', 'db'];
const OWNERS = [
  { kind: 'ReplicaSet', apiVersion: 'apps/v1' },
  { kind: 'StatefulSet', apiVersion: 'apps/v1' },
  { kind: 'ReplicationController', apiVersion: 'v1' },
  { kind: 'ReplicaSet', apiVersion: 'v1' },
] as const;

const namespace = fc.constantFrom('default', 'default', 'other');
const app = fc.constantFrom(...APPS);
const owner = fc.constantFrom(...OWNERS);

/** Terms about pods of their own namespace, of namespaces with some label, and of all namespaces. */
const TERMS = [
  { topologyKey: ZONE_LABEL, labelSelector: { matchLabels: { app: 'web' } } },
  { topologyKey: ZONE_LABEL, labelSelector: {}, namespaceSelector: { matchLabels: { team: 'db' } } },
  { topologyKey: ZONE_LABEL, labelSelector: { matchLabels: { app: 'db' } }, namespaceSelector: {} },
];

interface Shape {
  readonly namespace: string;
  readonly app: string;
  readonly owner: (typeof OWNERS)[number] | null;
  readonly term: { readonly term: (typeof TERMS)[number]; readonly anti: boolean; readonly required: boolean } | null;
  readonly spreads: boolean;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  namespace,
  app,
  owner: fc.option(owner),
  term: fc.option(fc.record({ term: fc.constantFrom(...TERMS), anti: fc.boolean(), required: fc.boolean() })),
  spreads: fc.constantFrom(false, false, true),
});

/** `pod` is the index of a shape. */
const change = fc.oneof(
  { weight: 2, arbitrary: fc.record({ set: fc.constant('Service'), namespace, app, as: app }) },
  { weight: 2, arbitrary: fc.record({ set: fc.constant('owner'), owner, namespace, app, as: app }) },
  { weight: 1, arbitrary: fc.record({ set: fc.constant('Namespace'), namespace, app }) },
  { weight: 1, arbitrary: fc.record({ unset: fc.constantFrom('Service', 'ReplicaSet', 'Namespace'), namespace, app }) },
  { weight: 8, arbitrary: fc.record({ pod: fc.nat(3) }) },
);

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function podOf(name: string, { namespace, app, owner, term, spreads }: Shape): Pod {
  const { spec } = makePod(name);
  const labelSelector = { matchLabels: { app } };
  const spread = [{ maxSkew: 1, topologyKey: ZONE_LABEL, whenUnsatisfiable: 'ScheduleAnyway', labelSelector }];
  const terms = term?.required
    ? { requiredDuringSchedulingIgnoredDuringExecution: [term.term] }
    : { preferredDuringSchedulingIgnoredDuringExecution: term ? [{ weight: 7, podAffinityTerm: term.term }] : [] };
  return {
    metadata: {
      name,
      namespace,
      labels: { app },
      ...(owner && { ownerReferences: [{ ...owner, name: app, uid: 'u', controller: true }] }),
    },
    spec: {
      ...spec,
      ...(term && { affinity: term.anti ? { podAntiAffinity: terms } : { podAffinity: terms } }),
      ...(spreads && { topologySpreadConstraints: spread }),
    },
  };
}

/** The decisions of one engine about the pods among the changes. */
function play(engine: EngineName, shapes: readonly Shape[], changes: readonly Change[]): unknown[] {
  const scheduler = new Scheduler({ engine });
  for (let i = 0; i < 6; i++) scheduler.addNode(makeNode(`n${i}`, { zone: `z${i % 3}` }));
  return changes.map((step, i) => {
    if ('pod' in step) {
      return scheduler.schedule(podOf(`p${i}`, shapes[step.pod % shapes.length] as Shape));
    }
    const { namespace, app } = step;
    if ('unset' in step) {
      const isNamespace = step.unset === 'Namespace';
      const [name, within] = isNamespace ? [namespace, ''] : [app, namespace];
      try {
        scheduler.removeObject(step.unset as ObjectKind, name, within);
      } catch {
        return 'not found';
      }
    } else if ('owner' in step) {
      const { kind } = step.owner;
      const selector = kind === 'ReplicationController' ? { app: step.as } : { matchLabels: { app: step.as } };
      scheduler.setObject(kind, { metadata: { name: app, namespace }, spec: { selector } } as never);
    } else if ('as' in step) {
      scheduler.setObject('Service', { metadata: { name: app, namespace }, spec: { selector: { app: step.as } } });
    } else {
      scheduler.setObject('Namespace', { metadata: { name: namespace, labels: { team: app } } });
    }
    return null;
  });
}

test('plans that are kept when other objects change decide as plans that are made anew', () => {
  fc.assert(
    fc.property(
      fc.array(shape, { minLength: 1, maxLength: 4 }),
      fc.array(change, { minLength: 20, maxLength: 60, size: 'max' }),
      (shapes, changes) => {
        expect(play('simd', shapes, changes)).toEqual(play('reference', shapes, changes));
      },
    ),
    { numRuns: 25 },
  );
});

const ofTeam = TERMS[1];
const byTeam = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 7, podAffinityTerm: ofTeam }] };
const web: Shape = { namespace: 'default', app: 'web', owner: null, term: null, spreads: false };

/** The pod on n0, the pods that are asked about, and the namespace that gets the label of their terms meanwhile. */
const CASES = [
  { what: 'terms of the pod', there: {}, asked: { podAffinity: byTeam }, labelled: 'other' },
  { what: 'terms of a pod on a node', there: { podAntiAffinity: byTeam }, asked: {}, labelled: 'default' },
];

test.each(CASES)('$what select a namespace that gets labels later', ({ there, asked, labelled }) => {
  const [expected, got] = (['reference', 'simd'] as const).map((engine) => {
    const scheduler = new Scheduler({ engine });
    for (const name of ['n0', 'n1']) scheduler.addNode(makeNode(name, { zone: name }));
    const friend = podOf('friend', { ...web, namespace: 'other' });
    scheduler.addPod({ ...friend, spec: { ...friend.spec, nodeName: 'n0', affinity: there } as Pod['spec'] });
    const ask = (name: string): unknown => {
      const pod = podOf(name, web);
      return scheduler.explain({ ...pod, spec: { ...pod.spec, affinity: asked } as Pod['spec'] }).nodes;
    };
    const before = ask('a');
    scheduler.setObject('Namespace', { metadata: { name: labelled, labels: { team: 'db' } } });
    return [before, ask('a')];
  });
  expect(got).toEqual(expected);
  expect(expected?.[0]).not.toEqual(expected?.[1]);
});
