import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EngineName, Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { runs } from '../../builders/runs.ts';
import { RuleServer, RulesInMemory } from '../../parity/extender/rule-server.ts';
import type { ExtenderRules } from '../../parity/extender/rules.ts';
import { configured } from '../configured.ts';

const selector = fc.record({ mod: fc.integer({ min: 2, max: 5 }), is: fc.subarray([0, 1, 2, 3, 4]) });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

const rules = fc.record({
  filter: fc.record({
    message: fc.constant('not here'),
    reject: optional(selector),
    rejectUnresolvable: optional(selector),
    silent: fc.boolean(),
    reverse: fc.boolean(),
    as: optional(fc.constantFrom('names' as const, 'nodes' as const)),
    unknown: optional(fc.constant('ghost')),
    httpStatus: fc.option(fc.constant(500), { nil: undefined, freq: 8 }),
  }),
  prioritize: fc.record({ hashMod: fc.constantFrom(3, 11), add: fc.integer({ min: -5, max: 5 }), twice: fc.boolean() }),
  preempt: fc.record({ drop: optional(selector), keepVictims: optional(fc.constant(1)) }),
});

const extender = fc.record({
  urlPrefix: fc.constantFrom('http://e', 'http://e/x/'),
  filterVerb: fc.constantFrom('', 'filter'),
  prioritizeVerb: fc.constantFrom('', 'prioritize'),
  preemptVerb: fc.constantFrom('', 'preempt'),
  weight: fc.integer({ min: 1, max: 10 }),
  nodeCacheCapable: fc.boolean(),
  ignorable: fc.boolean(),
});

const pods = fc.array(
  fc.record({
    cpu: fc.integer({ min: 1, max: 4 }),
    priority: fc.integer({ min: 0, max: 3 }),
    nominatedNodeName: fc.option(fc.constantFrom('n1', 'n2', 'gone'), { nil: undefined, freq: 3 }),
  }),
  { minLength: 1, maxLength: 8 },
);

const ENGINES: readonly EngineName[] = ['reference', 'scalar', 'simd'];

test('with extenders, too, every engine decides the same, and asks the same', async () => {
  await fc.assert(
    fc.asyncProperty(extender, rules, pods, fc.integer({ min: 1, max: 6 }), async (given, rule, list, nodeCount) => {
      // What is undefined is not there.
      const made = JSON.parse(JSON.stringify(rule)) as ExtenderRules;
      const lives = await Promise.all(ENGINES.map((engine) => live(engine, given, made, list, nodeCount)));
      expect(lives[1]).toEqual(lives[0]);
      expect(lives[2]).toEqual(lives[0]);
    }),
    { numRuns: runs(25) },
  );
});

type PodPlan = { readonly cpu: number; readonly priority: number; readonly nominatedNodeName: string | undefined };

async function live(
  engine: EngineName,
  given: object,
  rule: ExtenderRules,
  list: readonly PodPlan[],
  nodeCount: number,
) {
  const configuration = configured({ extenders: [given] });
  const server = new RuleServer(configuration.extenders, [rule]);
  const scheduler = new Scheduler({ engine, configuration, extenderTransport: new RulesInMemory(server) });
  for (let i = 0; i < nodeCount; i++) {
    scheduler.addNode(makeNode(`n${i}`, { allocatable: { cpu: '5', memory: '8Gi', pods: 10 } }));
  }
  const log: unknown[] = [];
  for (const [i, { cpu, priority, nominatedNodeName }] of list.entries()) {
    const pod = makePod(`p${i}`, { requests: { cpu }, spec: { priority }, status: { nominatedNodeName } });
    const named = { ...pod, metadata: { ...pod.metadata, name: `p${i}`, uid: `u${i}` } };
    const explanation = await scheduler.explainAsync(named);
    const result = await scheduler.scheduleAsync(named);
    // What is explained is what happens.
    expect(result.status).toBe(explanation.status);
    if (result.status === 'scheduled') expect(explanation.best).toContain(result.node);
    log.push(explanation, result);
  }
  return { log, seen: server.seen };
}
