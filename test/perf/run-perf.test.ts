import { describe, expect, it } from 'vitest';
import { readPerfConfig } from '../../src/perf/config/read-perf-config.ts';
import type { PerfStack } from '../../src/perf/perf-stack.ts';
import { type PerfOptions, runPerf } from '../../src/perf/run-perf.ts';
import { textSource } from '../manifests/text-source.ts';
import { tickingClock, workloadFiles } from './workload-files.ts';

const CONFIG = 'performance-config.yaml';

async function run(files: Record<string, string>, options: Partial<PerfOptions> = {}) {
  const source = textSource(files);
  const config = await readPerfConfig(CONFIG, source);
  return runPerf(config, source, { clock: tickingClock(), seed: 1, scheduler: {}, filter: {}, ...options });
}

const NODE = 'status: {capacity: {pods: "10", cpu: "4", memory: 8Gi}}';
const POD = 'metadata: {generateName: p-}\nspec: {containers: [{name: c, resources: {requests: {cpu: "1"}}}]}';

/** Files around one test case with these operations and a workload. */
const files = (operations: string, workload = '', testCase = '') => ({
  [CONFIG]: `
- name: Case
  defaultPodTemplatePath: pod.yaml
${testCase}
  workloadTemplate:
${operations}
  workloads:
  - name: Small
${workload}
`,
  'pod.yaml': POD,
  'node.yaml': `metadata: {generateName: n-}\n${NODE}`,
});

const NODES = '  - {opcode: createNodes, count: 2, nodeTemplatePath: node.yaml}';
const MEASURED = '  - {opcode: createPods, count: 4, collectMetrics: true}';

