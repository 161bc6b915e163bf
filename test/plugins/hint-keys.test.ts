import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Labels } from '../../src/api/meta.ts';
import type { PodSpec } from '../../src/api/pod.ts';
import {
  ActionType,
  clusterEvent,
  type EventResource,
  type HintKeys,
  matchesEvent,
} from '../../src/framework/events.ts';
import { defaultFramework } from '../builders/default-framework.ts';
import { makeCluster, makePodInfo } from '../builders/make-cluster.ts';
import { known } from './ask-hint.ts';

const word = fc.constantFrom('a', 'b', 'c');
const namespace = fc.constantFrom('default', 'default', 'other');
const labels: fc.Arbitrary<Labels> = fc.dictionary(word, word, { maxKeys: 3 });
/** Some operators and values cannot be read. */
const expression = fc.record({
  key: word,
  operator: fc.constantFrom('In', 'In', 'NotIn', 'Exists', 'DoesNotExist', 'Like'),
  values: fc.oneof({ weight: 9, arbitrary: fc.array(word, { maxLength: 2 }) }, fc.constant(['-bad-'])),
});
const nodeTerm = fc.record(
  {
    matchExpressions: fc.array(expression, { maxLength: 2 }),
    matchFields: fc.array(
      expression.map((each) => ({ ...each, key: 'metadata.name' })),
      { maxLength: 1 },
    ),
  },
  { requiredKeys: [] },
);
const labelSelector = fc.record(
  { matchLabels: labels, matchExpressions: fc.array(expression, { maxLength: 1 }) },
  { requiredKeys: [] },
);
const podTerms = fc.array(fc.record({ topologyKey: word, labelSelector }), { maxLength: 2 });
const required = <T>(rules: fc.Arbitrary<T>) =>
  rules.map((requiredDuringSchedulingIgnoredDuringExecution) => ({ requiredDuringSchedulingIgnoredDuringExecution }));
const spec: fc.Arbitrary<PodSpec> = fc.record(
  {
    nodeSelector: labels,
    affinity: fc.record(
      {
        nodeAffinity: required(fc.record({ nodeSelectorTerms: fc.array(nodeTerm, { maxLength: 3 }) })),
        podAffinity: required(podTerms),
        podAntiAffinity: required(podTerms),
      },
      { requiredKeys: [] },
    ),
    topologySpreadConstraints: fc.array(
      fc.record({
        ...{ topologyKey: word, maxSkew: fc.constant(1), labelSelector },
        whenUnsatisfiable: fc.constantFrom('DoNotSchedule', 'ScheduleAnyway'),
      }),
      { maxLength: 2 },
    ),
    containers: fc.array(
      fc.nat(2).map((n) => ({ name: 'c', ports: [{ containerPort: 1, hostPort: n, protocol: 'TCP' }] })),
      { maxLength: 2 },
    ),
    volumes: fc.array(
      fc.oneof(
        word.map((claimName) => ({ name: 'v', persistentVolumeClaim: { claimName } })),
        word.map((name) => ({ name, ephemeral: { volumeClaimTemplate: {} } })),
        word.map((pdName) => ({ name: 'v', gcePersistentDisk: { pdName } })),
      ),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
);
const pod = fc
  .record({ namespace, labels, spec, nodeName: fc.constantFrom('', 'n') })
  .map(({ nodeName, ...drawn }) => ({ ...drawn, spec: { ...drawn.spec, nodeName } }));
const podNamed = (name: string) =>
  pod.map((drawn) => known({ metadata: { name, namespace: drawn.namespace, labels: drawn.labels }, spec: drawn.spec }));
const node = fc.record({ name: word, labels, isTainted: fc.boolean() }).map(({ name, labels: own, isTainted }) => ({
  metadata: { name, labels: own },
  spec: isTainted ? { taints: [{ key: 't', effect: 'NoSchedule' }] } : {},
}));
const claim = fc
  .record({ namespace, name: fc.constantFrom('a', 'b', 'c', 'p-a', 'p-b') })
  .map((metadata) => ({ metadata }));

type Draw = readonly [EventResource, fc.Arbitrary<object>];
const EVENTS: readonly Draw[] = [
  ['Node', node],
  ['AssignedPod', podNamed('o')],
  ['PersistentVolumeClaim', claim],
];

const PLUGINS = defaultFramework(makeCluster([])).filterPlugins;

/** null: any. */
function keysOf(ask: () => ReturnType<HintKeys['ofPod']>): readonly string[] | null {
  try {
    return ask();
  } catch {
    return null;
  }
}

test.each(EVENTS)('an event of %s helps no pod that has no key in common with it', (resource, object) => {
  let helped = 0;
  let passedOver = 0;
  const change = fc.record({
    action: fc.constantFrom(ActionType.Add, ActionType.Delete, ActionType.Update),
    before: object,
    after: object,
  });
  fc.assert(
    fc.property(podNamed('p'), change, (rejected, { action, before, after }) => {
      const event = clusterEvent(resource, action);
      const info = makePodInfo(rejected);
      const [old, now] = [
        action === ActionType.Add ? undefined : before,
        action === ActionType.Delete ? undefined : after,
      ];
      for (const plugin of PLUGINS) {
        for (const { event: registered, hint, keys } of plugin.eventsToRegister?.() ?? []) {
          if (keys === undefined || hint === undefined || !matchesEvent(registered, event)) continue;
          const ofPod = keysOf(() => keys.ofPod(info));
          const ofEvent = keysOf(() => keys.ofEvent(old, now));
          const isShown = ofPod === null || ofEvent === null || ofEvent.some((key) => ofPod.includes(key));
          if (!isShown) passedOver++;
          let answer = 'Queue';
          try {
            answer = hint(info, old, now);
          } catch {}
          if (answer !== 'Queue') continue;
          helped++;
          expect(isShown, plugin.name).toBe(true);
        }
      }
    }),
    { numRuns: 1000 },
  );
  expect(Math.min(helped, passedOver)).toBeGreaterThan(20);
});
