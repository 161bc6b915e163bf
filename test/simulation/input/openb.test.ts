import { describe, expect, it } from 'vitest';
import { openbCluster } from '../../../src/simulation/input/openb.ts';

const GPU_RESOURCE = 'alibabacloud.com/gpu-milli';
const GPU_MODEL_LABEL = 'alibabacloud.com/gpu-card-model';

const NODES = 'sn,cpu_milli,memory_mib,gpu,model\nn0,32000,262144,0,\nn1,64000,393216,8,V100M16\n';
const HEADER =
  'name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time';
const PODS = `${HEADER}
late,8000,30517,0,0,,BE,Running,500,600,
shared,6000,12288,1,460,,LS,Pending,20,90,30
whole,1000,1,2,1000,V100M16|T4,LS,Failed,20,90,30
`;

const convert = (nodes: string, pods: string) =>
  openbCluster({ name: 'nodes.csv', text: nodes }, { name: 'pods.csv', text: pods });

describe('openbCluster', () => {
  it('turns nodes into capacities, devices pooled, models as a label', () => {
    const { nodes } = convert(NODES, PODS);
    expect(nodes[0]?.status?.allocatable).toEqual({ cpu: '32000m', memory: '262144Mi', pods: '1000000' });
    expect(nodes[0]?.metadata?.labels).not.toHaveProperty(GPU_MODEL_LABEL);
    expect(nodes[1]?.status?.allocatable?.[GPU_RESOURCE]).toBe('8000');
    expect(nodes[1]?.metadata?.labels?.[GPU_MODEL_LABEL]).toBe('V100M16');
  });

  it('orders pods by creation, equal times in file order, all pending', () => {
    const { pods } = convert(NODES, PODS);
    expect(pods.map((pod) => pod.metadata?.name)).toEqual(['shared', 'whole', 'late']);
    expect(pods.every((pod) => pod.status === undefined && pod.spec?.nodeName === undefined)).toBe(true);
  });

  it('asks for devices and models', () => {
    const [shared, whole, late] = convert(NODES, PODS).pods;
    const requests = (pod: typeof shared) => pod?.spec?.containers?.[0]?.resources?.requests;
    expect(requests(shared)).toEqual({ cpu: '6000m', memory: '12288Mi', [GPU_RESOURCE]: '460' });
    expect(requests(whole)?.[GPU_RESOURCE]).toBe('2000');
    expect(requests(late)).toEqual({ cpu: '8000m', memory: '30517Mi' });
    const terms =
      whole?.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
    expect(terms).toEqual([
      { matchExpressions: [{ key: GPU_MODEL_LABEL, operator: 'In', values: ['V100M16', 'T4'] }] },
    ]);
    expect(shared?.spec?.affinity).toBeUndefined();
  });

  it.each([
    [NODES, 'name,cpu_milli\na,1\n', 'pods.csv:1: column memory_mib is missing (found: name, cpu_milli)'],
    [PODS, PODS, 'nodes.csv:1: column sn is missing'],
    ['', PODS, 'nodes.csv: is empty'],
    [`${NODES}n2,-5,1,0,\n`, PODS, 'nodes.csv:4: column cpu_milli: expected a whole number >= 0, found "-5"'],
    [`${NODES}n2,5,1,0\n`, PODS, 'nodes.csv:4: 4 cells where the header has 5'],
    [`${NODES}n0,5,1,0,\n`, PODS, 'nodes.csv:4: column sn: duplicate name "n0" (first in line 2)'],
    [`${NODES}Bad_Name,5,1,0,\n`, PODS, 'nodes.csv:4: metadata.name: bad name "Bad_Name"'],
    [NODES, `${HEADER}\np,1,1,x,0,,LS,Running,0,0,0\n`, 'pods.csv:2: column num_gpu: expected a whole number'],
    [NODES, `${HEADER}\np,1,1,0,0,,LS,Running,soon,0,0\n`, 'pods.csv:2: column creation_time: expected seconds'],
    [NODES, `${HEADER}\n"p,1,1\n`, 'malformed CSV'],
  ])('names file, line and column of what is wrong (%#)', (nodes, pods, message) => {
    expect(() => convert(nodes, pods)).toThrow(message);
  });
});
