import { describe, expect, it } from 'vitest';
import { readPerfConfig } from '../../src/perf/config/read-perf-config.ts';
import type { PerfStack } from '../../src/perf/perf-stack.ts';
import { runPerf } from '../../src/perf/run-perf.ts';
import { textSource } from '../manifests/text-source.ts';
import { tickingClock } from './workload-files.ts';

const REQUESTS = 'devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}';
const META = 'apiVersion: resource.k8s.io/v1';

const FILES = {
  'performance-config.yaml': `
- name: Claims
  featureGates: {DynamicResourceAllocation: true}
  workloadTemplate:
  - {opcode: createNodes, count: 3, nodeTemplatePath: node.yaml}
  - {opcode: createNodes, count: 1}
  - {opcode: createResourceDriver, driverName: d, nodes: dra-*, maxClaimsPerNodeParam: $devices}
  - {opcode: createAny, templatePath: class.yaml}
  - {opcode: createAny, templatePath: claim.yaml, namespace: init, count: 5}
  - {opcode: allocResourceClaims, namespace: init}
  - {opcode: createAny, templatePath: template.yaml, namespace: test}
  - {opcode: createPods, namespace: test, count: 1, podTemplatePath: pod.yaml, steadyState: true, duration: 20ms,
     collectMetrics: true}
  workloads:
  - {name: Full, params: {devices: 2}}
`,
  'node.yaml': 'metadata: {generateName: dra-}\nstatus: {capacity: {pods: "10", cpu: "4", memory: 8Gi}}',
  'class.yaml': `${META}\nkind: DeviceClass\nmetadata: {name: c}`,
  'claim.yaml': `${META}\nkind: ResourceClaim\nmetadata: {name: "c-{{.Index}}"}\nspec: {${REQUESTS}}`,
  'template.yaml': `${META}\nkind: ResourceClaimTemplate\nmetadata: {name: t}\nspec: {spec: {${REQUESTS}}}`,
  'pod.yaml':
    'metadata: {generateName: p-}\nspec:\n  containers: [{name: c}]\n' +
    '  resourceClaims: [{name: x, resourceClaimTemplateName: t}]',
};

describe('workloads with resource claims', () => {
  it('publish devices, allocate claims, and give the only free device to one pod after the other', async () => {
    const stacks: PerfStack[] = [];
    const source = textSource(FILES);
    const config = await readPerfConfig('performance-config.yaml', source);
    const options = { clock: tickingClock(), seed: 1, scheduler: {}, filter: {} };
    const { failed, notRun, results } = await runPerf(config, source, {
      ...options,
      onStack: (stack) => stacks.push(stack),
    });
    expect([failed, notRun]).toEqual([[], []]);
    expect(results[0]?.items[0]?.data['Average']).toBeGreaterThan(0);
    const { store } = stacks.at(-1) as PerfStack;
    expect(store.list('resourceslices').items.map(({ spec }) => spec.devices?.length)).toEqual([2, 2, 2]);
    const devices = store
      .list('resourceclaims')
      .items.flatMap(({ status }) => status?.allocation?.devices?.results ?? []);
    const names = devices.map(({ pool, device }) => `${pool}/${device}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(5);
    expect(names.length).toBeLessThanOrEqual(6);
  });

  it('allocate claims from pools that all nodes reach, and run the controller of claims without a driver', async () => {
    const slice =
      `${META}beta2\nkind: ResourceSlice\nmetadata: {name: "s-{{.Index}}"}\nspec: {driver: d, allNodes: true, ` +
      'pool: {name: "p-{{.Index}}", generation: 1, resourceSliceCount: 1}, devices: [{name: d0}, {name: d1}]}';
    const config = FILES['performance-config.yaml'].replace(
      '{opcode: createResourceDriver, driverName: d, nodes: dra-*, maxClaimsPerNodeParam: $devices}',
      '{opcode: createAny, templatePath: slice.yaml, countParam: $devices}',
    );
    const stacks: PerfStack[] = [];
    const source = textSource({
      ...FILES,
      'performance-config.yaml': config.replace('{devices: 2}', '{devices: 3}'),
      'slice.yaml': slice,
    });
    const options = { clock: tickingClock(), seed: 1, scheduler: {}, filter: {} };
    const { failed, notRun } = await runPerf(await readPerfConfig('performance-config.yaml', source), source, {
      ...options,
      onStack: (stack) => stacks.push(stack),
    });
    expect([failed, notRun]).toEqual([[], []]);
    const { store } = stacks.at(-1) as PerfStack;
    expect(store.list('resourceslices').items.map(({ apiVersion }) => apiVersion)).toEqual(
      [META, META, META].map((meta) => meta.slice('apiVersion: '.length)),
    );
    const devices = store
      .list('resourceclaims', { namespace: 'init' })
      .items.flatMap(({ status }) => status?.allocation?.devices?.results ?? []);
    expect(new Set(devices.map(({ pool, device }) => `${pool}/${device}`)).size).toBe(5);
  });
});
