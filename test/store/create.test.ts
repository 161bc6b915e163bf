import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { Prng } from '../../src/lib/prng.ts';
import { ApiError, hasCause } from '../../src/store/objects/api-error.ts';
import { RandomNames } from '../../src/store/objects/names.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { makeStore } from '../builders/make-store.ts';
import { refusal } from './refusal.ts';

describe('create', () => {
  it('gives a pod its identity, defaults and first status', () => {
    const { store } = makeStore();
    const pod = store.create('pods', {
      metadata: { name: 'web-1', labels: { app: 'web' }, annotations: {}, uid: 'mine', generation: 7 },
      spec: { containers: [{ name: 'app', image: 'web', resources: { limits: { cpu: 1, memory: '1Gi' } } }] },
      status: { phase: 'Running' },
    });
    expect(pod.metadata).toEqual({
      name: 'web-1',
      namespace: 'default',
      uid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      resourceVersion: '6',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: 'web' },
    });
    expect(pod).toMatchObject({ apiVersion: 'v1', kind: 'Pod', status: { phase: 'Pending', qosClass: 'Guaranteed' } });
    expect(pod.spec).toMatchObject({
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      schedulerName: 'default-scheduler',
      containers: [{ imagePullPolicy: 'Always', resources: { requests: { cpu: 1, memory: '1Gi' } } }],
    });
    expect(store.get('pods', 'default', 'web-1')).toBe(pod);
  });

  it('keeps the status that a node brings along, and no other', () => {
    const { store } = makeStore();
    const node = store.create('nodes', makeNode('n1'));
    expect(node.status?.allocatable).toEqual(makeNode('n1').status?.allocatable);
    expect(node.metadata?.namespace).toBeUndefined();
    const budget = { metadata: { name: 'b' }, spec: {}, status: { disruptionsAllowed: 5 } };
    expect(store.create('poddisruptionbudgets', budget).status?.disruptionsAllowed).toBe(0);
    const claim = { metadata: { name: 'c' }, spec: { accessModes: ['ReadWriteOnce'] }, status: { phase: 'Bound' } };
    const sized = { ...claim, spec: { ...claim.spec, resources: { requests: { storage: '1Gi' } } } };
    expect(store.create('persistentvolumeclaims', sized).status).toEqual({ phase: 'Pending' });
  });

  it('completes a generateName', () => {
    const { store } = makeStore();
    const base = `${'long-name-'.repeat(6)}x`;
    const { spec } = makePod('unused');
    const names = Array.from({ length: 50 }, () => {
      return store.create('pods', { metadata: { generateName: base }, spec }).metadata?.name ?? '';
    });
    for (const name of names) expect(name).toMatch(/^.{58}[bcdfghjklmnpqrstvwxz2-9]{5}$/);
    expect(new Set(names).size).toBe(50);
    expect(names[0]?.startsWith(base.slice(0, 58))).toBe(true);
  });

  it('tries another name when a generated one is taken', () => {
    const suffixes = ['aaaaa', 'aaaaa', 'bbbbb'];
    const random = new RandomNames(new Prng(1));
    const names = { uid: () => random.uid(), suffix: () => suffixes.shift() ?? 'ccccc' };
    const { store } = makeStore(undefined, names);
    const create = (): Pod => store.create('pods', { metadata: { generateName: 'p-' }, spec: makePod('x').spec });
    expect([create(), create()].map(({ metadata }) => metadata?.name)).toEqual(['p-aaaaa', 'p-bbbbb']);
    create();
    const message = 'pods "p-ccccc" already exists, the server was not able to generate a unique name for the object';
    expect(refusal(create)).toMatchObject({ reason: 'AlreadyExists', message });
  });

  it('finds the priority of a pod, also after a class has come', () => {
    const { store } = makeStore();
    const pod = (name: string): Pod => makePod(name, { spec: { ...makePod(name).spec, priorityClassName: 'high' } });
    expect(refusal(() => store.create('pods', pod('p1')))).toMatchObject({
      reason: 'Forbidden',
      message: 'pods "p1" is forbidden: no PriorityClass with name high was found',
    });
    store.create('pods', makePod('plain'));
    store.create('priorityclasses', { metadata: { name: 'high' }, value: 100 });
    store.create('priorityclasses', { metadata: { name: 'usual' }, value: 7, globalDefault: true });
    expect(store.create('pods', pod('p1')).spec?.priority).toBe(100);
    expect(store.create('pods', makePod('plain-2')).spec?.priority).toBe(7);
    expect(store.get('pods', 'default', 'plain').spec?.priority).toBeUndefined();
  });

  it('gives a claim the default storage class', () => {
    const { store } = makeStore();
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    store.create('storageclasses', { metadata: { name: 'fast', annotations }, provisioner: 'p' });
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const claim = store.create('persistentvolumeclaims', { metadata: { name: 'c' }, spec });
    expect(claim.spec?.storageClassName).toBe('fast');
    expect(store.get('storageclasses', '', 'fast').volumeBindingMode).toBe('Immediate');
  });

  it('marks a pod that waits behind a gate', () => {
    const { store } = makeStore();
    const pod = store.create('pods', makePod('p', { gates: ['wait'] }));
    expect(pod.status?.conditions).toMatchObject([
      { type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' },
    ]);
  });

  it('merges label keys of the pod at hand, not of one before with the same spec', () => {
    const { store } = makeStore();
    const constraint = {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: {},
      matchLabelKeys: ['app'],
    };
    const spec = { ...makePod('p').spec, topologySpreadConstraints: [constraint] };
    const apps = ['a', 'b'].map((app) => {
      const pod = store.create('pods', { metadata: { name: app, labels: { app } }, spec });
      return pod.spec?.topologySpreadConstraints?.[0]?.labelSelector?.matchExpressions;
    });
    expect(apps).toEqual(['a', 'b'].map((app) => [{ key: 'app', operator: 'In', values: [app] }]));
  });

  it('distinguishes pods of one template by their places', () => {
    const { store } = makeStore();
    const { spec } = makePod('p');
    const places = [
      {},
      { hostname: 'h' },
      { nodeName: 'n', hostname: 'g' },
      { hostname: '', nodeName: undefined },
      { nodeName: 'm' },
    ];
    const pods = places.map((place, index) =>
      store.create('pods', makePod(`p-${index}`, { spec: { ...spec, ...place } })),
    );
    expect(pods.map((pod) => [pod.spec?.hostname, pod.spec?.nodeName])).toEqual([
      [undefined, undefined],
      ['h', undefined],
      ['g', 'n'],
      [undefined, undefined],
      [undefined, 'm'],
    ]);
    for (const pod of pods) {
      expect(pod.spec?.containers).toBe(pods[0]?.spec?.containers);
      expect(Object.isFrozen(pod.spec)).toBe(true);
    }
    const bad = makePod('bad', { spec: { ...spec, hostname: 'Not.A.Label' } });
    expect(refusal(() => store.create('pods', bad)).message).toContain('spec.hostname: bad name "Not.A.Label"');
  });

  it('distinguishes pods of one template by their volumes', () => {
    const { store } = makeStore();
    const { spec } = makePod('p');
    const claim = (claimName: string) => ({ name: 'data', persistentVolumeClaim: { claimName } });
    const lists = [[claim('a')], [claim('b')], [claim('b'), { name: 'tmp', emptyDir: {} }], undefined, []];
    const pods = lists.map((volumes, index) =>
      store.create('pods', makePod(`p-${index}`, { spec: { ...spec, volumes, hostname: `h-${index}` } })),
    );
    expect(pods.map((pod) => pod.spec?.volumes)).toEqual(lists);
    const others = pods.map((pod) => ({ ...pod.spec, volumes: undefined, hostname: undefined }));
    for (const [index, pod] of pods.entries()) {
      expect(others[index]).toEqual(others[0]);
      expect(Object.isFrozen(pod.spec) && Object.isFrozen(pod.spec?.volumes ?? Object.freeze([]))).toBe(true);
      expect(pod.spec?.hostname).toBe(`h-${index}`);
    }
    expect(pods[1]?.spec?.containers).toBe(pods[0]?.spec?.containers);
    const bad = makePod('bad', { spec: { ...spec, volumes: [claim('x'), claim('Y')] } });
    const { message } = refusal(() => store.create('pods', bad));
    expect(message).toContain('spec.volumes[1].persistentVolumeClaim.claimName: bad name "Y"');
    expect(message).toContain('spec.volumes[1]: duplicate volume name "data"');
  });

  it('generates the selector of a Job', () => {
    const { store } = makeStore();
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    const job = store.create('jobs', { metadata: { name: 'j' }, spec: { template } });
    expect(job).toMatchObject({ apiVersion: 'batch/v1', kind: 'Job', spec: { completions: 1, backoffLimit: 6 } });
    const uid = job.metadata?.uid;
    expect(job.spec?.selector).toEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': uid } });
    expect(job.spec?.template?.metadata?.labels).toMatchObject({ 'job-name': 'j', 'controller-uid': uid });
    expect(job.metadata?.generation).toBe(1);
  });

  it('takes events and leases', () => {
    const { store } = makeStore();
    const involvedObject = { kind: 'Node', name: 'n1' };
    store.create('events', { metadata: { name: 'n1.1' }, involvedObject, reason: 'Rebooted', type: 'Warning' });
    const renewTime = new Date('2026-01-01T00:00:00.5Z');
    store.create('leases', { metadata: { name: 'n1', namespace: 'kube-node-lease' }, spec: { renewTime } });
    expect(store.get('leases', 'kube-node-lease', 'n1').spec?.renewTime).toBe('2026-01-01T00:00:00.500000Z');
    const foreign = { metadata: { name: 'e' }, involvedObject: { kind: 'Pod', namespace: 'kube-system', name: 'p' } };
    expect(refusal(() => store.create('events', foreign)).message).toContain('does not match event.namespace');
  });

  it('keeps its objects from those who gave them', () => {
    const { store } = makeStore();
    const labels: Record<string, string> = { app: 'web' };
    const containers = [{ name: 'app', image: 'web' }];
    for (const name of ['first', 'second']) store.create('pods', { metadata: { name, labels }, spec: { containers } });
    labels['app'] = 'changed';
    containers[0]!.image = 'changed';
    containers.push({ name: 'more', image: 'changed' });
    for (const name of ['first', 'second']) {
      const pod = store.get('pods', 'default', name);
      expect(pod.metadata?.labels).toEqual({ app: 'web' });
      expect(pod.spec?.containers).toMatchObject([{ name: 'app', image: 'web' }]);
      expect(() => Object.assign(pod.spec?.containers?.[0] ?? {}, { image: 'x' })).toThrow(TypeError);
    }
    expect(store.create('pods', { metadata: { name: 'third', labels }, spec: { containers } })).toMatchObject({
      metadata: { labels: { app: 'changed' } },
      spec: { containers: [{ image: 'changed' }, { name: 'more' }] },
    });
  });
});

