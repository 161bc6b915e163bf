import { describe, expect, it, test } from 'vitest';
import { runBuilt } from './run-built.ts';

const NODE = 'kind: Node\nmetadata: {name: n}\nstatus: {allocatable: {cpu: 4, memory: 4Gi, pods: 10}}\n---\n';
const GATES = ['--feature-gates', 'GenericWorkload=true,GangScheduling=true'];

interface Cluster {
  /** The condition of the class `gpu`; null: there is no such class. */
  readonly condition?: string | null;
  /** The devices of each slice of one pool, and how many slices each says there are. */
  readonly slices?: readonly (readonly [devices: string, sliceCount: number])[];
  /** What the claim asks for. */
  readonly request?: string;
}

const DEVICE = '{name: d0, attributes: {x: {int: 1}}}';

function manifest({ condition = 'true', slices = [[DEVICE, 1]], request }: Cluster): string {
  const api = 'apiVersion: resource.k8s.io/v1\n';
  const selectors = `[{cel: {expression: ${JSON.stringify(condition)}}}]`;
  const deviceClass = `${api}kind: DeviceClass\nmetadata: {name: gpu}\nspec: {selectors: ${selectors}}\n---\n`;
  const sliceTexts = slices.map(
    ([devices, count], i) =>
      `${api}kind: ResourceSlice\nmetadata: {name: s${i}}\nspec:\n  driver: d.example.com\n  nodeName: n\n` +
      `  pool: {name: n, generation: 1, resourceSliceCount: ${count}}\n  devices: [${devices}]\n---\n`,
  );
  const claim =
    `${api}kind: ResourceClaim\nmetadata: {name: c}\n` +
    `spec: {devices: {requests: [{name: r, exactly: {${request ?? 'deviceClassName: gpu'}}}]}}\n---\n`;
  const pod =
    'kind: Pod\nmetadata: {name: p}\nspec:\n  resourceClaims: [{name: c, resourceClaimName: c}]\n' +
    '  containers: [{name: main, image: a, resources: {claims: [{name: c}]}}]\n';
  return NODE + (condition === null ? '' : deviceClass) + sliceTexts.join('') + claim + pod;
}

const schedule = (input: string, ...argv: string[]) => runBuilt(['schedule', '-f', '-', ...argv], { input });

describe('a pod that gets no device says why', () => {
  const all = 'deviceClassName: gpu, allocationMode: All';
  test.each<[string, Cluster, string]>([
    [
      'CEL that does not compile',
      { condition: 'device.attributes[.x' },
      'class gpu: selector #0: CEL compile error: compilation failed: ERROR: <input>:1:21: Syntax error',
    ],
    [
      'a selector on an attribute that is missing',
      { condition: 'device.attributes["d.example.com"].y == 1' },
      'class gpu: selector #0: CEL runtime error: no such key: y',
    ],
    [
      'a pool with a device twice',
      {
        slices: [
          [DEVICE, 2],
          [DEVICE, 2],
        ],
      },
      'invalid resource pools were encountered',
    ],
    [
      'all devices of such a pool',
      {
        slices: [
          [DEVICE, 2],
          [DEVICE, 2],
        ],
        request: all,
      },
      'claim default/c, request r: asks for all devices, but resource pool d.example.com/n is currently invalid',
    ],
    [
      'slices that do not agree on their number',
      {
        slices: [
          [DEVICE, 1],
          ['{name: d1}', 3],
        ],
      },
      '1 cannot allocate all claims',
    ],
    ['a class that does not exist', { condition: null }, 'request r: device class gpu does not exist'],
    ['more devices than a claim can have', { request: 'deviceClassName: gpu, count: 33' }, 'claim limit of 32'],
  ])('%s', async (_, cluster, reason) => {
    const { code, out, err } = await schedule(manifest(cluster), '-o', 'wide');
    expect(code).toBe(2);
    expect(out + err).toContain(reason);
  });
});

