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
