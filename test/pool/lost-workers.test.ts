import { afterEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../src/lib/clock.ts';
import { nextTurn } from '../../src/lib/next-turn.ts';
import { InlineRunner } from '../../src/pool/inline-runner.ts';
import { PoolThread } from '../../src/pool/pool-thread.ts';
import type { PooledRunner } from '../../src/pool/pooled-runner.ts';
import { logLines } from '../builders/log-lines.ts';
import { type SharingRunner, sharingRunner, waitUntil } from './always-share.ts';
import { FAULT, SPOILED, STALLS, THROWS } from './faulty-worker.ts';
import { ProgramWorld } from './program-cases.ts';

const FAULTY = new URL('./faulty-worker.ts', import.meta.url).href;
const SLOTS = 8000;
/** Long enough for a thread that a busy machine has put aside. */
const PATIENCE_MILLIS = 1000;

const open: PooledRunner[] = [];
afterEach(() => {
  for (const runner of open.splice(0)) runner.close();
});

/** Whether the sums are those that a runner comes to alone. */
function isRight({ whole: [sums] }: ProgramWorld): boolean {
  const world = new ProgramWorld('simd', SLOTS, 1);
  sum(world);
  new InlineRunner(world).run(world.program, SLOTS);
  return bytesOf(sums.values).equals(bytesOf(world.whole[0].values));
}

function bytesOf(values: Int32Array): Buffer {
  return Buffer.from(values.slice(0, SLOTS).buffer);
}

function sum({ program, entries, whole }: ProgramWorld): void {
  program.clear();
  program.fill(whole[0], 3);
  for (let i = 0; i < 5; i++) {
    program.scoreBalancedAllocation(entries, whole[1]);
    program.addWeighted(whole[1], 2, whole[0]);
  }
}

/** `threads`: of these the workers are made, one after the other. */
function start(
  world: ProgramWorld,
  threads: readonly PoolThread[],
  clock = new FakeClock(),
  restartsMax = 9,
): SharingRunner & { readonly lines: readonly string[] } {
  const { memory, kernels, table } = world;
  const waiting = [...threads];
  const startThread = () => waiting.shift() ?? new PoolThread();
  const { lines, logger } = logLines();
  const sharing = sharingRunner(
    { memory, kernels, table, kind: 'simd', clock, startThread, logger: logger.named('pool') },
    { chunkSlots: 512, patienceMillis: PATIENCE_MILLIS, restartsMax },
  );
  open.push(sharing.runner);
  return { ...sharing, lines };
}

function helpComes({ runner, policy }: SharingRunner, { program }: ProgramWorld): void {
  const before = policy.helpedSteps;
  waitUntil(() => {
    runner.run(program, SLOTS);
    return policy.helpedSteps > before;
  }, 'somebody helps');
}

describe.each([
  ['fails', THROWS],
  ['goes missing', STALLS],
])('a worker that %s in the middle of a step', (_what, fault) => {
  it('costs a retry and a new thread, nothing else', () => {
    const world = new ProgramWorld('simd', SLOTS, 1);
    const { memory, whole } = world;
    const sharing = start(world, [new PoolThread(FAULTY)]);
    const words = new Int32Array(memory.memory.buffer);
    words[FAULT] = fault;
    words[SPOILED] = whole[0].pointer;
    const spoiled = whole[0].values;
    sum(world);
    waitUntil(() => {
      sharing.runner.run(world.program, SLOTS);
      return sharing.runner.counters.restartedWorkers > 0;
    }, 'the worker goes wrong, and another takes its place');
    const { counters } = sharing.runner;
    // A busy machine may give a step up before the worker has come to go wrong.
    expect(counters.retriedSteps).toBeGreaterThanOrEqual(1);
    expect(counters.restartedWorkers).toBe(1);
    expect(isRight(world)).toBe(true);

    // A missing worker may run for a moment and go on writing where it was.
    if (fault === STALLS) spoiled.fill(-1);
    expect(isRight(world)).toBe(true);

    helpComes(sharing, world);
    expect(isRight(world)).toBe(true);
    expect(sharing.runner.counters).toMatchObject({ ...counters, sharedSteps: expect.any(Number) });
  });
});

describe('a worker that is killed', () => {
  it('during a long run is replaced, and every step comes out as before', () => {
    const world = new ProgramWorld('simd', SLOTS, 1);
    const clock = new FakeClock();
    const victim = new PoolThread();
    const sharing = start(world, [victim], clock);
    sum(world);
    helpComes(sharing, world);
    const expected = bytesOf(world.whole[0].values);
    expect(isRight(world)).toBe(true);
    victim.end();
    // This thread never rests: a dead worker is known only by its silence, or by a chunk that it keeps.
    waitUntil(() => {
      world.whole[0].values.fill(0);
      sharing.runner.run(world.program, SLOTS);
      if (!bytesOf(world.whole[0].values).equals(expected)) throw new Error('a step came out otherwise');
      clock.advance(100);
      return sharing.runner.counters.restartedWorkers === 1;
    }, 'it is replaced');
    helpComes(sharing, world);
    expect(isRight(world)).toBe(true);
    expect(sharing.runner.counters.restartedWorkers).toBe(1);
  });

  it('while it sleeps is replaced as soon as that is known', async () => {
    const world = new ProgramWorld('simd', SLOTS, 1);
    const victim = new PoolThread();
    const sharing = start(world, [victim]);
    sum(world);
    helpComes(sharing, world);
    victim.end();
    while (!victim.isDead) await new Promise<void>((resolve) => nextTurn(resolve));
    helpComes(sharing, world);
    expect(sharing.runner.counters).toMatchObject({ retriedSteps: 0, restartedWorkers: 1 });
    expect(isRight(world)).toBe(true);
  });

  it('too often is not replaced any more', () => {
    const world = new ProgramWorld('simd', SLOTS, 1);
    const words = new Int32Array(world.memory.memory.buffer);
    words[FAULT] = THROWS;
    words[SPOILED] = world.whole[0].pointer;
    const faulty = Array.from({ length: 4 }, () => new PoolThread(FAULTY));
    const { runner, lines } = start(world, faulty, new FakeClock(), 3);
    sum(world);
    waitUntil(() => {
      runner.run(world.program, SLOTS);
      return runner.counters.restartedWorkers === 3;
    }, 'all have failed');
    const { sharedSteps } = runner.counters;
    runner.run(world.program, SLOTS);
    expect(runner.counters.sharedSteps).toBe(sharedSteps);
    expect(isRight(world)).toBe(true);
    expect(lines[0]).toBe('INFO pool workers started workers=2');
    for (const restarted of [1, 2, 3]) {
      expect(lines).toContain(
        `WARN pool workers were lost, and others started lostWorkers=1 restartedWorkers=${restarted}`,
      );
    }
    expect(lines.at(-1)).toBe("ERROR pool too many workers were lost: the caller's thread goes on alone");
    expect(lines.filter((line) => /^WARN pool a step is done once more/.test(line))).toHaveLength(
      runner.counters.retriedSteps,
    );
    for (const thread of faulty) thread.end();
  });
});
