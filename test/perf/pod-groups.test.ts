import { describe, expect, it } from 'vitest';
import { readPerfConfig } from '../../src/perf/config/read-perf-config.ts';
import type { PerfStack } from '../../src/perf/perf-stack.ts';
import { runPerf } from '../../src/perf/run-perf.ts';
import { textSource } from '../manifests/text-source.ts';
import { tickingClock } from './workload-files.ts';

const GROUP =
  'apiVersion: scheduling.k8s.io/v1alpha2\nkind: PodGroup\nmetadata: {name: "g-{{.Index}}"}\n' +
  'spec: {schedulingPolicy: {gang: {minCount: {{.size}}}}}';
const POD =
  'metadata: {name: "p-{{.Index}}"}\nspec:\n  schedulingGroup: {podGroupName: "g-{{DivideInt .Index .size}}"}\n' +
  '  containers: [{name: c, resources: {requests: {cpu: "1"}}}]';
const CREATE = '{opcode: createPodGroups, namespace: ns, countParam: $groups, templatePath: group.yaml, TEMPLATED}';
const CREATE_ANY = '{opcode: createAny, namespace: ns, countParam: $groups, templatePath: group.yaml, TEMPLATED}';
const WAIT = '{opcode: waitForPodGroups, namespace: ns, countParam: $groups}';
const PODS =
  '{opcode: createPods, namespace: ns, countParam: $groups, countMultiplierParam: $size, podTemplatePath: pod.yaml, ' +
  'collectMetrics: true, TEMPLATED}';

const files = (...operations: string[]) => ({
  'performance-config.yaml': `
- name: Gangs
  featureGates: {GenericWorkload: true, GangScheduling: true}
  workloadTemplate:
  - {opcode: createNodes, count: 3, nodeTemplatePath: node.yaml}
${operations.map((operation) => `  - ${operation.replace('TEMPLATED', 'templateParams: {size: $size}')}`).join('\n')}
  workloads:
  - {name: Three, params: {groups: 3, size: 4}}
`,
  'node.yaml': 'metadata: {generateName: n-}\nstatus: {capacity: {pods: "10", cpu: "5", memory: 8Gi}}',
  'group.yaml': GROUP,
  'pod.yaml': POD,
});

async function run(given: Record<string, string>) {
  const stacks: PerfStack[] = [];
  const source = textSource(given);
  const config = await readPerfConfig('performance-config.yaml', source);
  const options = { clock: tickingClock(), seed: 1, scheduler: {}, filter: {} };
  const result = await runPerf(config, source, { ...options, onStack: (stack) => stacks.push(stack) });
  return { ...result, stacks };
}

describe('workloads with pod groups', () => {
  it.each([
    ['by an operation of their own', [CREATE]],
    ['as any object', [CREATE_ANY, WAIT]],
  ])('create groups %s, and place them whole', async (_, operations) => {
    const { failed, notRun, results, stacks } = await run(files(...operations, PODS));
    expect([failed, notRun]).toEqual([[], []]);
    expect(results[0]?.items[0]?.data['Average']).toBeGreaterThan(0);
    // Each warm-up has whole gangs, too: one with a part of its pods would wait for ever.
    for (const { store } of stacks) {
      const pods = store.list('pods').items;
      expect(pods).toHaveLength(12);
      expect(pods.filter(({ spec }) => spec?.nodeName === undefined)).toEqual([]);
      const conditions = store.list('podgroups').items.map(({ status }) => status?.conditions?.[0]);
      expect(conditions).toHaveLength(3);
      for (const condition of conditions) expect(condition).toMatchObject({ status: 'True' });
    }
  });

  it('fail where there are fewer groups than they wait for', async () => {
    const { failed } = await run(files(WAIT, PODS));
    expect(failed).toEqual([
      { name: 'Gangs/Three', reason: 'operation 1 (waitForPodGroups): there are 0 of 3 pod groups in ns' },
    ]);
  });

  it('name a template of another kind', async () => {
    const given = { ...files(CREATE, PODS), 'group.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: s}' };
    await expect(run(given)).rejects.toThrow('group.yaml: kind: must be PodGroup');
  });
});
