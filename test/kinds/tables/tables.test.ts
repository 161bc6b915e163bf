import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/kinds/object/json.ts';
import { humanDuration, selectorText } from '../../../src/kinds/tables/cell-texts.ts';
import { tableOf } from '../../../src/kinds/tables/tables.ts';

const NOW = Date.parse('2024-05-01T12:00:00Z');
const metadata = { name: 'a', creationTimestamp: '2024-05-01T11:55:00Z' };

function cells(kind: string, object: object): unknown {
  return tableOf(kind).row({ metadata, ...object } as ApiObject, NOW).cells;
}

describe('tableOf', () => {
  it('has as many cells as columns', () => {
    for (const kind of [
      'Pod',
      'Node',
      'Service',
      'Deployment',
      'Job',
      'CronJob',
      'Event',
      'PersistentVolume',
      'Ingress',
      'RoleBinding',
      'Scale',
      'MutatingAdmissionPolicy',
      'MutatingAdmissionPolicyBinding',
      'FlowSchema',
      'PriorityLevelConfiguration',
      'Unknown',
    ]) {
      const table = tableOf(kind);
      expect(table.row({ metadata } as ApiObject, NOW).cells, kind).toHaveLength(table.columns.length);
    }
  });

  it('tells the state of a pod by its containers', () => {
    const waiting = { name: 'c', restartCount: 2, state: { waiting: { reason: 'CrashLoopBackOff' } } };
    const pod = { spec: { containers: [{}] }, status: { phase: 'Running', containerStatuses: [waiting] } };
    expect(cells('Pod', pod)).toEqual([
      'a',
      '0/1',
      'CrashLoopBackOff',
      '2',
      '5m',
      '<none>',
      '<none>',
      '<none>',
      '<none>',
    ]);
    const init = {
      spec: { containers: [{}], initContainers: [{}, {}] },
      status: { phase: 'Pending', initContainerStatuses: [{ state: {} }] },
    };
    expect((cells('Pod', init) as string[])[2]).toBe('Init:0/2');
    expect(tableOf('Pod').row({ metadata, status: { phase: 'Failed' } } as ApiObject, NOW).conditions).toHaveLength(1);
  });

  it('shows roles and readiness of a node', () => {
    const labels = { 'node-role.kubernetes.io/control-plane': '' };
    const node = { metadata: { ...metadata, labels }, spec: { unschedulable: true }, status: {} };
    expect((cells('Node', node) as string[]).slice(1, 3)).toEqual(['Unknown,SchedulingDisabled', 'control-plane']);
  });
});