describe('create refuses', () => {
  it.each<[string, string, unknown, string, string]>([
    ['what is there already', 'pods', makePod('taken'), 'AlreadyExists', 'pods "taken" already exists'],
    [
      'a missing namespace',
      'pods',
      makePod('p', { namespace: 'nowhere' }),
      'NotFound',
      'namespaces "nowhere" not found',
    ],
    ['a bad name', 'pods', makePod('P'), 'Invalid', 'Pod "P" is invalid: metadata.name: bad name "P"'],
    ['no name', 'nodes', {}, 'Invalid', 'Node "" is invalid: metadata.name: is required'],
    ['a name that is no text', 'pods', { metadata: { name: 5 } }, 'Invalid', 'metadata.name: must be a string'],
    [
      'a namespace on a node',
      'nodes',
      { metadata: { name: 'n', namespace: 'x' } },
      'Invalid',
      'not allowed on this type',
    ],
    ['no spec', 'pods', { metadata: { name: 'p' } }, 'Invalid', 'Pod "p" is invalid: spec: is required'],
    ['a spec that is a text', 'pods', { metadata: { name: 'p' }, spec: 'x' }, 'Invalid', 'spec: must be an object'],
    ['another kind', 'pods', { ...makePod('p'), kind: 'Node' }, 'Invalid', 'kind: unknown kind "Node"'],
    [
      'a version',
      'pods',
      { metadata: { name: 'p', resourceVersion: '3' } },
      'BadRequest',
      'resourceVersion should not be set',
    ],
    ['a text', 'pods', 'pod', 'BadRequest', 'an API object must be an object'],
    ['metadata that are a list', 'pods', { metadata: [] }, 'BadRequest', 'metadata must be an object'],
    ['an unknown resource', 'toString', {}, 'BadRequest', 'unknown resource "toString"'],
    [
      'a bad finalizer',
      'pods',
      { metadata: { name: 'p', finalizers: ['!'] } },
      'Invalid',
      'metadata.finalizers[0]: bad key',
    ],
    ['a Job without template', 'jobs', { metadata: { name: 'j' }, spec: {} }, 'Invalid', 'Job.batch "j" is invalid'],
  ])('%s', (_, resource, object, reason, message) => {
    const { store } = makeStore();
    store.create('pods', makePod('taken'));
    const before = store.list('pods');
    const error = refusal(() => store.create(resource as 'pods', object as Pod));
    expect(error.reason).toBe(reason);
    expect(error.message).toContain(message);
    expect(store.list('pods')).toEqual(before);
  });

  it('an owner list with two controllers, naming the field', () => {
    const { store } = makeStore();
    const owner = { apiVersion: 'v1', kind: 'X', uid: 'u', controller: true };
    const ownerReferences = [
      { ...owner, name: 'a' },
      { ...owner, name: 'b' },
    ];
    const error = refusal(() => store.create('pods', { ...makePod('p'), metadata: { name: 'p', ownerReferences } }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error.statusCode).toBe(422);
    expect(error.causes.map(({ field }) => field)).toEqual(['metadata.ownerReferences']);
    expect(hasCause(error, 'FieldValueInvalid')).toBe(true);
  });

  it('several things at once, in one message', () => {
    const { store } = makeStore();
    const error = refusal(() => store.create('pods', { metadata: { name: 'A' }, spec: { containers: [] } }));
    expect(error.message).toMatch(/^Pod "A" is invalid: \[metadata\.name: .*, spec\.containers: .*\]$/);
    expect(error.causes).toHaveLength(2);
  });
});
