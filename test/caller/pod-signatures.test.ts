import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PodSignatures } from '../../src/caller/pod-signatures.ts';
import { needsExtenders } from '../../src/core/extenders/extender.ts';
import { Profiles } from '../../src/core/profiles.ts';
import { type EncodedRequirements, PodEncoder } from '../../src/engine/signature/pod-encoder.ts';
import { type Pod, Scheduler } from '../../src/index.ts';
import { arbitraryClusterPods, SEEN, seenOf, UNSEEN } from '../builders/arbitrary-cluster-pod.ts';
import { makeClusterPod } from '../builders/make-cluster-pod.ts';
import { makeNode } from '../builders/make-node.ts';
import { runs } from '../builders/runs.ts';
import { configured } from '../core/configured.ts';
import { configurationWith } from '../core/user-plugins/lab-plugin.ts';

const numRuns = runs(200);

const configuration = configured({
  profiles: [{ schedulerName: 'default-scheduler' }, { schedulerName: 'second' }],
  extenders: [
    {
      urlPrefix: 'http://localhost:1',
      filterVerb: 'filter',
      managedResources: [{ name: 'example.com/gpu' }],
    },
  ],
});

/** In the order of `JSON.stringify`, with all keys sorted. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

describe('pods of a cluster, changed in many ways', () => {
  test('share what is known of them if and only if all of their specs that is seen is equal', () => {
    fc.assert(
      fc.property(arbitraryClusterPods, (pods) => {
        const signatures = new PodSignatures<string>();
        for (const pod of pods) {
          const seen = canonical(seenOf(pod.spec ?? {}));
          const known = signatures.get(pod);
          if (known === undefined) signatures.set(pod, seen);
          else expect(known).toBe(seen);
          expect(signatures.get(structuredClone(pod))).toBe(seen);
        }
        const different = new Set(pods.map((pod) => signatures.get(pod)));
        expect(different.size).toBe(new Set(pods.map(({ spec = {} }) => canonical(seenOf(spec)))).size);
      }),
      { numRuns },
    );
  });

  test('share nothing if a class defines the members of their specs, which are not enumerated then', () => {
    class Spec {
      readonly #cpu: string;
      constructor(cpu: string) {
        this.#cpu = cpu;
      }
      get containers() {
        return [{ name: 'main', resources: { requests: { cpu: this.#cpu } } }];
      }
    }
    const pod = (name: string, cpu: string): Pod => ({ metadata: { name }, spec: new Spec(cpu) });
    const signatures = new PodSignatures<string>();
    signatures.set(pod('a', '1'), '1');
    expect(signatures.get(pod('b', '64'))).toBeUndefined();
    const scheduler = new Scheduler();
    scheduler.addNode(makeNode('n', { cpu: 8 }));
    expect(['1', '64', '2'].map((cpu) => scheduler.schedule(pod(`p${cpu}`, cpu)).status)).toEqual([
      'scheduled',
      'unschedulable',
      'scheduled',
    ]);
  });

  test('share what is known of them if they name their nodes, and only the names differ', () => {
    const naming = (name: string, more: object = {}): Pod => {
      const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }], ...more };
      const required = { nodeSelectorTerms: [term] };
      const pod = makeClusterPod(1);
      const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: required };
      return { ...pod, spec: { ...pod.spec, affinity: { nodeAffinity } } };
    };
    const [signatures, all] = [new PodSignatures<string>([], true), new PodSignatures<string>()];
    for (const each of [signatures, all]) each.set(naming('n1'), 'a pod of a DaemonSet');
    expect(signatures.get(naming('n2'))).toBe('a pod of a DaemonSet');
    expect(signatures.get(naming('No_Name'))).toBe(undefined);
    expect(signatures.get(makeClusterPod(1))).toBe(undefined);
    const expression = { key: 'disk', operator: 'In', values: ['ssd'] };
    expect(signatures.get(naming('n2', { matchExpressions: [expression] }))).toBe(undefined);
    const preferred = [{ weight: 1, preference: { matchFields: [expression] } }];
    const affinities = [
      { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } },
      { podAffinity: {} },
      { podAntiAffinity: {} },
    ];
    for (const { nodeAffinity, ...others } of affinities) {
      const pod = naming('n2');
      const own = { ...pod.spec?.affinity?.nodeAffinity, ...nodeAffinity };
      const changed = { ...pod, spec: { ...pod.spec, affinity: { nodeAffinity: own, ...others } } };
      expect(signatures.get(changed)).toBe(undefined);
      signatures.set(changed, 'another pod');
    }
    expect(all.get(naming('n2'))).toBe(undefined);
    expect(all.get(naming('n1'))).toBe('a pod of a DaemonSet');
  });

  test('have steps that are those of no other pod, whatever is missing', () => {
    const member = (name: string) =>
      fc.option(fc.constantFrom<unknown>('a', {}, []), { nil: undefined, freq: 2 }).map((value) => ({ [name]: value }));
    const container = fc
      .tuple(...['name', 'image', 'restartPolicy', 'ports', 'resources'].map(member))
      .map((members): object => Object.assign({}, ...members));
    const specs = fc.array(
      fc.record({ containers: fc.array(container, { maxLength: 2 }), tolerations: fc.array(fc.constant({})) }),
    );
    fc.assert(
      fc.property(specs, (all) => {
        const signatures = new PodSignatures<string>();
        for (const spec of all) {
          const known = signatures.get({ spec } as Pod);
          if (known === undefined) signatures.set({ spec } as Pod, canonical(spec));
          else expect(known).toBe(canonical(spec));
        }
      }),
      { numRuns: numRuns * 5 },
    );
  });

  test('have the template that each would have by itself', () => {
    fc.assert(
      fc.property(arbitraryClusterPods, (pods) => {
        const profiles = new Profiles({ configuration });
        const frameworks = [...profiles.all()].map(({ framework }) => framework);
        // What plugins read of the pods with a key of verdicts, which is a number of the encoder.
        const read = new Map<string, string>();
        for (const pod of pods) {
          const template = profiles.templates.of(pod);
          const { affinity, topologySpreadConstraints } = pod.spec ?? {};
          const modules = profiles.of(pod);
          const encoder = new PodEncoder(...frameworks);
          const { verdictsKey, familyKey: _family, ...requirements } = template.requirements as EncodedRequirements;
          const { verdictsKey: _, familyKey: __, ...alone } = encoder.encode(pod);
          expect(requirements).toEqual(alone);
          const parts = encoder.plugins.map((plugin) => plugin.dependsOn?.(pod) ?? plugin.concerns?.(pod) ?? null);
          expect(read.get(verdictsKey) ?? JSON.stringify(parts)).toBe(JSON.stringify(parts));
          read.set(verdictsKey, JSON.stringify(parts));
          expect(template.profile).toBe(modules);
          expect(template.needsExtenders).toBe(modules !== undefined && needsExtenders(modules.extenders, pod));
          expect(template.hasTopology).toBe(
            Boolean(affinity?.podAffinity || affinity?.podAntiAffinity || topologySpreadConstraints),
          );
        }
      }),
      { numRuns: Math.ceil(numRuns / 4) },
    );
  });

  test('go where the reference sends them, one by one and in batches', () => {
    const { extenders: _, ...rest } = configuration;
    const options = { configuration: { ...rest, extenders: [] } };
    fc.assert(
      fc.property(arbitraryClusterPods, (pods) => {
        const [reference, single, batch] = (['reference', 'simd', 'simd'] as const).map((engine) =>
          withNodes(new Scheduler({ ...options, engine })),
        );
        const expected = pods.map((pod) => reference?.schedule(pod));
        expect(pods.map((pod) => single?.schedule(pod))).toEqual(expected);
        // Nobody counts ties in a batch.
        const counted = [...(batch?.scheduleBatch(pods) ?? [])].map((result) => ({ ...result, ties: 0 }));
        expect(counted).toEqual(expected.map((result) => ({ ...result, ties: 0 })));
      }),
      { numRuns: Math.ceil(numRuns / 4) },
    );
  });

  test.each(Object.entries(UNSEEN))('%s: the template of a pod without that', (_, change) => {
    const { templates } = new Profiles({});
    const plain = templates.of(makeClusterPod(1));
    expect(templates.known(structuredClone(change(makeClusterPod(2))))).toBe(plain);
  });

  test.each(Object.entries(SEEN))('%s: another template', (_, change) => {
    const { templates } = new Profiles({});
    templates.of(makeClusterPod(1));
    expect(templates.known(structuredClone(change(makeClusterPod(2))))).toBe(undefined);
  });
});

describe('a pod like one that was good is looked at as if it were the first', () => {
  const names = ['x', 'X', '', 'a b', 7, null, undefined, {}];
  const volume = fc.record({
    name: fc.constantFrom<unknown>(...names, 'config'),
    persistentVolumeClaim: fc.constantFrom<unknown>(undefined, undefined, 5, { claimName: '' }, { claimName: 'C' }),
    ephemeral: fc.constantFrom<unknown>(undefined, undefined, {}),
  });
  const wrong: fc.Arbitrary<object> = fc.oneof(
    fc.record({ hostname: fc.constantFrom<unknown>(...names) }),
    fc.record({ volumes: fc.oneof(fc.array(volume, { maxLength: 2 }), fc.constantFrom<unknown>(...names)) }),
    fc.record({ containers: fc.constantFrom<unknown>(...names, [], [7], [new Date(0)], [null], [{}, {}]) }),
    fc.record({ initContainers: fc.constantFrom<unknown>(...names, [], 0, [7], [{ name: 'main' }], [{ name: 'b' }]) }),
    fc.record({
      tolerations: fc.constantFrom<unknown>(...names, [null], [7n], [{ key: 1 }], [{ operator: 'Exists' }]),
    }),
    fc.record({ priority: fc.constantFrom<unknown>(0, -0, Number.NaN, '0', null, new Date(0)) }),
    fc.record({ nodeSelector: fc.constantFrom<unknown>({}, { a: 1 }, { a: '1' }, { a: new Date(0) }, [], null) }),
  );

  test('what is wrong with it is found, and reported in the same words', () => {
    fc.assert(
      fc.property(fc.array(wrong, { minLength: 1, maxLength: 6 }), fc.boolean(), (changes, isUsual) => {
        const scheduler = withNodes(new Scheduler());
        changes.forEach((members, i) => {
          const { metadata, spec } = makeClusterPod(i);
          const pod = { metadata: isUsual ? { name: metadata?.name } : metadata, spec: { ...spec, ...members } } as Pod;
          expect(outcomeOf(scheduler, pod)).toBe(outcomeAlone(pod));
        });
      }),
      { numRuns: Math.ceil(numRuns / 4) },
    );
  });

  test('also where the spec is none, or contains itself', () => {
    const scheduler = withNodes(new Scheduler());
    const affinity: Record<string, unknown> = {};
    affinity['nodeAffinity'] = affinity;
    for (const spec of [null, 7, 'text', [], { containers: [{}], affinity }]) {
      const pod = { metadata: { name: 'p' }, spec } as unknown as Pod;
      expect(outcomeOf(scheduler, pod)).toBe(outcomeAlone(pod));
    }
  });
});

describe('a plugin of the embedder may read what nobody else does', () => {
  const tokenOf = (spec: Pod['spec']): string =>
    (spec?.containers?.[0]?.env ?? []).find(({ name }) => name === 'TOKEN')?.value ?? '';
  const rejectsOdd = (spec: Pod['spec']) =>
    /[13579]$/.test(tokenOf(spec)) ? ({ code: 'Unschedulable', reasons: ['odd'] } as const) : null;
  const parts = { dependsOn: ({ spec }: { spec: Pod['spec'] }) => tokenOf(spec) };
  const forms: Readonly<Record<string, object>> = {
    'filter, what it depends on is said': {
      ...parts,
      filterReads: 'node',
      filter: (_state: unknown, { pod }: { pod: Pod }) => rejectsOdd(pod.spec),
    },
    'preFilter, what it depends on is said': {
      ...parts,
      stateReads: 'pod',
      preFilter: (_state: unknown, { pod }: { pod: Pod }) => rejectsOdd(pod.spec),
    },
    'preFilter of the spec': {
      stateReads: 'pod',
      preFilter: (_state: unknown, { pod }: { pod: Pod }) => rejectsOdd(pod.spec),
    },
    'filter, of anything': { filter: (_state: unknown, { pod }: { pod: Pod }) => rejectsOdd(pod.spec) },
  };

  test.each(Object.entries(forms))('%s', (_, members) => {
    const plugins = { Odd: () => ({ name: 'Odd', ...members }) };
    const pods = Array.from({ length: 8 }, (_, i) => makeClusterPod(i));
    for (const engine of ['reference', 'scalar', 'simd'] as const) {
      const options = { engine, plugins, configuration: configurationWith(plugins) };
      const statuses = pods.map((_, i) => (i % 2 === 0 ? 'scheduled' : 'unschedulable'));
      const single = withNodes(new Scheduler(options));
      expect(pods.map((pod) => single.schedule(pod).status)).toEqual(statuses);
      expect([...withNodes(new Scheduler(options)).scheduleBatch(pods)].map(({ status }) => status)).toEqual(statuses);
    }
  });
});

function withNodes(scheduler: Scheduler): Scheduler {
  scheduler.addNode(makeNode('n1', { zone: 'a', labels: { disk: 'ssd' } }));
  scheduler.addNode(makeNode('n2', { cpu: 3, taints: [{ key: 'dedicated', value: 'a', effect: 'NoSchedule' }] }));
  return scheduler;
}

/** The outcome on a scheduler that knows no other pod. */
function outcomeAlone(pod: Pod): string {
  return outcomeOf(withNodes(new Scheduler()), pod);
}

/** The status, or the error. */
function outcomeOf(scheduler: Scheduler, pod: Pod): string {
  try {
    return scheduler.schedule(pod).status;
  } catch (error) {
    return String(error);
  }
}