describe('cells', () => {
  const terminated = (reason: string, exitCode: number): object => ({ state: { terminated: { reason, exitCode } } });
  const running = { ready: true, state: { running: {} } };

  it.each([
    ['the failed container', [terminated('Completed', 0), terminated('Error', 1)], [], 'Error'],
    [
      'the failed container beside a running one',
      [terminated('Completed', 0), terminated('OOM', 9), running],
      [],
      'OOM',
    ],
    ['a running container', [terminated('Completed', 0), running], [], 'NotReady'],
    ['a ready pod', [terminated('Completed', 0), terminated('Error', 1), running], ['Ready'], 'Running'],
  ])('of a pod show %s', (_, containerStatuses, ready, shown) => {
    const conditions = ready.map((type) => ({ type, status: 'True' }));
    expect((cells('Pod', { status: { containerStatuses, conditions } }) as string[])[2]).toBe(shown);
  });

  it.each([
    ['Ingress', { spec: { rules: [{ host: 'a' }, {}, { host: 'b' }] } }, 2, 'a,b'],
    ['Ingress', { spec: { rules: ['a', 'b', 'c', ''].map((host) => ({ host })) } }, 2, 'a,b,c + 1 more...'],
    ['Ingress', { spec: { rules: [{}, {}] } }, 2, '*'],
    ['Ingress', { status: { loadBalancer: { ingress: ['z', 'b', 'z'].map((ip) => ({ ip })) } } }, 3, 'b,z'],
    ['Endpoints', { subsets: [{ notReadyAddresses: [{ ip: '1.1.1.1' }] }] }, 1, ''],
    ['Endpoints', {}, 1, '<none>'],
    ['EndpointSlice', { ports: [{ name: '' }] }, 2, '<unset>'],
    ['EndpointSlice', { ports: [{ name: '' }, { port: 1 }] }, 2, ',1'],
    ['PersistentVolumeClaim', { spec: { volumeName: 'v' } }, 3, '0'],
    ['CertificateSigningRequest', { status: { conditions: [{ type: 'Failed' }] } }, 5, 'Pending,Failed'],
    ['CSIDriver', { spec: { tokenRequests: [{ audience: '' }] } }, 4, ''],
    [
      'StorageClass',
      { metadata: { name: 'a', annotations: { 'storageclass.beta.kubernetes.io/is-default-class': 'true' } } },
      0,
      'a (default)',
    ],
    ['IPAddress', { spec: { parentRef: { group: 'g', resource: 'Rs', name: 'n' } } }, 1, 'rs.g/n'],
    ['MutatingAdmissionPolicy', { spec: { mutations: [{}, {}] } }, 1, 2],
    ['ValidatingAdmissionPolicyBinding', { spec: { paramRef: { name: 'p' } } }, 2, '*/p'],
    ['FlowSchema', { spec: { matchingPrecedence: 7 } }, 5, '?'],
    ['PriorityLevelConfiguration', { spec: { limited: { limitResponse: { queuing: { queues: 3 } } } } }, 3, 3],
  ])('of %s %j: %i is %j', (kind, object, i, cell) => {
    expect((cells(kind, object) as unknown[])[i]).toBe(cell);
  });

  it('of an autoscaler show at most two metrics', () => {
    const metric = (type: string, member: string, target: object, more = {}): object => {
      return { type, [member]: { target, ...more } };
    };
    const metrics = [
      metric('Pods', 'pods', { averageValue: '5' }),
      metric('External', 'external', { value: '10' }),
      metric('Resource', 'resource', { averageUtilization: 80 }, { name: 'cpu' }),
      metric('Object', 'object', { averageValue: '3' }),
    ];
    const targets = (spec: object, status = {}): unknown => {
      return (cells('HorizontalPodAutoscaler', { spec, status }) as unknown[])[2];
    };
    expect(targets({ metrics })).toBe('<unknown>/5, <unknown>/10 + 2 more...');
    const current = { resource: { current: { averageUtilization: 7 } } };
    const object = { object: { current: { averageValue: '2' } } };
    expect(targets({ metrics: metrics.slice(2) }, { currentMetrics: [current, object] })).toBe(
      'cpu: 7%/80%, 2/3 (avg)',
    );
    const first = { apiVersion: 'autoscaling/v1', spec: { targetCPUUtilizationPercentage: 50 } };
    expect((cells('HorizontalPodAutoscaler', first) as unknown[])[2]).toBe('cpu: <unknown>/50%');
  });
});

describe('humanDuration', () => {
  it.each([
    [90_000, '90s'],
    [150_000, '2m30s'],
    [3 * 3_600_000 + 60_000, '3h1m'],
    [50 * 3_600_000, '2d2h'],
    [3 * 365 * 86_400_000, '3y'],
    [-5000, '<invalid>'],
  ])('%i ms is %s', (millis, text) => {
    expect(humanDuration(millis)).toBe(text);
  });
});

describe('selectorText', () => {
  it('is sorted by key', () => {
    const matchExpressions = [
      { key: 'a', operator: 'NotIn', values: ['y', 'x'] },
      { key: 'z', operator: 'Exists' },
    ];
    expect(selectorText({ matchLabels: { m: '1' }, matchExpressions })).toBe('a notin (x,y),m=1,z');
    expect(selectorText({})).toBe('<none>');
  });
});