describe('runPerf', () => {
  it("runs the short sizes of the project's own workloads to their end", async () => {
    const { results, notRun, failed } = await run(workloadFiles(), { filter: { labels: 'short' } });
    expect(failed).toEqual([]);
    expect(notRun).toEqual([]);
    expect(results.map(({ name }) => name.replace(/\/.*/, ''))).toEqual([
      ...['Basic', 'FiftyApps', 'ZoneSpreading', 'ZoneSpreading', 'Affinity', 'AntiAffinityAcrossNamespaces'],
      ...['Preemption', 'Churn', 'BoundVolumes', 'SteadyState', 'Waiting', 'Resizing'],
    ]);
    for (const { name, items } of results) {
      const throughput = items.find(({ labels }) => labels['Metric'] === 'SchedulingThroughput');
      expect(throughput?.data['Average'], name).toBeGreaterThan(0);
    }
  });

  it('runs the short sizes of its workloads for devices and groups', async () => {
    const source = textSource(workloadFiles());
    const config = await readPerfConfig('devices-and-groups.yaml', source);
    const options = { clock: tickingClock(), seed: 1, scheduler: {}, filter: { labels: 'short' } };
    const { results, notRun, failed } = await runPerf(config, source, options);
    expect([failed, notRun]).toEqual([[], []]);
    expect(results.map(({ name }) => name.replace(/\/.*/, ''))).toEqual([
      ...['Alternatives', 'Partitions', 'SharedCapacity', 'PooledDevices', 'BackedResource', 'BackedResourceScored'],
      ...['Gangs', 'TopologyGangs'],
    ]);
  });

  it('comes to the same in every run of a clock and a seed', async () => {
    const options = () => ({ filter: { pattern: /Preemption\/5Nodes|Waiting\/4/ }, clock: tickingClock() });
    expect(await run(workloadFiles(), options())).toEqual(await run(workloadFiles(), options()));
  });

  it('draws among equally good nodes: none is filled to its last pod while another is empty', async () => {
    const crowd = `${NODES}\n  - {opcode: createPods, count: 400, podTemplatePath: crowd.yaml, collectMetrics: true}`;
    const placed = async (scheduler: PerfOptions['scheduler']): Promise<number[]> => {
      const stacks: PerfStack[] = [];
      const roomy = NODE.replace('pods: "10"', 'pods: "3000"');
      const { failed } = await run(
        {
          ...files(crowd),
          'node.yaml': `metadata: {generateName: n-}\n${roomy}`,
          'crowd.yaml': 'metadata: {generateName: p-}\nspec: {containers: [{name: c}]}',
        },
        { scheduler, onStack: (stack) => stacks.push(stack) },
      );
      expect(failed).toEqual([]);
      const counts = new Map<string, number>();
      for (const { spec } of stacks[0]?.store.list('pods').items ?? []) {
        counts.set(spec?.nodeName ?? '', (counts.get(spec?.nodeName ?? '') ?? 0) + 1);
      }
      return [...counts.values()].sort((a, b) => a - b);
    };
    // A node with forty pods has no cpu left to score by: nothing distinguishes the two.
    expect((await placed({ tieBreak: 'first' }))[0]).toBeLessThan(60);
    expect((await placed({}))[0]).toBeGreaterThan(150);
    expect(await placed({})).toEqual(await placed({}));
  });

  it('warms up with few objects, and counts only the run itself', async () => {
    const stacks: PerfStack[] = [];
    const titles: string[] = [];
    const { results } = await run(files(`${NODES}\n${MEASURED}`), {
      warmsUpBy: tickingClock(),
      onStack: (stack) => stacks.push(stack),
      onProgress: (done, total, what) => titles.push(`${done}/${total} ${what}`),
    });
    expect(results).toHaveLength(1);
    expect(stacks).toHaveLength(1);
    expect(titles).toEqual(['0/2 Case/Small', '1/2 Case/Small']);
    expect(stacks[0]!.store.list('pods').items.every(({ spec }) => spec?.nodeName)).toBe(true);
  });

  it('collects garbage before each measurement, but not in rehearsals', async () => {
    const pods: number[] = [];
    let stack: PerfStack | undefined;
    const { results } = await run(files(`${NODES}\n${MEASURED}\n${MEASURED}`), {
      warmsUpBy: tickingClock(),
      onStack: (made) => {
        stack = made;
      },
      collectYoungGarbage: () => pods.push(stack?.store.list('pods').items.length ?? -1),
    });
    expect(results).toHaveLength(1);
    expect(pods).toEqual([0, 4]);
  });

  it('gives each node its hostname, and volumes that are bound to claims that are', async () => {
    const operations = `
  - opcode: createNodes
    count: 2
    nodeAllocatableStrategy: {csiNodeAllocatable: {d: {count: 2}}, migratedPlugins: [x]}
  - opcode: createPods
    count: 3
    namespace: storage
    collectMetrics: true
    persistentVolumeTemplatePath: volume.yaml
    persistentVolumeClaimTemplatePath: claim.yaml`;
    const storage = {
      'volume.yaml': 'spec: {accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}, csi: {driver: d}}',
      'claim.yaml': `
metadata: {annotations: {pv.kubernetes.io/bind-completed: "true"}}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}`,
    };
    const stacks: PerfStack[] = [];
    const onStack = (stack: PerfStack) => stacks.push(stack);
    const { failed } = await run({ ...files(operations), ...storage }, { onStack });
    expect(failed).toEqual([]);
    const { store } = stacks[0]!;
    for (const { metadata } of store.list('nodes').items) {
      expect(metadata?.name).toMatch(/^node-0-\w{5}$/);
      expect(metadata?.labels).toEqual({ 'kubernetes.io/hostname': metadata?.name });
      expect(store.get('csinodes', '', metadata?.name ?? '').spec?.drivers).toEqual([
        { name: 'd', nodeID: metadata?.name, allocatable: { count: 2 } },
      ]);
    }
    const volume = store.get('persistentvolumes', '', 'storage-vol-1');
    const claim = store.get('persistentvolumeclaims', 'storage', 'pvc-1');
    expect(volume).toMatchObject({
      spec: { csi: { volumeHandle: 'storage-vol-1' }, claimRef: { name: 'pvc-1', uid: claim.metadata?.uid } },
      status: { phase: 'Bound' },
    });
    expect(claim).toMatchObject({ spec: { volumeName: 'storage-vol-1' }, status: { phase: 'Bound' } });
    // A node has room for two volumes.
    const used = store.list('pods').items.map(({ spec }) => spec?.nodeName);
    expect(new Set(used).size).toBe(2);
  });

  it('labels nodes in turn, and pods by their batch', async () => {
    const operations = `
  - {opcode: createNodes, count: 3, labelNodePrepareStrategy: {labelKey: zone, labelValues: [a, b]}}
  - {opcode: createPods, count: 5, signatureBatchSize: 2, collectMetrics: true}`;
    const stacks: PerfStack[] = [];
    await run(files(operations), { onStack: (stack) => stacks.push(stack) });
    const { store } = stacks[0]!;
    const sorted = (values: (string | undefined)[]) => values.sort();
    expect(sorted(store.list('nodes').items.map(({ metadata }) => metadata?.labels?.['zone']))).toEqual([
      'a',
      'a',
      'b',
    ]);
    expect(sorted(store.list('pods').items.map(({ metadata }) => metadata?.labels?.['signature']))).toEqual(
      [0, 0, 1, 1, 2].map((batch) => `signature-label-${batch}`),
    );
  });

  it('waits, deletes and sleeps on a clock that jumps', async () => {
    const operations = `
${NODES}
  - {opcode: createPods, count: 4, namespace: a, skipWaitToCompletion: true}
  - {opcode: barrier, namespaces: [a]}
  - {opcode: deletePods, namespace: a, deletePodsPerSecond: 2}
  - {opcode: sleep, duration: 1h}
${MEASURED}`;
    const stacks: PerfStack[] = [];
    const { results } = await run(files(operations), { onStack: (stack) => stacks.push(stack) });
    expect(results[0]!.seconds).toBeGreaterThan(3602);
    expect(results[0]!.seconds).toBeLessThan(3603);
    // Waiting is no work, and work passes on the same clock.
    expect(results[0]!.workSeconds).toBeGreaterThan(0);
    expect(results[0]!.workSeconds).toBeLessThan(results[0]!.seconds - 3600);
    const deleted = stacks[0]!.store.list('pods', { namespace: 'a' }).items;
    expect(deleted.map(({ metadata }) => metadata?.deletionGracePeriodSeconds)).toEqual([30, 30, 30, 30]);
  });

  it('shows thresholds as a ratio', async () => {
    const { results } = await run(files(`${NODES}\n${MEASURED}`, '    threshold: 10'));
    const { threshold, items } = results[0]!;
    const [throughput] = items;
    expect(threshold).toMatchObject({ metric: 'SchedulingThroughput', threshold: 10, dataBucket: 'Average' });
    expect(threshold!.ratio).toBeCloseTo(throughput!.data['Average']! / 10);
    expect(throughput!.data['AverageThreshold']).toBe(10);
  });

  it.each([
    ['opcode', files(`${NODES}\n  - {opcode: startKubelets, nodes: x}\n${MEASURED}`), 'opcode startKubelets'],
    ['gate', files(MEASURED, '    featureGates: {CompositePodGroup: true}'), 'feature gate CompositePodGroup=true'],
    ['unknown gate', files(MEASURED, '', '  featureGates: {Unheard: false}'), 'feature gate Unheard=false'],
    ['setting', files(MEASURED, '', '  schedulerApiClientQPS: 100'), 'schedulerApiClientQPS'],
    [
      'kind',
      {
        ...files(`  - {opcode: createAny, templatePath: any.yaml}\n${MEASURED}`),
        'any.yaml': 'apiVersion: v1\nkind: Secret',
      },
      'createAny: objects of v1 Secret',
    ],
    [
      'groups of v1.35',
      { ...files(MEASURED), 'pod.yaml': `${POD}\n  `.replace('spec: {', 'spec: {workloadRef: {name: x}, ') },
      'createPods: spec.workloadRef in pod.yaml',
    ],
    [
      'subresource',
      files(`  - {opcode: updateAny, templatePath: pod.yaml, subresources: [scale]}\n${MEASURED}`),
      'updateAny: subresource scale',
    ],
    [
      'extenders',
      {
        ...files(MEASURED, '', '  schedulerConfigPath: scheduler.yaml'),
        'scheduler.yaml':
          'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n' +
          'extenders: [{urlPrefix: "http://x", filterVerb: f}]',
      },
      'HTTP extenders in scheduler.yaml',
    ],
  ])('names what it does not have, and does not run it: %s', async (_, given, reason) => {
    const { results, notRun } = await run(given);
    expect(results).toEqual([]);
    expect(notRun).toEqual([{ name: 'Case/Small', reason: `not supported: ${reason}` }]);
  });

  it('turns plugins off whose gate is off', async () => {
    const stacks: PerfStack[] = [];
    const given = files(`${NODES}\n${MEASURED}`, '    featureGates: {NodeDeclaredFeatures: false}');
    await run(given, { onStack: (stack) => stacks.push(stack) });
    const [profile] = stacks[0]!.scheduler.profiles.configuration.profiles;
    expect(profile!.plugins.filter).not.toContain('NodeDeclaredFeatures');
    expect(profile!.plugins.filter).toContain('NodeName');
  });

  it('goes on after a workload that fails', async () => {
    const given = files(
      `${NODES}\n  - {opcode: createPods, countParam: $pods, collectMetrics: true}`,
      '    params: {pods: 9}',
    );
    given[CONFIG] += '  - {name: Fits, params: {pods: 8}}\n';
    const { results, failed } = await run(given);
    expect(results.map(({ name }) => name)).toEqual(['Case/Fits']);
    expect(failed).toEqual([
      {
        name: 'Case/Small',
        reason: expect.stringMatching(
          /^operation 1 \(createPods\): 8 of 9 pods of namespace-1 are scheduled after 10 minutes; .*\/p-\w{5} is not$/,
        ),
      },
    ]);
  });

  it.each([
    [
      'a barrier without pods',
      '  - {opcode: barrier, namespaces: [x]}',
      'operation 0 (barrier): no pods were created in namespace x',
    ],
    ['a stop without a start', '  - {opcode: stopCollectingMetrics}', 'no metrics are being collected'],
    [
      'two at a time',
      `  - {opcode: startCollectingMetrics, name: a, namespaces: [x]}\n${MEASURED}`,
      'operation 1 (createPods): metrics are being collected already',
    ],
    [
      'what the API refuses',
      '  - {opcode: createAny, templatePath: pod.yaml, namespace: "No!"}',
      'operation 0 (createAny)',
    ],
    [
      'what it refuses later on',
      '  - {opcode: updateAny, templatePath: pod.yaml, count: 3, updatePerSecond: 10, namespace: nowhere}',
      'operation 0 (updateAny)',
    ],
  ])('fails at %s', async (_, operations, reason) => {
    const given = { ...files(`${operations}\n${MEASURED}`), 'pod.yaml': `apiVersion: v1\nkind: Pod\n${POD}` };
    const { failed } = await run(given);
    expect(failed[0]!.reason).toContain(reason);
  });

  it.each([
    ['a template is missing', { ...files(MEASURED), 'pod.yaml': undefined }, 'pod.yaml: no such file'],
    [
      'a template is broken',
      { ...files(MEASURED), 'pod.yaml': 'a: {{end}}' },
      'pod.yaml: line 1: {{end}} without a block',
    ],
    [
      'a parameter is missing',
      files('  - {opcode: createPods, countParam: $x, collectMetrics: true}'),
      'Case/Small: parameter x',
    ],
    ['a parameter is not used', files(MEASURED, '    params: {x: 1}'), 'parameters that no operation uses: x'],
    [
      'the configuration is refused',
      { ...files(MEASURED, '', '  schedulerConfigPath: scheduler.yaml'), 'scheduler.yaml': 'kind: Other' },
      'scheduler.yaml: ',
    ],
  ])('runs nothing when %s', async (_, given, message) => {
    const present = Object.fromEntries(Object.entries(given).filter(([, text]) => text !== undefined));
    await expect(run(present as Record<string, string>)).rejects.toThrow(message);
  });

  it('knows the parameter of nodedeclaredfeatures, to which no operation refers', async () => {
    const workload = '    featureGates: {NodeDeclaredFeatures: true}\n    params: {numNodeDeclaredFeatures: 10}';
    const { results, failed } = await run(files(`${NODES}\n${MEASURED}`, workload));
    expect([failed, results.length]).toEqual([[], 1]);
  });

  it('says so when nothing is selected', async () => {
    await expect(run(files(MEASURED), { filter: { pattern: /Large/ } })).rejects.toThrow('no workload is selected');
  });
});
