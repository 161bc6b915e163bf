import { describe, expect, it } from 'vitest';
import { type ReadOptions, readManifests } from '../../src/manifests/read.ts';
import { textSource } from './text-source.ts';

const NODE = 'apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: "4", pods: 10}}\n';
const POD = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web-1}\nspec: {containers: [{name: c}]}\n';

async function read(text: string | Uint8Array, name = 'a.yaml', options: ReadOptions = {}) {
  return readManifests([name], textSource({ [name]: text }), options);
}

const strict: ReadOptions = { isStrict: true };

async function failure(text: string | Uint8Array, name = 'a.yaml', options: ReadOptions = {}): Promise<string> {
  const error = await read(text, name, options).then(
    () => null,
    (caught: unknown) => caught,
  );
  expect(error, `${text} should be refused`).toMatchObject({ name: 'BerthError' });
  const { message } = error as Error;
  expect(message).not.toContain('\n');
  return message;
}

const podJson = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'prod' },
  spec: { containers: [{ name: 'c' }], ...spec },
});

describe('readManifests', () => {
  it('reads YAML of many documents in order and applies defaults', async () => {
    const text = `# a comment\n---\n${NODE}---\n---\n${POD}...\n---\n${POD.replace('web-1', 'web-2')}`;
    const { nodes, pods, warnings } = await read(text);
    expect(nodes.map((node) => node.metadata?.name)).toEqual(['n1']);
    expect(pods.map((pod) => pod.metadata?.name)).toEqual(['web-1', 'web-2']);
    expect(pods[0]?.metadata?.namespace).toBe('default');
    expect(warnings).toEqual([]);
  });

  it('reads Lists, also with items of an implied kind and Lists in Lists', async () => {
    const node = { metadata: { name: 'n1' } };
    const list = {
      kind: 'List',
      items: [
        { apiVersion: 'v1', kind: 'NodeList', items: [node] },
        { kind: 'PodList', items: null },
        podJson('a', { nodeName: 'n1' }),
      ],
    };
    const pretty = await read(JSON.stringify(list, null, 2), 'dump.json');
    expect(pretty.nodes).toHaveLength(1);
    expect(pretty.pods).toHaveLength(1);
    expect(await read(JSON.stringify(list), '-')).toEqual(pretty);
    expect(await read(JSON.stringify(list), 'json-in.yaml')).toEqual(pretty);
  });

  it('reads claims and slices of older versions as those of v1', async () => {
    const { others } = await read(
      'apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nmetadata: {name: c, namespace: x}\n' +
        'spec: {devices: {requests: [{name: r, deviceClassName: gpu}]}}\n---\n' +
        'apiVersion: resource.k8s.io/v1beta2\nkind: DeviceClass\nmetadata: {name: gpu}\nspec: {}\n',
      'a.yaml',
      strict,
    );
    expect(others?.map(({ object }) => object)).toMatchObject([
      { apiVersion: 'resource.k8s.io/v1', spec: { devices: { requests: [{ exactly: { deviceClassName: 'gpu' } }] } } },
      { apiVersion: 'resource.k8s.io/v1', metadata: { name: 'gpu' } },
    ]);
  });

  it('reads one JSON object a line, by name or by look', async () => {
    const text = `\n${JSON.stringify(podJson('a'))}\r\n\n${JSON.stringify(podJson('b'))}`;
    for (const name of ['pods.ndjson', 'pods.jsonl', 'pods.json', '-']) {
      expect((await read(text, name)).pods.map((pod) => pod.metadata?.name)).toEqual(['a', 'b']);
    }
  });

  it('reads YAML written in braces, merge keys, directives and a byte order mark', async () => {
    expect((await read("{kind: Node, metadata: {name: n1}, 'spec': {}}")).nodes).toHaveLength(1);
    expect((await read(`\ufeff%YAML 1.2\n---\n${NODE}`)).nodes).toHaveLength(1);
    const merged = 'kind: Node\nx: &base {name: n1}\nmetadata:\n  <<: *base\n  labels: {a: b}\n';
    expect((await read(merged)).nodes[0]?.metadata?.name).toBe('n1');
  });

  it('takes null as missing', async () => {
    const { pods } = await read(
      JSON.stringify(podJson('a', { nodeSelector: null, tolerations: null, affinity: { nodeAffinity: null } })),
    );
    expect(pods[0]?.spec).not.toHaveProperty('nodeSelector');
    expect(pods[0]?.spec?.affinity).toEqual({});
    expect(await failure('kind: Pod\nmetadata: {name: a}\nspec: null\n')).toBe(
      'a.yaml: Pod default/a: spec: is required',
    );
  });

  it('says how many objects ask for what is not evaluated, or lack what a controller writes', async () => {
    const text = [
      podJson('a', { resourceClaims: [{ name: 'c' }] }),
      podJson('b', { resourceClaims: [{ name: 'c' }] }),
      podJson('c', { resourceClaims: [] }),
      { kind: 'PodDisruptionBudget', metadata: { name: 'x' }, spec: { minAvailable: 1 } },
      { kind: 'PodDisruptionBudget', metadata: { name: 'y' }, status: { disruptionsAllowed: 1 } },
    ];
    const { warnings } = await read(text.map((pod) => JSON.stringify(pod)).join('\n'), 'p.ndjson');
    expect(warnings).toEqual([
      'status.disruptionsAllowed of 1 PodDisruptionBudget is missing and taken as 0: preemption spares its pods',
    ]);
  });

  it('hands on every other kind, with defaults, in the order of the input', async () => {
    const text = [
      { kind: 'StorageClass', metadata: { name: 'fast' }, provisioner: 'p' },
      { kind: 'NamespaceList', items: [{ metadata: { name: 'prod', labels: { team: 'a' } } }] },
      { kind: 'List', items: [{ kind: 'Service', metadata: { name: 's', namespace: 'prod' }, spec: null }] },
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata: { name: 'r' },
        spec: { selector: { matchLabels: { a: 'b' } } },
      },
      { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name: 'n1' }, spec: { drivers: null } },
    ];
    const { others, nodes, pods } = await read(text.map((object) => JSON.stringify(object)).join('\n'), 'o.ndjson');
    expect([nodes, pods]).toEqual([[], []]);
    expect(
      others.map(({ kind, object }) => `${kind} ${object.metadata?.namespace ?? '-'}/${object.metadata?.name}`),
    ).toEqual(['StorageClass -/fast', 'Namespace -/prod', 'Service prod/s', 'ReplicaSet default/r', 'CSINode -/n1']);
    expect(others[0]?.object).toMatchObject({ volumeBindingMode: 'Immediate' });
    expect(others[1]?.object.metadata?.labels).toEqual({ team: 'a', 'kubernetes.io/metadata.name': 'prod' });
  });

  it('adds the namespaces that pods are in', async () => {
    const { others } = await read(
      `kind: Namespace\nmetadata: {name: prod}\n---\n${JSON.stringify(podJson('a'))}\n---\n${POD}`,
    );
    expect(others).toEqual([
      {
        kind: 'Namespace',
        object: { metadata: { name: 'default', labels: { 'kubernetes.io/metadata.name': 'default' } } },
      },
      expect.objectContaining({ kind: 'Namespace', object: expect.objectContaining({ kind: 'Namespace' }) }),
    ]);
  });

  it('gives pods the priority of their class, wherever the class stands', async () => {
    const priorityClass = (name: string, value: number, more: object = {}) => ({
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      value,
      ...more,
    });
    const text = [
      podJson('a', { priorityClassName: 'high' }),
      podJson('b', { priorityClassName: 'high', priority: 7 }),
      podJson('c', { priorityClassName: 'system-node-critical' }),
      podJson('d'),
      { ...podJson('e', { priorityClassName: 'gone' }), status: { phase: 'Failed' } },
      priorityClass('high', 1000, { preemptionPolicy: 'Never' }),
      priorityClass('usual', 5, { globalDefault: true }),
    ];
    const { pods, others } = await read(text.map((object) => JSON.stringify(object)).join('\n'), 'p.ndjson');
    expect(pods.map(({ spec }) => spec?.priority)).toEqual([1000, 7, 2_000_001_000, 5, undefined]);
    expect(pods.map(({ spec }) => spec?.preemptionPolicy)).toEqual(['Never', ...Array(4).fill(undefined)]);
    expect(others.map(({ kind }) => kind)).toEqual(['Namespace']);
  });

  it('gives claims the default storage class', async () => {
    const claim = (name: string, spec: object = {}) => ({
      kind: 'PersistentVolumeClaim',
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
    });
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    const text = [
      claim('a'),
      claim('b', { storageClassName: '' }),
      { kind: 'StorageClass', metadata: { name: 'fast', annotations }, provisioner: 'p' },
    ];
    const { others } = await read(text.map((object) => JSON.stringify(object)).join('\n'), 'p.ndjson');
    const specs = others.map(({ object }) => ('spec' in object ? object.spec : null));
    expect(specs[0]).toMatchObject({ storageClassName: 'fast' });
    expect(specs[1]).toMatchObject({ storageClassName: '' });
  });

  it('reports its progress', async () => {
    const seen: number[] = [];
    await readManifests(['a'], textSource({ a: `${NODE}---\n${POD}` }), {
      onProgress: (_file, done, total) => seen.push(done / total),
    });
    expect(seen).toEqual([1]);
  });
});

