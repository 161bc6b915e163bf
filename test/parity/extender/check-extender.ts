import { type EngineName, type Explanation, Scheduler } from '../../../src/index.ts';
import { decisionDifferences } from '../check-decide.ts';
import { sequenceDifferences } from '../check-sequence.ts';
import { type Difference, differences } from '../differences.ts';
import { addObjects, configurationOf, type RecordedCase } from '../read-cases.ts';
import { recordedForm } from './recorded-requests.ts';
import { RuleServer, RulesInMemory, RulesOnLoopback } from './rule-server.ts';

/** The engine whose extenders are called over HTTP; the others call them in memory. */
const ENGINE_ON_LOOPBACK: EngineName = 'simd';

/** Checks one or more decisions with HTTP extenders: the requests that they received, and the results. */
export async function checkExtender(recorded: RecordedCase, engine: EngineName): Promise<Difference[]> {
  const { configuration, ...options } = configurationOf(recorded);
  if (configuration === undefined) return [{ field: 'config', expected: 'extenders', got: undefined }];
  const server = new RuleServer(configuration.extenders, recorded.extenderRules ?? []);
  const onLoopback = engine === ENGINE_ON_LOOPBACK ? await RulesOnLoopback.start(server) : null;
  try {
    const extenderTransport = onLoopback ?? new RulesInMemory(server);
    const preemption = recorded.kind !== 'sequence';
    using scheduler = new Scheduler({ engine, preemption, configuration, ...options, extenderTransport });
    addObjects(scheduler, recorded.objects);
    if (recorded.kind === 'sequence') {
      return await sequenceDifferences(recorded, (pod) => scheduler.scheduleAsync(pod));
    }
    return await decideDifferences(recorded, scheduler, server);
  } finally {
    onLoopback?.close();
  }
}

async function decideDifferences(recorded: RecordedCase, scheduler: Scheduler, server: RuleServer) {
  const { pod, expect, objects } = recorded;
  if (pod === undefined || expect === undefined) return [{ field: 'case', expected: 'pod and expect', got: 'neither' }];
  const explanation = await scheduler.explainAsync(pod);
  const explained = server.seen.splice(0);
  const result = await scheduler.scheduleAsync(pod);
  const found = decisionDifferences(recorded, explanation, result);

  const { extenderCandidates } = expect.preemption ?? {};
  if (extenderCandidates !== undefined) {
    // Where no extender was asked, all are left.
    const left = explanation.preemption?.extenderCandidates ?? explanation.preemption?.candidates;
    found.push(...differences('preemption.extenderCandidates', extenderCandidates, left));
  } else found.push(...differences('preemption.extenderCandidates', undefined, unlessEmpty(explanation)));

  if (expect.bind !== undefined) {
    const bound = await scheduler.bindByExtender(pod, expect.bind.node);
    const got = {
      node: expect.bind.node,
      by: bound === null ? 'plugin' : `extender ${bound.extender}`,
      code: bound === null ? '' : bound.error === null ? 'Success' : 'Error',
      ...(bound?.error && { message: bound.error }),
    };
    found.push(...differences('bind', expect.bind, got));
  }
  const order = expect.nodeOrder;
  const form = { order, withBodies: recorded.recordBodies ?? false };
  const requests = expect.extenderRequests ?? [];
  found.push(...differences('extenderRequests', requests, recordedForm(server.seen, form)));
  const decided = requests.filter(({ verb }) => verb !== 'bind');
  found.push(...differences('explain.extenderRequests', decided, recordedForm(explained, form)));
  if ((objects.nodes ?? []).length === 0) found.push({ field: 'nodes', expected: 'some', got: 'none' });
  return found;
}

/** Drops a preemption without candidates: no extender is called for it. */
function unlessEmpty({ preemption }: Explanation): unknown {
  return preemption?.candidates.length ? preemption.extenderCandidates : undefined;
}