describe('an input that no API server would take is refused with the field', () => {
  test.each<[string, string, string]>([
    [
      'a request without a class',
      manifest({ request: 'count: 1' }),
      'requests[0].exactly.deviceClassName: is required',
    ],
    [
      'a negative count',
      manifest({ request: 'deviceClassName: gpu, count: -1' }),
      'exactly.count: must not be negative',
    ],
    [
      'an attribute beyond 64 bits',
      manifest({ slices: [['{name: d, attributes: {x: {int: 9223372036854775808}}}', 1]] }),
      'spec.devices[0].attributes.x.int: must be between -9223372036854775808 and 9223372036854775807, not 92233720368',
    ],
    [
      'a capacity that is no quantity',
      manifest({ slices: [['{name: d, capacity: {m: {value: 10Gi i}}}', 1]] }),
      'spec.devices[0].capacity.m.value: malformed quantity "10Gi i"',
    ],
    [
      'a gang of none',
      `${NODE}apiVersion: scheduling.k8s.io/v1alpha2\nkind: PodGroup\nmetadata: {name: g}\n` +
        'spec: {schedulingPolicy: {gang: {minCount: 0}}}\n',
      'PodGroup default/g: spec.schedulingPolicy.gang.minCount: must be between 1 and 2147483647, not 0',
    ],
  ])('%s', async (_, input, reason) => {
    const { code, err } = await schedule(input);
    expect(err).toContain(reason);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(code).toBe(1);
  });
});

it('compares integers at both ends of 64 bits', async () => {
  const condition = 'device.attributes["d.example.com"].x == 9223372036854775807';
  const device = (x: string) => `{name: d, attributes: {x: {int: ${x}}}, capacity: {m: {value: 9223372036854775807}}}`;
  const request = 'deviceClassName: gpu, capacity: {requests: {m: 9223372036854775807}}';
  const codeFor = async (x: string) =>
    (await schedule(manifest({ condition, slices: [[device(x), 1]], request }))).code;
  expect(await codeFor('9223372036854775807')).toBe(0);
  expect(await codeFor('9223372036854775806')).toBe(2);
  expect(await codeFor('-9223372036854775808')).toBe(2);
});

it('errors show all digits of integers', async () => {
  const request = (count: string) => manifest({ request: `deviceClassName: gpu, count: ${count}` });
  const devices = (count: string) => `number of requested devices ${count} exceeds the claim limit of 32`;
  expect((await schedule(request('9223372036854775807'))).out).toContain(devices('9223372036854775807'));
  const { err } = await schedule(request('-9223372036854775808'));
  expect(err).toContain('requests[0].exactly.count: must not be negative, not -9223372036854775808');
  const gang =
    'apiVersion: scheduling.k8s.io/v1alpha2\nkind: PodGroup\nmetadata: {name: g}\n' +
    'spec: {schedulingPolicy: {gang: {minCount: 9223372036854775807}}}\n';
  const range = 'gang.minCount: must be between 1 and 2147483647, not 9223372036854775807';
  expect((await schedule(gang)).err).toContain(range);
});

it('takes a group without pods, and pods without their group', async () => {
  const group =
    'apiVersion: scheduling.k8s.io/v1alpha2\nkind: PodGroup\nmetadata: {name: g}\n' +
    'spec: {schedulingPolicy: {gang: {minCount: 3}}}\n---\n';
  const member =
    'kind: Pod\nmetadata: {name: p}\nspec: {schedulingGroup: {podGroupName: none}, containers: [{name: c}]}\n';
  expect((await schedule(NODE + group, ...GATES)).err).toContain('0 of 0 pods');
  const { code, out, err } = await schedule(NODE + group + member, ...GATES);
  expect(code).toBe(2);
  expect(out + err).toContain('waiting for pods\'s pod group "none" to appear in scheduling queue');
});

test.each([
  ['NoSuchGate=true', 'unrecognized feature gate: NoSuchGate'],
  ['DynamicResourceAllocation=false', 'DynamicResourceAllocation'],
  ['GangScheduling=true', 'GangScheduling is enabled, but depends on features that are disabled: [GenericWorkload]'],
  ['GangScheduling=maybe', 'GangScheduling'],
])('the gates %s are refused', async (gates, reason) => {
  const { code, err } = await schedule(NODE, '--feature-gates', gates);
  expect(code).toBe(1);
  expect(err).toContain(reason);
  expect(err.trimEnd().split('\n')).toHaveLength(1);
});