describe('bad input', () => {
  it('names file and line of malformed YAML', async () => {
    expect(await failure(`${NODE}---\n${POD}---\nkind: Pod\nmetadata:\n  name: [a\n`)).toMatch(
      /^a\.yaml:\d+:\d+: malformed YAML: /,
    );
    expect(await failure('kind: Pod\nmetadata: {name: a}\n\tspec: 1\n')).toMatch(/^a\.yaml:3:\d+: malformed YAML/);
    expect(await failure('a: 1\na: 2\n')).toMatch(/^a\.yaml:2:1: malformed YAML: .*unique/);
    expect(await failure('a: *missing\n')).toMatch(/^a\.yaml:1:\d+: malformed YAML/);
  });

  it('names file and line of malformed JSON', async () => {
    expect(await failure('{\n "kind": "Pod",\n "metadata": {"name": }\n}', 'a.json')).toBe(
      'a.json:3:23: malformed JSON: expected a value, found "}"',
    );
    expect(await failure(`${JSON.stringify(podJson('a'))}\n{"kind": "Pod"`, 'a.ndjson')).toBe(
      "a.ndjson:2:15: malformed JSON: it ends where ',' or the closing bracket is expected",
    );
    expect(await failure('kind: Pod', 'a.json')).toMatch(/^a\.json:1:1: malformed JSON/);
  });

  it('refuses what is not text, not an object, or empty', async () => {
    expect(await failure(Uint8Array.of(0x61, 0xff, 0xfe))).toBe('a.yaml:1: not UTF-8 text');
    expect(await failure('just words')).toBe(
      'a.yaml: line 1: must be an object with apiVersion and kind, not the string "just words"',
    );
    expect(await failure('[1]', 'a.json')).toMatch(/not a list$/);
    for (const text of ['', '\n\n', '---\n# nothing\n---\n'])
      expect(await failure(text)).toMatch(/holds no Kubernetes object/);
    expect(await failure(`kind: Node\nmetadata: {name: a}\nx: ${'['.repeat(500)}${']'.repeat(500)}`)).toMatch(
      /nested too deeply/,
    );
  });

  it('leaves out and counts kinds without a meaning here, or refuses them', async () => {
    const text = `${NODE}---\n# x\nkind: ConfigMap\n`;
    expect((await read(text)).warnings).toEqual(['left out 1 object of 1 kind: 1 ConfigMap']);
    expect(await failure(text, 'a.yaml', strict)).toBe(
      'a.yaml: line 7: kind "ConfigMap" is not supported (known: Node, Pod, Namespace, Service, ' +
        'ReplicationController, ReplicaSet, StatefulSet, PersistentVolumeClaim, PersistentVolume, StorageClass, ' +
        'CSINode, CSIDriver, CSIStorageCapacity, VolumeAttachment, PodDisruptionBudget, ' +
        'ResourceClaim, ResourceSlice, DeviceClass, PodGroup, Workload, PriorityClass, List)',
    );
    expect(await failure('{"kind":"List","items":[{"kind":"Lease"}]}', 'a.json', strict)).toMatch(
      /^a\.json: items\[0\]: kind "Lease" is not supported/,
    );
    expect(await failure('{kind: ConfigMapList, items: []}', 'a.yaml', strict)).toMatch(
      /kind "ConfigMapList" is not supported/,
    );
    const items = [
      { apiVersion: 'serving.knative.dev/v1', kind: 'Service', metadata: { name: 's' } },
      { kind: 'LeaseList', items: [{}, {}] },
      { apiVersion: 'metrics.k8s.io/v1beta1', kind: 'NodeMetrics', containers: 'anything' },
      { apiVersion: 'apps.example.com/v1', kind: 'PodList', items: [{}] },
      podJson('a'),
    ];
    const { warnings, pods, others } = await read(JSON.stringify({ kind: 'List', items }), '-');
    expect(warnings).toEqual([
      'left out 5 objects of 4 kinds: 2 Lease, 1 NodeMetrics, 1 Pod, 1 Service.serving.knative.dev',
    ]);
    expect(pods).toHaveLength(1);
    expect(others.map(({ kind }) => kind)).toEqual(['Namespace']);
    expect(await failure('kind: Lease')).toBe(
      'a.yaml: holds no object that scheduling reads (left out 1 object of 1 kind: 1 Lease)',
    );
  });

  it('refuses Lists that are not lists, and objects without a kind', async () => {
    expect(await failure('metadata: {}')).toBe('a.yaml: line 1: kind: is required');
    expect(await failure('kind: 5')).toMatch(/kind: must be a string/);
    expect(await failure('kind: List')).toMatch(/items: is required/);
    expect(await failure('{kind: PodList, items: {}}')).toMatch(/items: must be a list, not an object/);
    expect(await failure('{kind: PodList, items: [{kind: Node}]}')).toMatch(/items\[0\]: kind: "Node" does not belong/);
    expect(await failure('{kind: List, apiVersion: v2, items: []}')).toMatch(/apiVersion: must be v1/);
    expect(await failure('{kind: CSINodeList, apiVersion: v1, items: []}')).toMatch(
      /apiVersion: must be storage\.k8s\.io\/v1 for a CSINodeList/,
    );
  });

  it('names object and field of a wrong value', async () => {
    const pod = podJson('web-1', { containers: [{ name: 'c', resources: { requests: { cpu: '10Gi i' } } }] });
    expect(await failure(JSON.stringify(pod), 'pods.json')).toMatch(
      /^pods\.json: Pod prod\/web-1: spec\.containers\[0\]\.resources\.requests\.cpu: malformed quantity "10Gi i"/,
    );
    expect(await failure('kind: Pod\nspec: {containers: [{}]}')).toBe('a.yaml: Pod (line 1): metadata: is required');
    expect(await failure(POD.replace('v1', 'apps/v1'))).toMatch(/Pod default\/web-1: apiVersion: unknown apiVersion/);
  });

  it('refuses names that appear twice, over all files', async () => {
    expect(await failure(`${NODE}---\n${NODE}`)).toBe(
      'a.yaml: Node n1: metadata.name: duplicate name (twice in this file)',
    );
    const twoFiles = readManifests(['a', 'b'], textSource({ a: POD, b: POD }));
    await expect(twoFiles).rejects.toThrow('b: Pod default/web-1: metadata.name: duplicate name (first in a)');
    const otherNamespace = POD.replace('{name: web-1}', '{name: web-1, namespace: other}');
    expect((await read(`${POD}---\n${otherNamespace}`)).pods).toHaveLength(2);
  });

  it('warns of pods on a node that is not there, or refuses them, wherever the node would stand', async () => {
    const bound = POD.replace('{containers', '{nodeName: n1, containers');
    expect(await failure(bound, 'a.yaml', strict)).toBe(
      'a.yaml: Pod default/web-1: spec.nodeName: node "n1" is not in the input',
    );
    expect((await read(bound)).warnings).toEqual([
      '1 pod is on a node that is not in the input, and counts nowhere (Pod default/web-1 on "n1")',
    ]);
    expect((await read(`${bound}---\n${NODE}`)).warnings).toEqual([]);
    expect((await read(`${bound}status: {phase: Succeeded}\n`)).warnings).toEqual([]);
  });

  it('takes an object once that a dump has twice', async () => {
    const same = JSON.stringify({ ...podJson('a'), metadata: { name: 'a', uid: 'u1' } });
    expect((await read(`${same}\n${same}`, '-')).pods).toHaveLength(1);
    expect(await failure(`${same}\n${same.replace('u1', 'u2')}`, '-')).toMatch(/duplicate name \(twice in this file\)/);
  });

  it('keeps the names of each kind apart', async () => {
    const namespaced = 'kind: Service\nmetadata: {name: a}\n';
    expect(await failure(`${namespaced}---\n${namespaced}`)).toBe(
      'a.yaml: Service default/a: metadata.name: duplicate name (twice in this file)',
    );
    const volume = 'kind: CSIDriver\nmetadata: {name: a}\n';
    expect(await failure(`${namespaced}---\n${volume}---\n${volume}`)).toBe(
      'a.yaml: CSIDriver a: metadata.name: duplicate name (twice in this file)',
    );
  });

  it('refuses a priority class that is not there, and a second default', async () => {
    expect(await failure(POD.replace('{containers', '{priorityClassName: high, containers'))).toBe(
      'a.yaml: Pod default/web-1: spec.priorityClassName: priority class "high" is not in the input, ' +
        'and spec.priority is not set',
    );
    const first = 'kind: PriorityClass\nmetadata: {name: a}\nvalue: 1\nglobalDefault: true\n';
    expect(await failure(`${first}---\n${first.replace('name: a', 'name: b')}`)).toBe(
      'a.yaml: PriorityClass b: globalDefault: PriorityClass a is the default already',
    );
  });

  it('names object and field of other kinds', async () => {
    expect(await failure('kind: PersistentVolumeClaim\nmetadata: {name: a}\nspec: {accessModes: [Some]}\n')).toBe(
      'a.yaml: PersistentVolumeClaim default/a: spec.accessModes[0]: unknown access mode "Some" ' +
        '(known: ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod)',
    );
  });

  it('gives the limit of a YAML document that is too long', async () => {
    const long = `kind: List\nitems:\n- [${'filler filler filler filler filler, '.repeat(500_000)}]\n`;
    expect(await failure(`${NODE}---\n${long}`)).toMatch(
      /^a\.yaml:8: one YAML object of 1\d\.\d MiB that is not in plain block style; the limit is 16\.0 MiB/,
    );
  });

  it('passes on that a file is not there', async () => {
    await expect(readManifests(['none.yaml'], textSource({}))).rejects.toThrow('none.yaml: no such file');
  });
});
