import { describe, expect, it } from 'vitest';
import type { ExtenderResponse } from '../../src/framework/extender-calls.ts';
import type { ExtenderTransport } from '../../src/framework/extender-transport.ts';
import { type Logger, Scheduler, type SchedulerOptions } from '../../src/index.ts';
import type { LogLevel } from '../../src/lib/logger.ts';
import { logLines } from '../builders/log-lines.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { configured } from './configured.ts';

function schedulerWithLog(level: LogLevel, options: SchedulerOptions = {}) {
  const { lines, logger } = logLines(level);
  const scheduler = new Scheduler({ ...options, logger });
  for (const name of ['a', 'b']) scheduler.addNode(makeNode(name, { cpu: 4 }));
  return { scheduler, lines };
}

const cpu = (amount: number) => ({ requests: { cpu: amount } });

describe('the logger of a scheduler', () => {
  it('records once how it is set up', () => {
    const { lines } = schedulerWithLog('info', { engine: 'scalar', index: false, workers: 2 });
    expect(lines).toEqual([
      'INFO scheduler set up engine=scalar index=false workers=2 tieBreak=first seed=1 ' +
        'profiles=["default-scheduler"] extenders=0',
    ]);
  });

  it('records decisions that take a cycle, at level debug, and of no other', () => {
    const { scheduler, lines } = schedulerWithLog('debug');
    scheduler.schedule(makePod('by-index'));
    scheduler.scheduleBatch([makePod('in-batch')]);
    expect(lines).toHaveLength(1);
    scheduler.schedule(makePod('big', cpu(9)));
    expect(lines[1]).toMatch(
      /^DEBUG scheduler decided pod=default\/big status=unschedulable message="0\/2 nodes are available: 2 Insuff/,
    );
    scheduler.explain(makePod('explained', cpu(9)));
    expect(lines).toHaveLength(2);
  });

  it('records no decisions at any other level', () => {
    const { scheduler, lines } = schedulerWithLog('info');
    scheduler.schedule(makePod('big', cpu(9)));
    expect(lines).toHaveLength(1);
  });

  it('records preemption', () => {
    const { scheduler, lines } = schedulerWithLog('info');
    for (const name of ['a', 'b']) scheduler.addPod(makePod(`low-${name}`, { ...cpu(4), nodeName: name }));
    scheduler.schedule(makePod('high', { ...cpu(4), spec: { ...makePod('high', cpu(4)).spec, priority: 1 } }));
    expect(lines.slice(1)).toEqual(['INFO scheduler preemption pod=default/high node=a victims=["default/low-a"]']);
  });

  it('is warned when columns cannot answer, once for each reason', () => {
    const { scheduler, lines } = schedulerWithLog('warn');
    scheduler.addNode(makeNode('huge', { memory: '9007199254740993' }));
    for (const name of ['p', 'q']) scheduler.schedule(makePod(name));
    expect(lines).toEqual([
      'WARN engine the reference engine decides instead of columns reason="amounts beyond 2^53" pod=default/p',
    ]);
  });

  it('is warned when the index cannot be used', () => {
    const { scheduler, lines } = schedulerWithLog('warn');
    scheduler.addNode(makeNode('large', { memory: '50Ti' }));
    for (const name of ['p', 'q']) scheduler.schedule(makePod(name));
    expect(lines).toEqual(['WARN engine cycles decide instead of the index reason="amounts too large for the index"']);
  });

  it('is warned of a profile that needs the reference engine', () => {
    const disabled = [{ name: 'NodeAffinity' }];
    const configuration = configured({
      profiles: [{ plugins: { preScore: { disabled } } }],
    });
    const { lines } = schedulerWithLog('warn', { configuration });
    expect(lines).toEqual([
      'WARN scheduler a profile needs the reference engine profile=default-scheduler ' +
        'reason="a plugin is called without the step that prepares it"',
    ]);
    expect(schedulerWithLog('warn', { configuration, engine: 'reference' }).lines).toEqual([]);
  });

  it.each([
    ['no object', null, 'option logger: it has no method isEnabled'],
    ['the console', { ...console, isEnabled: () => true }, 'option logger: it has no method named'],
  ])('is refused when it is none: %s', (_, logger, message) => {
    expect(() => new Scheduler({ logger: logger as unknown as Logger })).toThrow(message);
  });
});

describe('extenders', () => {
  const extender = (more: object) => ({ urlPrefix: 'http://e/', nodeCacheCapable: true, ...more });
  const answering = (response: ExtenderResponse): ExtenderTransport => ({
    send: (_request, done) => {
      done(response);
      return { cancel: () => {} };
    },
  });

  it('are of no use without somebody who carries requests', () => {
    const configuration = configured({ extenders: [extender({ filterVerb: 'filter' })] });
    const { lines } = schedulerWithLog('warn', { configuration });
    expect(lines).toEqual(['WARN scheduler nobody carries requests to the extenders extenders=["http://e/"]']);
  });

  it.each([
    [{ filterVerb: 'f' }, 'role=filter isIgnorable=false'],
    [{ filterVerb: 'f', ignorable: true }, 'role=filter isIgnorable=true'],
    [{ prioritizeVerb: 'f', weight: 1 }, 'role=prioritize isIgnorable=false'],
    [{ preemptVerb: 'f' }, 'role=preempt isIgnorable=false'],
    [{ bindVerb: 'f' }, 'role=bind isIgnorable=false'],
  ])('that fail are recorded: %j', async (verbs, expected) => {
    const configuration = configured({ extenders: [extender(verbs)] });
    const extenderTransport = answering({ error: 'connection refused' });
    const { scheduler, lines } = schedulerWithLog('warn', { configuration, extenderTransport });
    const high = makePod('high', { spec: { ...makePod('high', cpu(4)).spec, priority: 1 } });
    if ('preemptVerb' in verbs) for (const n of ['a', 'b']) scheduler.addPod(makePod(n, { ...cpu(1), nodeName: n }));
    await ('bindVerb' in verbs ? scheduler.bindByExtender(high, 'a') : scheduler.scheduleAsync(high));
    expect(lines).toEqual([`WARN extender an extender failed url=http://e/f ${expected} error="connection refused"`]);
  });
});
