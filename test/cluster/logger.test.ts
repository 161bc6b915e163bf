import { describe, expect, it } from 'vitest';
import { Cluster, type ClusterOptions } from '../../src/cluster/cluster.ts';
import type { LogLevel } from '../../src/lib/logger.ts';
import { forbidden } from '../../src/store/objects/api-error.ts';
import type { StoreClient } from '../../src/store/objects/store-client.ts';
import { logLines } from '../builders/log-lines.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

const START = 'time=2026-01-01T00:00:00.000Z';

function clusterWithLog(level: LogLevel, options: ClusterOptions = {}) {
  const { lines, logger } = logLines(level);
  const cluster = new Cluster({ seed: 1, scheduler: {}, logger, ...options });
  cluster.start();
  cluster.store.create('nodes', makeNode('n', { cpu: 4 }));
  return { cluster, lines };
}

function create({ store }: Cluster, name: string, cpu: number, priority = 0): void {
  const pod = makePod(name, { requests: { cpu } });
  store.create('pods', { ...pod, spec: { ...pod.spec, priority } });
}

/** A client that refuses patches. */
const REFUSING: Pick<ClusterOptions, 'clientOf'> = {
  clientOf: (store) =>
    new Proxy<StoreClient>(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (name !== 'patch') return typeof member === 'function' ? member.bind(target) : member;
        return () => {
          throw forbidden('pods', 'big', 'refused by the test');
        };
      },
    }),
};

describe('the logger of a cluster', () => {
  it('records its scheduler, with the time of the loop', () => {
    const { cluster, lines } = clusterWithLog('info');
    create(cluster, 'low', 4);
    cluster.runFor(5000);
    create(cluster, 'high', 4, 1);
    cluster.runFor(1);
    expect(lines).toEqual([
      `INFO scheduler set up ${START} engine=simd index=true workers=1 tieBreak=first seed=1 ` +
        'profiles=["default-scheduler"] extenders=0',
      `INFO scheduler caches are filled, scheduling begins ${START} nodes=1 pods=0`,
      'INFO scheduler preemption time=2026-01-01T00:00:05.000Z pod=default/high node=n victims=["default/low"]',
    ]);
  });

  it('records at level debug what a cycle decides, and which pods go back to the queue', () => {
    const { cluster, lines } = clusterWithLog('debug');
    create(cluster, 'fits', 1);
    create(cluster, 'big', 9);
    cluster.runFor(1);
    const message = '"0/1 nodes are available: 1 Insufficient cpu.';
    const [decided, back, ...others] = lines.filter((line) => line.startsWith('DEBUG '));
    expect(decided).toContain(
      `DEBUG scheduler decided ${START} pod=default/big status=unschedulable message=${message}`,
    );
    expect(back).toContain(
      `DEBUG scheduler a pod goes back to the queue ${START} pod=default/big code=Unschedulable message=${message}`,
    );
    expect(others).toEqual([]);
  });

  it('records errors that stopped nothing, as its log does', () => {
    const { cluster, lines } = clusterWithLog('error', REFUSING);
    create(cluster, 'big', 9);
    cluster.runFor(1);
    expect(lines).toEqual([
      `ERROR cluster an activity failed ${START} activity="report why pod default/big is not scheduled" ` +
        'error="pods \\"big\\" is forbidden: refused by the test"',
    ]);
  });

  it('records when controllers start anew', () => {
    const { cluster, lines } = clusterWithLog('info', { restartableControllers: true });
    cluster.runFor(1000);
    cluster.restartControllers();
    expect(lines.at(-1)).toBe('INFO cluster controllers start anew time=2026-01-01T00:00:01.000Z');
  });

  it('records nothing of a scheduler that has a logger of its own', () => {
    const own = logLines();
    const { lines } = clusterWithLog('info', { scheduler: { logger: own.logger } });
    expect(own.lines).toHaveLength(1);
    expect(lines).toEqual([]);
  });

  it('changes nothing of what the cluster does', () => {
    const hashOf = ({ cluster }: ReturnType<typeof clusterWithLog>): string => {
      for (const [name, cpu, priority] of [
        ['a', 3, 0],
        ['b', 9, 0],
        ['c', 3, 1],
      ] as const)
        create(cluster, name, cpu, priority);
      cluster.runFor(60_000);
      return cluster.log.hash();
    };
    expect(hashOf(clusterWithLog('debug'))).toBe(hashOf(clusterWithLog('debug', { logger: undefined })));
  });
});
