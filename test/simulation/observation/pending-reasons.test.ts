import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { PendingReasons, reasonKind } from '../../../src/simulation/observation/pending-reasons.ts';

function waiting(name: string, message: string): Pod {
  const conditions = [{ type: 'PodScheduled', status: 'False' as const, reason: 'Unschedulable', message }];
  return { metadata: { name, namespace: 'n', uid: name }, spec: { containers: [] }, status: { conditions } };
}

const FIT = (text: string) => `0/5 nodes are available: ${text}. preemption: 0/5 nodes are available: nothing.`;

describe('reasons of pending pods', () => {
  it('are the same for other numbers of nodes', () => {
    expect(reasonKind('3 Insufficient cpu, 2 node(s) had taint {a: b, c}')).toBe(
      'Insufficient cpu, node(s) had taint {a: b, c}',
    );
    expect(reasonKind('1 Insufficient memory, 1 Insufficient cpu')).toBe('Insufficient cpu, Insufficient memory');
    expect(reasonKind('scheduling is blocked')).toBe('scheduling is blocked');
  });

  it('count pods now and at most, each pod once', () => {
    const asked: string[] = [];
    const reasons = new PendingReasons((reason, pod) => asked.push(`${reason.reason}: ${pod.metadata?.name}`));
    reasons.set(waiting('a', FIT('5 Insufficient cpu')), true);
    reasons.set(waiting('a', FIT('4 Insufficient cpu')), true);
    reasons.set(waiting('b', FIT('1 Insufficient cpu')), true);
    reasons.set(waiting('b', FIT('1 Insufficient memory')), true);
    reasons.set(waiting('a', ''), false);
    reasons.set(waiting('never', ''), false);
    expect(asked).toEqual(['Insufficient cpu: a', 'Insufficient memory: b']);
    expect(reasons.reasons).toMatchObject([
      { reason: 'Insufficient cpu', count: 0, most: 2, total: 2, pods: new Set(['n/a', 'n/b']) },
      { reason: 'Insufficient memory', count: 1, most: 1, total: 1 },
    ]);
  });

  it('are bounded: the last one stands for all others', () => {
    const reasons = new PendingReasons(() => {});
    for (let i = 0; i < 1000; i++) reasons.set(waiting(`p${i}`, FIT(`1 reason-${'x'.repeat(i)}`)), true);
    expect(reasons.reasons).toHaveLength(61);
    expect(reasons.reasons.at(-1)).toMatchObject({ reason: 'other reasons', count: 940, pods: { size: 200 } });
    expect(reasons.counts().reduce((a, b) => a + b)).toBe(1000);
  });
});
