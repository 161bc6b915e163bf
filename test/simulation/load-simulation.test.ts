import { describe, expect, it } from 'vitest';
import { faults, job, loadText, workload } from './simulate-text.ts';

const POD = '{kind: Pod, metadata: {name: p}, spec: {containers: [{name: c}]}}';

const deployment = (name: string, replicas: number, between = '\n'): string => {
  const template = '{metadata: {labels: {app: a}}, spec: {containers: [{name: c, image: i}]}}';
  const spec = `{replicas: ${replicas}, selector: {matchLabels: {app: a}}, template: ${template}}`;
  const members = ['apiVersion: apps/v1', 'kind: Deployment', `metadata: {name: ${name}}`, `spec: ${spec}`];
  return between === '\n' ? `${members.join('\n')}\n---\n` : `{${members.join(between)}}`;
};

const JOB_TOO_LARGE =
  'objects.yaml: Job default/j: wants 2,147,483,647 pods: workloads want more than 1,000,000 pods in all';
const DEPLOYMENTS_TOO_LARGE =
  'objects.yaml: Deployment default/b: wants 400,001 pods: workloads want more than 1,000,000 pods in all';

describe('loadSimulation', () => {
  it('brings nodes of all kinds before what runs on them', async () => {
    const node = 'kind: Node\nmetadata: {name: own}\n';
    const { input } = await loadText({ 'objects.yaml': job('j') + node }, { nodes: 2, shapes: ['cpu=4'] });
    expect(input.objects.map(({ object }) => object.metadata?.name)).toEqual(['own', 'node-00000', 'node-00001', 'j']);
  });

  it('measures plan_mem of a trace by the largest node', async () => {
    const { input } = await loadText(
      { 'b.csv': 'M1,1,j,1,Terminated,0,1,100,50\n' },
      { alibaba: 'b.csv', nodes: 2, shapes: ['memory=1Gi', 'memory=8Gi'] },
    );
    expect(JSON.stringify(input.sources[0]?.arrivals(undefined as never).next().value)).toContain(String(4 * 2 ** 30));
  });

  it('names pods whose node is not in the input, or refuses them', async () => {
    const pod = (name: string, nodeName: string) =>
      `kind: Pod\nmetadata: {name: ${name}}\nspec: {nodeName: ${nodeName}, containers: [{name: c}]}\n---\n`;
    const files = { 'objects.yaml': pod('a', 'node-00000') + pod('b', 'gone') + pod('c', 'gone') };
    const { warnings } = await loadText(files, { nodes: 1 });
    const where = 'not in the input, and are removed as a cluster removes such pods';
    expect(warnings).toEqual([`2 pods are on nodes that are ${where} (objects.yaml: Pod default/b on "gone")`]);
    const strict = loadText(files, { nodes: 1 }, { isStrict: true });
    await expect(strict).rejects.toThrow('objects.yaml: Pod default/b: spec.nodeName: node "gone" is not in the input');
    const arrives = workload('  - {at: 0s, object: {kind: Node, metadata: {name: gone}}}');
    expect((await loadText({ ...files, w: arrives }, { nodes: 1, workload: 'w' })).warnings).toEqual([]);
  });

  it('takes workloads of any size that get no pods, or few at once', async () => {
    const few = job('j', '  parallelism: 2147483647\n  completions: 10');
    expect((await loadText({ 'objects.yaml': few }, { nodes: 1 })).input.objects).toHaveLength(2);
    const stopped = job('j', '  parallelism: 2147483647\n  suspend: true');
    expect((await loadText({ 'objects.yaml': stopped }, { nodes: 1 })).input.objects).toHaveLength(2);
    const many = deployment('a', 2_147_483_647);
    expect((await loadText({ 'objects.yaml': many }, { nodes: 1, expand: false })).input.objects).toHaveLength(2);
  });

  it.each([
    [{ 'objects.yaml': job('j', '  completions: -1') }, {}, 'objects.yaml: Job default/j: spec.completions: '],
    [
      { 'objects.yaml': 'kind: Node\nmetadata: {name: node-00000}\n' },
      { nodes: 1 },
      '--nodes: nodes "node-00000" already',
    ],
    [{ 'b.csv': 'M1,1,j,1,T,0,1,1,1\n' }, { alibaba: 'b.csv' }, 'b.csv: plan_mem needs nodes (add --nodes)'],
    [{ w: workload(`  - {rate: 1/s, object: ${POD}}`) }, { workload: 'w' }, '--until must say when to stop'],
    [{ 'objects.yaml': job('j', '  parallelism: 2147483647') }, { nodes: 1 }, JOB_TOO_LARGE],
    [{ 'objects.yaml': deployment('a', 600_000) + deployment('b', 400_001) }, {}, DEPLOYMENTS_TOO_LARGE],
    [
      { w: workload(`  - {at: 0s, object: ${deployment('a', 1_000_001, ', ')}}`) },
      { workload: 'w' },
      'wants 1,000,001 pods: workloads want more than 1,000,000 pods in all (--no-expand: make none)',
    ],
    [{ f: faults('  - {fault: lostWatch, every: 1m}') }, { faults: 'f' }, '--until must say when to stop'],
    [
      { w: workload(`  - {at: 0s, object: ${POD.replace('c}', 'C}')}}`) },
      { workload: 'w' },
      'w: arrivals[0].object: spec.',
    ],
    [{}, { nodes: 1, shapes: ['cpu'] }, 'shape "cpu": "cpu" is not a resource and an amount'],
    [{}, { openb: ['n.csv', 'p.csv'] as const }, 'n.csv: no such file'],
  ])('says what is wrong before anything runs (%#)', async (files, request, message) => {
    await expect(loadText(files as Record<string, string>, request)).rejects.toThrow(message);
  });
});
